// SPDX-License-Identifier: Apache-2.0
// Messages about illegal actions of kernels: where, by whom, and what was nearby.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sim/base/diagnostic.h"
#include "sim/base/types.h"
#include "sim/exec/launch.h"

namespace teslasim {

/// Who executed the faulty instruction.
struct FaultPlace {
  const Launch* launch = nullptr;
  const Instruction* instruction = nullptr;
  SmIndex sm = 0;
  BlockIndex block = 0;  ///< linear index
  unsigned warp = 0;     ///< within its block
  LaneMask lanes = 0;    ///< those at fault
};

/// "lanes 28-31 (mask 0xf0000000)"
[[nodiscard]] std::string describe_lanes(LaneMask lanes);
/// "block (117,0)"
[[nodiscard]] std::string describe_block(const Launch& launch, BlockIndex block);
/// "16 B after the end of 'in' (f32[1048576])", or that there is no buffer.
[[nodiscard]] std::string describe_address(const DeviceMemory& memory, Address address);

/// A diagnostic with place, source line and the line about SM, block, warp and lanes; `detail` follows on that line.
[[nodiscard]] Diagnostic kernel_diagnostic(const FaultPlace& place, std::string code, std::string message,
                                           const std::string& detail);
[[noreturn]] void throw_kernel_error(Diagnostic diagnostic);

struct GlobalFault {
  FaultPlace place;
  Address address = 0;
  unsigned bytes = 0;
  const char* verb = "access";
  bool misaligned = false;
};
[[noreturn]] void throw_global_error(const GlobalFault& fault);

/// Shared, constant or local memory.
struct OnChipFault {
  FaultPlace place;
  std::uint32_t address = 0;
  unsigned bytes = 0;
  std::uint64_t limit = 0;
  bool aligned = true;  ///< then the address is outside
  const char* space = "shared";
};
[[noreturn]] void throw_on_chip_error(const OnChipFault& fault);

}  // namespace teslasim
