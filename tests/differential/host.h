// SPDX-License-Identifier: Apache-2.0
// The host's side of a file of random programs: input, and what went into each kernel and came out, as text.
#pragma once

#include <pmmintrin.h>
#include <stdio.h>

static u32 in[INPUT_BYTES / 4];

static void put(void* to, const void* from, unsigned bytes) {
  __builtin_memcpy(to, from, bytes);
}

static void hexadecimal(const void* bytes, unsigned count) {
  for (unsigned k = 0; k < count; ++k) printf("%02x", ((const u8*)bytes)[k]);
  putchar('\n');
}

static void set_up(u32 seed) {
  // The chip has no denormal f32 (f64 keep away from theirs).
  _MM_SET_FLUSH_ZERO_MODE(_MM_FLUSH_ZERO_ON);
  _MM_SET_DENORMALS_ZERO_MODE(_MM_DENORMALS_ZERO_ON);
  for (unsigned k = 0; k < INPUT_BYTES / 4; ++k) {
    seed = seed * 1664525U + 1013904223U;
    in[k] = (seed ^ seed >> 15) >> (k % 5 == 0 ? seed >> 27 : 0);
  }
  printf("input ");
  hexadecimal(in, sizeof in);
}

static void begin(const char* name, int level, u32 blocks, u32 threads, u32 words) {
  printf("kernel %s %d %u %u %u\n", name, level, blocks, threads, words);
}

template <typename T>
static void give(const T& value) {
  printf("value ");
  hexadecimal(&value, sizeof value);
}
static void given_input() {
  puts("in");
}
static void given_output() {
  puts("out");
}

static void end(const void* out, unsigned bytes) {
  printf("result ");
  hexadecimal(out, bytes);
}
