// SPDX-License-Identifier: Apache-2.0
// A program of five sources: main.cpp calls first.cu and second.cu, which have kernels and variables of the same names,
// plain.c, and host.c, which calls CUDA.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
int plain_sum(const int* values, int count);
int device_facts_in_c(void);
int copied_in_c(void);
#ifdef __cplusplus
}
int* new_words(int count);
void scale_by_first(int* words, int count);
void scale_by_second(int* words, int count);
void take_back(int* to, int* words, int count);
#endif
