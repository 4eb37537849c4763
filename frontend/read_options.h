// SPDX-License-Identifier: Apache-2.0
// What a reader of code may want to know about the machine that is going to run it.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/clang/cuda_options.h"

namespace teslasim {

struct ReadOptions {
  /// Level of the machine, 10..13; 0 = none in mind. Of several images the best one up to this level is taken, and
  /// words that the level of the file does not know are read as the machine reads them.
  std::uint8_t machine_sm = 0;
  std::string machine;  ///< its name, for messages
  /// Accept long instructions at addresses that are not multiples of 8. The chip fetches 8 bytes at a time and cannot
  /// run such code; soft GPGPUs (FlexGrip) can.
  bool allow_unaligned = false;
  cuda::CudaOptions cuda{};  ///< how CUDA C and PTX are compiled; the level is the machine's
};

}  // namespace teslasim
