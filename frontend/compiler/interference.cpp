// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/interference.h"

#include <algorithm>
#include <utility>

#include "frontend/compiler/machine_liveness.h"

namespace teslasim::compiler {

bool RegisterPairs::insert(VirtualRegister left, VirtualRegister right) {
  constexpr std::size_t first_places = 256;
  // At most half full, so that searches stay short.
  if (2 * (size_ + 1) > places_.size()) grow(std::max(first_places, 2 * places_.size()));
  std::uint64_t& place = places_[place_of(key(left, right))];
  if (place != empty) return false;
  place = key(left, right);
  ++size_;
  return true;
}

bool RegisterPairs::contains(VirtualRegister left, VirtualRegister right) const {
  return !places_.empty() && places_[place_of(key(left, right))] != empty;
}

std::uint64_t RegisterPairs::key(VirtualRegister left, VirtualRegister right) {
  return std::uint64_t{std::min(left, right)} << 32 | std::max(left, right);
}

std::size_t RegisterPairs::place_of(std::uint64_t key) const {
  // Knuth 1998, The Art of Computer Programming 3, section 6.4: multiplicative hashing, linear probing.
  constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15U;
  std::size_t place = (key * golden_ratio >> 32) & (places_.size() - 1);
  while (places_[place] != empty && places_[place] != key) place = (place + 1) & (places_.size() - 1);
  return place;
}

void RegisterPairs::grow(std::size_t places) {
  const std::vector<std::uint64_t> old = std::exchange(places_, std::vector<std::uint64_t>(places, empty));
  for (const std::uint64_t one : old) {
    if (one != empty) places_[place_of(one)] = one;
  }
}

Interference::Interference(const MachineFunction& function) : neighbours_(function.registers.size()) {
  const std::vector<LiveSet> ends = live_at_ends(function);
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    LiveSet live = ends[block];
    if (function.blocks[block].end.guard != no_register) live.insert(function.blocks[block].end.guard);
    const std::vector<MachineInstruction>& code = function.blocks[block].code;
    for (auto at = code.rbegin(); at != code.rend(); ++at) {
      const VirtualRegister moved = is_copy(*at) ? at->source[0][0] : no_register;
      for_each_write(*at, [&](VirtualRegister written) {
        live.for_each([&](VirtualRegister other) {
          if (other != moved && other != written && function.registers[other] == function.registers[written])
            add(written, other);
        });
        for_each_write(*at, [&](VirtualRegister other) {
          if (other != written && function.registers[other] == function.registers[written]) add(written, other);
        });
      });
      if (MachineFunction::calls(*at)) keep_from_routine(function, *at, live);
      step_back(live, *at);
    }
    // $r0 is taken when the kernel starts.
    if (block == 0) {
      live.for_each([&](VirtualRegister other) {
        if (other != function.thread_index && function.registers[other] == RegisterClass::general)
          add(function.thread_index, other);
      });
    }
  }
}

/// What is live behind a call, but for its result, is not where the routine writes.
void Interference::keep_from_routine(const MachineFunction& function, const MachineInstruction& call,
                                     const LiveSet& live) {
  function.for_each_overwritten(call.target, [&](VirtualRegister written) {
    live.for_each([&](VirtualRegister other) {
      if (other != written && other != call.result[0] && function.registers[other] == function.registers[written])
        add(written, other);
    });
  });
}

void Interference::add(VirtualRegister left, VirtualRegister right) {
  if (!pairs_.insert(left, right)) return;
  neighbours_[left].push_back(right);
  neighbours_[right].push_back(left);
}

bool Interference::between(VirtualRegister left, VirtualRegister right) const {
  return pairs_.contains(left, right);
}

}  // namespace teslasim::compiler
