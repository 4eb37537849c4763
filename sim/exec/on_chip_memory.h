// SPDX-License-Identifier: Apache-2.0
// Shared and constant memory as operands of lane-wise instructions: addresses of the lanes, checks, values.
//
// Stands for the operands s[...] and c[...] of the instruction set (Kościelnicki, envytools documentation of the G80
// family). Private to sim/exec. Not modelled here: bank conflicts and passes; the timing model counts them from the
// addresses in OnChipAccess.
#pragma once

#include "isa/semantics/float_wide.h"
#include "sim/exec/resident_warps.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

class OnChipMemory {
 public:
  /// What the checks need to know about 32 addresses.
  struct AddressSummary {
    std::int32_t highest = 0;
    std::uint32_t bits = 0;    ///< all of them or-ed together
    bool consecutive = false;  ///< words one after the other
  };
  struct Space {
    const char* name;
    std::uint64_t bytes;
  };

  explicit OnChipMemory(const ExecutionContext& context) : context_(context) {}

  /// Addresses of a memory operand relative to an address register; lanes that do not execute copy one that does.
  AddressSummary fill_addresses(const ResidentWarp& warp, const Operand& operand, LaneMask executed,
                                OnChipAccess& access) const;
  /// Throws the kernel's error when a lane is misaligned or outside of `space`.
  void check(const ResidentWarp& warp, const Operation& operation, const OnChipAccess& access,
             const AddressSummary& summary, const Space& space) const;
  /// The same for shared memory, addresses filled in.
  AddressSummary address_shared(const ResidentWarp& warp, const Operation& operation, const Operand& operand,
                                LaneMask executed, OnChipAccess& access) const;

  /// One word per lane to `row`.
  void read_shared(const ResidentWarp& warp, const Operation& operation, const Operand& operand, LaneMask executed,
                   OnChipAccess& access, std::uint32_t* row) const;
  void read_constant(const ResidentWarp& warp, const Operation& operation, const Operand& operand, LaneMask executed,
                     OnChipAccess& access, std::uint32_t* row) const;
  /// Steps the address register of an operand that asks for it.
  void post_increment(ResidentWarp& warp, const Operand& operand, LaneMask executed) const;

 private:
  const ExecutionContext& context_;
  bool wide_ = semantics::wide_lanes();  ///< the host has AVX2
};

}  // namespace teslasim
