// SPDX-License-Identifier: Apache-2.0
// The helpers of the samples of CUDA 3 and 4 that print: a log is stdout, whatever file a sample names for it.
#pragma once

#include "cutil.h"

#define shrLog printf
#define shrEXIT(...) exit(EXIT_SUCCESS)

inline void shrSetLogFileName(const char* /*name*/) {}
inline int shrCheckCmdLineFlag(int count, const char** words, const char* name) {
  return cutCheckCmdLineFlag(count, words, name);
}
inline int shrGetCmdLineArgumenti(int count, const char** words, const char* name, int* value) {
  return cutGetCmdLineArgumenti(count, words, name, value);
}
inline int shrGetCmdLineArgumentf(int count, const char** words, const char* name, float* value) {
  return cutGetCmdLineArgumentf(count, words, name, value);
}
inline int shrGetCmdLineArgumentstr(int count, const char** words, const char* name, char** value) {
  return cutGetCmdLineArgumentstr(count, words, name, value);
}
inline char* shrFindFilePath(const char* name, const char* program) {
  return sdkFindFilePath(name, program);
}
