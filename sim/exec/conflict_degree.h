// SPDX-License-Identifier: Apache-2.0
// How many passes an access to shared or constant memory takes.
//
// Stands for the address comparators of the on-chip memories. Shared memory has one port per bank and serves one access
// group (half-warp) at a time; in each pass one word is broadcast to all lanes that request it, and every other bank
// serves one lane (CUDA programming guide 2.x, section 5.1.2.5; Collange 2010, section 10.1). The broadcast word is
// that of the lowest waiting lane; the guide leaves the choice open. Lanes that share any other word therefore still
// conflict: 16 lanes that read consecutive bytes take four passes. The constant cache has one port and serves one word
// per pass to all lanes that request it (Collange 2010, section 8.2). Accesses of 8 and 16 bits count by the 32-bit
// word that holds them. Stores follow the same rule. Not modelled: which lane wins when several store to one address
// (the highest here, see execution_stream.h).
#pragma once

#include "sim/base/launch_statistics.h"
#include "sim/exec/warp_inst.h"

namespace teslasim {

/// Passes over shared memory for lanes first_lane .. first_lane + group - 1. 0 when none of them is active, 1 without a
/// conflict. Counts the banks of each pass in `used`, if given.
[[nodiscard]] unsigned shared_passes(const OnChipAccess& access, unsigned first_lane, unsigned group, unsigned banks,
                                     BankAccesses* used = nullptr);

/// The common access, whose group is the half-warp: all lanes take part, and each half-warp asks for one word or for
/// consecutive ones. Each half-warp then takes one pass; the banks are counted in `used`, if given. False: nothing was
/// counted.
[[nodiscard]] bool one_pass_each(const OnChipAccess& access, unsigned group, unsigned banks, BankAccesses* used);

/// Passes over the constant cache: the number of different words that the group requests.
[[nodiscard]] unsigned constant_passes(const OnChipAccess& access, unsigned first_lane, unsigned group);

}  // namespace teslasim
