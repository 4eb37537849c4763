// SPDX-License-Identifier: Apache-2.0
#include "sim/run/signals.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace teslasim {
namespace {

constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
/// `timeout` and shells send a signal to the program and to its group: what arrives so soon is the same wish again.
constexpr std::int64_t same_wish = nanoseconds_per_second;

// A signal handler can reach nothing but such variables.
volatile std::sig_atomic_t noted = 0;
std::atomic<std::int64_t> noted_at{0};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t monotonic_nanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * nanoseconds_per_second + now.tv_nsec;
}

extern "C" void note_signal(int signal) {
  if (noted == 0) {
    noted_at = monotonic_nanoseconds();
    noted = signal;
    return;
  }
  if (monotonic_nanoseconds() - noted_at < same_wish) return;
  // Delivered when the handler returns.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

void catch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  // The handler runs once at a time. Files that are being written when it does are written to their end.
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, SIGINT);
  sigaddset(&action.sa_mask, SIGTERM);
  action.sa_flags = static_cast<int>(SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() {
  return noted;
}

void ignore_file_size_signal() {
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace teslasim
