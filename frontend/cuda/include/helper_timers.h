// SPDX-License-Identifier: Apache-2.0
// Timers of the samples, on the host's clock: what the host waited, which is not the time that the device took.
#pragma once

#include "cuda_runtime.h"

#include <chrono>

struct StopWatchInterface {
  std::chrono::steady_clock::time_point start;
  double milliseconds;
  int intervals;
  bool runs;
};

inline bool sdkCreateTimer(StopWatchInterface** timer) {
  *timer = new StopWatchInterface{};
  return true;
}
inline bool sdkDeleteTimer(StopWatchInterface** timer) {
  delete *timer;
  *timer = nullptr;
  return true;
}
inline bool sdkStartTimer(StopWatchInterface** timer) {
  (*timer)->start = std::chrono::steady_clock::now();
  (*timer)->runs = true;
  return true;
}
inline double teslasim_since(const StopWatchInterface& timer) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - timer.start).count();
}
inline bool sdkStopTimer(StopWatchInterface** timer) {
  (*timer)->milliseconds += teslasim_since(**timer);
  (*timer)->intervals += 1;
  (*timer)->runs = false;
  return true;
}
inline bool sdkResetTimer(StopWatchInterface** timer) {
  (*timer)->milliseconds = 0;
  (*timer)->intervals = 0;
  (*timer)->start = std::chrono::steady_clock::now();
  return true;
}
inline float sdkGetTimerValue(StopWatchInterface** timer) {
  const double running = (*timer)->runs ? teslasim_since(**timer) : 0.0;
  return static_cast<float>((*timer)->milliseconds + running);
}
inline float sdkGetAverageTimerValue(StopWatchInterface** timer) {
  const int intervals = (*timer)->intervals;
  return intervals > 0 ? static_cast<float>((*timer)->milliseconds / intervals) : 0.0F;
}

// The older names count timers from 1.
inline StopWatchInterface** teslasim_timer(unsigned int number) {
  static StopWatchInterface* timers[64];
  return &timers[number % 64U];
}
inline unsigned int cutCreateTimer(unsigned int* number) {
  static unsigned int last = 0;
  *number = ++last;
  return sdkCreateTimer(teslasim_timer(*number)) ? 1U : 0U;
}
inline unsigned int cutDeleteTimer(unsigned int number) {
  return sdkDeleteTimer(teslasim_timer(number)) ? 1U : 0U;
}
inline unsigned int cutStartTimer(unsigned int number) {
  return sdkStartTimer(teslasim_timer(number)) ? 1U : 0U;
}
inline unsigned int cutStopTimer(unsigned int number) {
  return sdkStopTimer(teslasim_timer(number)) ? 1U : 0U;
}
inline unsigned int cutResetTimer(unsigned int number) {
  return sdkResetTimer(teslasim_timer(number)) ? 1U : 0U;
}
inline float cutGetTimerValue(unsigned int number) {
  return sdkGetTimerValue(teslasim_timer(number));
}
inline float cutGetAverageTimerValue(unsigned int number) {
  return sdkGetAverageTimerValue(teslasim_timer(number));
}
