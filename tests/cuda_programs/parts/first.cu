// SPDX-License-Identifier: Apache-2.0
#include "parts.h"

static __constant__ int factor = 3;

static __global__ void scale(int* words) {
  words[threadIdx.x] *= factor;
}
void scale_by_first(int* words, int count) {
  scale<<<1, count>>>(words);
}
