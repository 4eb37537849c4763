// SPDX-License-Identifier: Apache-2.0
// The register file of one SM: banks, their ports, and who waits for them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sim/base/types.h"
#include "sim/sm/in_flight_instruction.h"
#include "sim/sm/port_calendar.h"

namespace teslasim {

/// Stands for the banks of vector registers (32 lanes of 32 bits). All registers of a warp lie in one bank, and
/// neighbouring warps lie in different ones; a bank has one read and one write port (Collange 2010, section 8.3, after
/// Lindholm et al., US patent 7339592). The operands of an instruction are therefore read in sequence, overlapped with
/// those of warps in other banks; warps that share a bank wait for each other. With more warp slots than banks, slots
/// whose numbers differ by a multiple of the number of banks share one. Reads are served in the order of issue; writes
/// take the first free cycle of the port, whether they come from a unit or from memory.
/// Each cycle: nothing; `accept` and `write` compute when the ports are free. It takes every instruction: what waits
/// for a port waits in an operand collector of its unit, which can be full. Not modelled: banks narrower than a warp;
/// the choice of a bank by the size of the allocation.
class RegisterFile {
 public:
  static constexpr unsigned max_banks = 64;

  /// `port_cycles`: SM cycles for which one register occupies a port.
  RegisterFile(unsigned banks, unsigned port_cycles) : mask_(banks - 1), port_cycles_(port_cycles) {}

  [[nodiscard]] unsigned bank_of(WarpSlot warp) const { return warp & mask_; }

  /// An instruction issued in cycle `now` reads `registers` from the warp's bank, from the next cycle on. Returns the
  /// cycles for which it waits until the port has served instructions of other warps before.
  SmCycle read(WarpSlot warp, SmCycle now, unsigned registers) {
    SmCycle& free = read_free_[bank_of(warp)];
    const SmCycle begin = greater(now + 1, free);
    free = begin + SmCycle{registers} * port_cycles_;
    const SmCycle wait = begin - (now + 1);
    read_conflict_cycles_ += wait;
    return wait;
  }
  [[nodiscard]] static constexpr bool can_accept(SmCycle) { return true; }
  /// The operands of an instruction that issues in cycle `now`: leaves in its record when they have been read. Accesses
  /// pass the port even without register operands.
  void accept(InFlightInstruction& record, SmCycle now) {
    const unsigned reads = record.timing->register_reads;
    record.operand_wait = 0;
    record.collected = 0;
    if (reads == 0 && record.timing->pipe != Pipe::memory) return;
    record.operand_wait = static_cast<std::uint16_t>(read(record.warp, now, reads));
    if (reads != 0) record.collected = read_free(record.warp);
  }
  /// First cycle in which the bank's read port is free after what was asked so far.
  [[nodiscard]] SmCycle read_free(WarpSlot warp) const { return read_free_[bank_of(warp)]; }
  /// Banks whose read port is taken.
  [[nodiscard]] unsigned reading(SmCycle now) const {
    return static_cast<unsigned>(
        std::count_if(read_free_.begin(), read_free_.end(), [now](SmCycle free) { return free > now; }));
  }

  /// `registers` results of the warp could all be written by cycle `earliest` if the port were free. Returns the cycle
  /// in which the last one is. Precondition: earliest > now.
  SmCycle write(WarpSlot warp, SmCycle now, SmCycle earliest, unsigned registers) {
    PortCalendar& port = write_[bank_of(warp)];
    const unsigned uses = registers * port_cycles_;
    if (uses <= 1) {
      const SmCycle when = port.reserve(now, earliest);
      write_conflict_cycles_ += when - earliest;
      return when;
    }
    SmCycle first = greater(now + 1, earliest - lesser(earliest, uses - 1));
    SmCycle last = first;
    for (unsigned use = 0; use < uses; ++use) {
      last = port.reserve(now, first);
      first = last + 1;
    }
    last = greater(last, earliest);
    write_conflict_cycles_ += last - earliest;
    return last;
  }

  [[nodiscard]] SmCycle read_conflict_cycles() const { return read_conflict_cycles_; }
  [[nodiscard]] SmCycle write_conflict_cycles() const { return write_conflict_cycles_; }

  void clear() {
    read_free_.fill(0);
    for (PortCalendar& port : write_) port.clear();
    read_conflict_cycles_ = write_conflict_cycles_ = 0;
  }

 private:
  unsigned mask_;
  unsigned port_cycles_;
  std::array<SmCycle, max_banks> read_free_{};
  std::array<PortCalendar, max_banks> write_{};
  SmCycle read_conflict_cycles_ = 0;   ///< summed over instructions
  SmCycle write_conflict_cycles_ = 0;  ///< summed over results
};

}  // namespace teslasim
