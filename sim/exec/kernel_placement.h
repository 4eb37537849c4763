// SPDX-License-Identifier: Apache-2.0
// Where code and constants of a launch lie in device memory.
#pragma once

#include "sim/exec/launch.h"

namespace teslasim {

/// Device addresses of what the instruction and constant caches read. Constant banks of 64 KB each are followed by the
/// kernels of the module, aligned to 256 bytes. Kernels cannot reach them with loads, so nothing but the caches, the
/// crossbar and the partitions sees these addresses. Where a driver places them is unknown; it only matters that banks
/// and code do not overlap.
struct KernelPlacement {
  static constexpr Address constants = 0xf000'0000;
  static constexpr Address bank_bytes = 0x1'0000;
  static constexpr unsigned banks = 16;
  static constexpr Address first_code = constants + banks * bank_bytes;
  static constexpr Address code_alignment = 256;

  [[nodiscard]] static constexpr Address constant_bank(unsigned bank) { return constants + bank * bank_bytes; }
  /// The first instruction of the launch's kernel.
  [[nodiscard]] static Address code(const Launch& launch) {
    Address address = first_code;
    if (launch.module == nullptr) return address;
    for (const Kernel& kernel : launch.module->kernels) {
      if (&kernel == launch.kernel) return address;
      const Address bytes = kernel.code.empty() ? 0 : kernel.code.back().pc + kernel.code.back().bytes;
      address += (bytes + code_alignment - 1) / code_alignment * code_alignment;
    }
    return first_code;
  }
};

}  // namespace teslasim
