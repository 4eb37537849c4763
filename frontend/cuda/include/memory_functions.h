// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove and memset of device code. Few bytes become moves, many a loop; words only where LLVM knows that
// variables lie on their boundaries, since the type of a pointer tells nothing (a member of a packed struct). The host
// keeps its own.
#pragma once

#include "host_defines.h"

#include <string.h>

#if defined(__CUDA__)
TESLASIM_DEVICE void* memcpy(void* to, const void* from, size_t size) {
  return __builtin_memcpy(to, from, size);
}
TESLASIM_DEVICE void* memmove(void* to, const void* from, size_t size) {
  return __builtin_memmove(to, from, size);
}
TESLASIM_DEVICE void* memset(void* to, int value, size_t size) {
  return __builtin_memset(to, value, size);
}
// For std::memcpy in device code: <cstring> takes what it finds, and may have been read before.
namespace std {
using ::memcpy;
using ::memmove;
using ::memset;
}  // namespace std
#endif
