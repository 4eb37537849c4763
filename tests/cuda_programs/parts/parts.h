// SPDX-License-Identifier: Apache-2.0
// A program of four sources: main.cpp calls first.cu and second.cu, which have kernels and variables of the same names,
// and plain.c.
#pragma once

#ifdef __cplusplus
extern "C" {
#endif
int plain_sum(const int* values, int count);
#ifdef __cplusplus
}
int* new_words(int count);
void scale_by_first(int* words, int count);
void scale_by_second(int* words, int count);
void take_back(int* to, int* words, int count);
#endif
