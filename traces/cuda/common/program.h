// SPDX-License-Identifier: Apache-2.0
// What every program of these folders needs on the host: checked calls, options, random numbers, time, the verdict.
#pragma once

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A call that fails ends the program and says where, and what CUDA thinks of it.
#define CHECK(call) check((call), #call, __FILE__, __LINE__)

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}

// A launch returns nothing. What was wrong with it comes from the next call, what went wrong in it from waiting for it.
#define CHECK_LAUNCH()         \
  do {                         \
    CHECK(cudaGetLastError()); \
    CHECK(cudaThreadSynchronize()); \
  } while (0)

// The number after `--name` on the command line, or `otherwise`. A word that no program knows is left to `no_other_options`.
inline int option(int count, char** words, const char* name, int otherwise) {
  for (int i = 1; i < count; ++i) {
    if (strncmp(words[i], "--", 2) != 0 || strcmp(words[i] + 2, name) != 0) continue;
    char* end = NULL;
    const long value = i + 1 < count ? strtol(words[i + 1], &end, 10) : 0;
    if (end == NULL || *end != '\0' || value < 1 || value > 1L << 28) {
      fprintf(stderr, "--%s needs a whole number from 1 to 2^28\n", name);
      exit(2);
    }
    return (int)value;
  }
  return otherwise;
}

// Ends the program when a word is none of its options; `names` holds them, with a space between them.
inline void no_other_options(int count, char** words, const char* names) {
  for (int i = 1; i < count; i += 2) {
    const char* found = strncmp(words[i], "--", 2) == 0 ? strstr(names, words[i] + 2) : NULL;
    const size_t length = strlen(words[i]) - (found != NULL ? 2 : 0);
    const bool is_whole = found != NULL && length > 0 && (found == names || found[-1] == ' ') &&
                          (found[length] == ' ' || found[length] == '\0');
    if (is_whole) continue;
    fprintf(stderr, "%s: no such option; there are: %s, each with a number\n", words[i], names);
    exit(2);
  }
}

// The same numbers on every machine, which rand() does not promise.
class RandomNumbers {
 public:
  explicit RandomNumbers(unsigned int seed) : state_(seed * 2654435761U + 1U) {}
  unsigned int next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return state_;
  }
  unsigned int below(unsigned int bound) { return next() % bound; }
  float between(float low, float high) { return low + (high - low) * (float)(next() >> 8) / 16777216.0f; }

 private:
  unsigned int state_;
};

// Time on the device between two places of the program.
class DeviceTimer {
 public:
  DeviceTimer() {
    CHECK(cudaEventCreate(&start_));
    CHECK(cudaEventCreate(&stop_));
  }
  ~DeviceTimer() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  void start() { CHECK(cudaEventRecord(start_, 0)); }
  float stop_in_milliseconds() {
    CHECK(cudaEventRecord(stop_, 0));
    CHECK(cudaEventSynchronize(stop_));
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, start_, stop_));
    return milliseconds;
  }

 private:
  cudaEvent_t start_;
  cudaEvent_t stop_;
};

inline int divide_up(int count, int per_block) {
  return (count + per_block - 1) / per_block;
}

// The last line of every program, and its exit code.
inline int verdict(bool is_right) {
  printf(is_right ? "PASSED\n" : "FAILED\n");
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
}
