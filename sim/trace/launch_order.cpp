// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/launch_order.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::size_t bytes_of_word = 4;
constexpr std::uint32_t last_in_word = bytes_of_word - 1;
/// The window of local memory is not shadowed: no other thread sees it.
constexpr std::size_t shadow_bytes = std::size_t{1} << 32U;

void* reserve() {
  // Untouched pages cost nothing.
  void* const mapping =
      mmap(nullptr, shadow_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping != MAP_FAILED) return mapping;
  Diagnostic problem;
  problem.code = "ENV-MEMORY";
  problem.message = "cannot reserve 4 GiB of address space to follow who writes device memory";
  problem.help = "raise the limit of virtual memory (ulimit -v)";
  throw InputError(ExitCode::environment, problem);
}

struct Range {
  std::uint32_t lowest = ~0U, highest = 0;
};

/// First and last address of the lanes that take part.
Range range_of(const std::array<std::uint32_t, warp_size>& address, LaneMask lanes) {
  Range range;
  if (lanes == all_lanes) {
    for (const std::uint32_t one : address) range.lowest = one < range.lowest ? one : range.lowest;
    for (const std::uint32_t one : address) range.highest = one > range.highest ? one : range.highest;
    return range;
  }
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t one = address[static_cast<unsigned>(std::countr_zero(lanes))];
    range.lowest = std::min(range.lowest, one);
    range.highest = std::max(range.highest, one);
  }
  return range;
}

/// All lanes access consecutive addresses.
bool side_by_side(const MemoryAccess& access) {
  std::uint32_t difference = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane)
    difference |= access.address[lane] ^ (access.address[0] + lane * access.bytes);
  return difference == 0;
}

}  // namespace

LaunchOrder::LaunchOrder() : shadow_(static_cast<std::uint32_t*>(reserve())) {}

LaunchOrder::~LaunchOrder() {
  munmap(shadow_, shadow_bytes);
}

void LaunchOrder::begin(std::uint32_t launch, const Kernel& kernel, unsigned warps_per_block) {
  madvise(shadow_, shadow_bytes, MADV_DONTNEED);
  lowest_ = ~0U;
  highest_ = 0;
  warps_per_block_ = warps_per_block;
  launches_.resize(launch + 1);
  std::vector<OrderedLoad>& loads = launches_.back();
  loads.assign(kernel.code.size(), {});
  for (std::uint32_t i = 0; i < loads.size(); ++i) loads[i].index = i;
}

bool LaunchOrder::written_by_others(const std::array<std::uint32_t, warp_size>& address, LaneMask lanes, unsigned bytes,
                                    std::uint32_t self, bool& other_block) const {
  // Most loads end here: nothing was written in their range.
  const Range range = range_of(address, lanes);
  if (range.lowest > highest_ || range.highest + (bytes - 1U) < lowest_) return false;
  const unsigned words = std::max<unsigned>(1, bytes / bytes_of_word);
  const std::uint32_t block = (self - 1) / warps_per_block_;
  bool seen = false;
  for (; lanes != 0; lanes &= lanes - 1) {
    const std::uint32_t* const at = shadow_ + address[static_cast<unsigned>(std::countr_zero(lanes))] / bytes_of_word;
    for (unsigned word = 0; word < words; ++word) {
      const std::uint32_t writer = at[word];
      if (writer == 0 || writer == self) continue;
      seen = true;
      other_block = other_block || (writer - 1) / warps_per_block_ != block;
    }
  }
  return seen;
}

void LaunchOrder::write(const MemoryAccess& access, std::uint32_t self) {
  const Range range = range_of(access.address, access.lanes);
  lowest_ = std::min(lowest_, range.lowest & ~last_in_word);
  highest_ = std::max(highest_, (range.highest + (access.bytes - 1U)) | last_in_word);
  const unsigned words = std::max<unsigned>(1, access.bytes / bytes_of_word);
  if (access.lanes == all_lanes && access.bytes >= bytes_of_word && side_by_side(access)) {
    std::fill_n(shadow_ + range.lowest / bytes_of_word, warp_size * words, self);
    return;
  }
  for (LaneMask lanes = access.lanes; lanes != 0; lanes &= lanes - 1) {
    std::uint32_t* const at = shadow_ + access.address[static_cast<unsigned>(std::countr_zero(lanes))] / bytes_of_word;
    for (unsigned word = 0; word < words; ++word) at[word] = self;
  }
}

void LaunchOrder::look(std::uint32_t index, const MemoryAccess& access, std::uint64_t block, unsigned warp) {
  using Kind = MemoryAccess::Kind;
  if (access.space == MemoryAccess::Space::local) return;
  const auto self = static_cast<std::uint32_t>(block * warps_per_block_ + warp + 1);
  const bool reads = access.kind == Kind::load || access.kind == Kind::atomic;
  if (reads && lowest_ <= highest_) {
    bool seen = false, other_block = false;
    if (access.space == MemoryAccess::Space::texture) {
      for (unsigned i = 0; i < access.texture->texels; ++i)
        seen |= written_by_others(access.texture->address[i], access.lanes, access.bytes, self, other_block);
    } else {
      seen = written_by_others(access.address, access.lanes, access.bytes, self, other_block);
    }
    OrderedLoad& load = launches_.back()[index];
    if (seen) ++(other_block ? load.from_blocks : load.from_warps);
  }
  if (access.kind != Kind::load) write(access, self);
}

std::vector<std::vector<OrderedLoad>> LaunchOrder::ordered_loads() const {
  std::vector<std::vector<OrderedLoad>> result;
  for (const std::vector<OrderedLoad>& launch : launches_) {
    std::vector<OrderedLoad>& loads = result.emplace_back();
    std::copy_if(launch.begin(), launch.end(), std::back_inserter(loads),
                 [](const OrderedLoad& load) { return load.from_warps + load.from_blocks != 0; });
  }
  return result;
}

namespace {

/// Values that may differ between two runs of a kernel on two machines.
class Taint {
 public:
  Taint(const Kernel& kernel, const std::vector<OrderedLoad>& loads) : kernel_(kernel), source_(kernel.code.size()) {
    for (const OrderedLoad& load : loads) {
      if (load.index < source_.size()) source_[load.index] = true;
    }
    for (const Instruction& instruction : kernel.code) {
      const Operand& operand = instruction.source[0];
      if (instruction.lock) source_[instruction.index] = true;
      if (instruction.opcode != Opcode::mov_from_special || operand.kind != Operand::Kind::special) continue;
      source_[instruction.index] = operand.index <= 1;
      result_.reads_place = result_.reads_place || operand.index == 0;
      result_.reads_clock = result_.reads_clock || operand.index == 1;
    }
    while (pass()) {
    }
  }

  [[nodiscard]] OrderDependence result() {
    for (const Instruction& instruction : kernel_.code) {
      const bool tainted = instruction.reads.intersects(registers_);
      if (tainted && (instruction.predicated() || instruction.opcode == Opcode::bra)) look_at_guard(instruction);
      look_at_addresses(instruction);
    }
    return result_;
  }

 private:
  static RegisterSet flags(unsigned index) {
    RegisterSet set;
    set.add_flags(index);
    return set;
  }

  void look_at_guard(const Instruction& instruction) {
    if (instruction.condition != condition_always && flags(instruction.guard_flags).intersects(registers_))
      result_.path = true;
  }

  void look_at_addresses(const Instruction& instruction) {
    const auto look = [&](const Operand& operand) {
      RegisterSet set;
      if (operand.kind == Operand::Kind::global) set.add_register(operand.index);
      if (operand.address_register != 0) set.add_address(operand.address_register);
      if (set.intersects(registers_)) result_.addresses = true;
    };
    for (const Operand& operand : instruction.source) look(operand);
    look(instruction.store_target);
    if (instruction.opcode == Opcode::tex && instruction.reads.intersects(registers_)) result_.addresses = true;
  }

  /// One look at every instruction; false when nothing new came out.
  bool pass() {
    const RegisterSet before = registers_;
    const bool shared_before = shared_, local_before = local_;
    for (const Instruction& instruction : kernel_.code) {
      const bool reads_shared = instruction.reads_shared_operand && shared_;
      const bool reads_local = instruction.opcode == Opcode::load_local && local_;
      const bool tainted =
          source_[instruction.index] || reads_shared || reads_local || instruction.reads.intersects(registers_);
      if (!tainted) continue;
      registers_.insert(instruction.writes);
      shared_ = shared_ || instruction.opcode == Opcode::store_shared;
      local_ = local_ || instruction.opcode == Opcode::store_local;
    }
    return !(before == registers_) || shared_before != shared_ || local_before != local_;
  }

  const Kernel& kernel_;
  std::vector<bool> source_;
  RegisterSet registers_;
  bool shared_ = false;
  bool local_ = false;
  OrderDependence result_;
};

}  // namespace

OrderDependence order_dependence(const Kernel& kernel, const std::vector<OrderedLoad>& loads) {
  return Taint(kernel, loads).result();
}

}  // namespace teslasim
