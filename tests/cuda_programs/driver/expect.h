/* SPDX-License-Identifier: Apache-2.0 */
/* What the programs of this folder check with. */
#pragma once

#include <cuda.h>
#include <stdio.h>

static int failed = 0;

#define EXPECT(code, call) expect((code), (call), #call, __LINE__)
#define OK(call) EXPECT(CUDA_SUCCESS, call)
#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) {                                        \
      printf("line %d: %s is not so\n", __LINE__, #condition); \
      failed = 1;                                              \
    }                                                          \
  } while (0)

static void expect(CUresult expected, CUresult got, const char* call, int line) {
  if (expected == got) return;
  printf("line %d: %s gives %d, expected %d\n", line, call, (int)got, (int)expected);
  failed = 1;
}
