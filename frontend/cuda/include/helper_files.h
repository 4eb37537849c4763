// SPDX-License-Identifier: Apache-2.0
// Text files of numbers, as the samples keep their input and what they expect.
#pragma once

#include "helper_compare.h"

/// Numbers of a file, which may begin with a line of remarks: how many it has, of which `room` are stored.
template <class T>
inline unsigned int teslasim_read_numbers(FILE* file, T* to, unsigned int room) {
  unsigned int count = 0;
  double value = 0;
  rewind(file);
  if (fscanf(file, "#%*[^\n]") == EOF) return 0;
  for (; fscanf(file, "%lf", &value) == 1; ++count) {
    if (count < room) to[count] = static_cast<T>(value);
  }
  return feof(file) != 0 ? count : 0;
}
/// Reads all numbers of a file. Memory is allocated when `*data` is null; otherwise there must be `*count` of them.
template <class T>
inline bool sdkReadFile(const char* name, T** data, unsigned int* count, bool tells) {
  FILE* file = fopen(name, "r");
  const unsigned int found = file == nullptr ? 0U : teslasim_read_numbers(file, *data, 0U);
  const bool is_right = found > 0 && (*data == nullptr || *count == found);
  if (is_right) {
    if (*data == nullptr) *data = static_cast<T*>(malloc(sizeof(T) * found));
    *count = teslasim_read_numbers(file, *data, found);
  } else if (tells) {
    fprintf(stderr, "%s: no file of as many numbers\n", name);
  }
  if (file != nullptr) fclose(file);
  return is_right;
}
/// Writes numbers behind a line that says how exact they are.
template <class T, class Number>
inline bool sdkWriteFile(const char* name, const T* data, unsigned int count, Number exactness, bool tells,
                         bool appends = false) {
  FILE* file = fopen(name, appends ? "a" : "w");
  if (file == nullptr) {
    if (tells) fprintf(stderr, "%s: cannot be written\n", name);
    return false;
  }
  if (!appends) fprintf(file, "# %g\n", static_cast<double>(exactness));
  for (unsigned int i = 0; i < count; ++i) fprintf(file, "%.17g ", static_cast<double>(data[i]));
  fprintf(file, "\n");
  return fclose(file) == 0;
}
inline CUTBoolean cutReadFilef(const char* name, float** data, unsigned int* count, bool tells = false) {
  return sdkReadFile(name, data, count, tells) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutReadFilei(const char* name, int** data, unsigned int* count, bool tells = false) {
  return sdkReadFile(name, data, count, tells) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutWriteFilef(const char* name, const float* data, unsigned int count, float exactness,
                                bool tells = false) {
  return sdkWriteFile(name, data, count, exactness, tells) ? CUTTrue : CUTFalse;
}
inline CUTBoolean cutWriteFilei(const char* name, const int* data, unsigned int count, bool tells = false) {
  return sdkWriteFile(name, data, count, 0, tells) ? CUTTrue : CUTFalse;
}
inline void cutFree(void* pointer) {
  free(pointer);
}
