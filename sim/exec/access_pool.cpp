// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/access_pool.h"

#include <algorithm>

namespace teslasim {

namespace {

bool uses_textures(const Kernel& kernel) {
  return std::any_of(kernel.code.begin(), kernel.code.end(),
                     [](const Instruction& i) { return i.opcode == Opcode::tex; });
}

/// A free one, or a new one; giving it back allocates nothing.
template <typename Access>
Access& take(std::vector<std::unique_ptr<Access>>& all, std::vector<Access*>& free) {
  if (free.empty()) {
    all.push_back(std::make_unique<Access>());
    free.reserve(all.size());
    return *all.back();
  }
  Access& access = *free.back();
  free.pop_back();
  return access;
}

}  // namespace

unsigned words_of(const MemoryAccess& access) {
  constexpr unsigned word_bytes = 4;
  return std::max(1U, access.bytes / word_bytes);
}

AccessPool::AccessPool(const ExecutionContext& context) : context_(context) {
  constexpr unsigned accesses_per_warp = 2;
  const unsigned prepared =
      context.options.memory_effect == MemoryEffect::at_issue ? 1 : accesses_per_warp * context.options.warp_slots;
  for (unsigned i = 0; i < prepared; ++i) {
    accesses_.push_back(std::make_unique<MemoryAccess>());
    free_accesses_.push_back(accesses_.back().get());
  }
  for (unsigned i = 0; i < prepared && uses_textures(*context.launch.kernel); ++i) {
    textures_.push_back(std::make_unique<TextureAccess>());
    free_textures_.push_back(textures_.back().get());
  }
}

MemoryAccess& AccessPool::acquire() {
  MemoryAccess& access = take(accesses_, free_accesses_);
  access.texture = nullptr;
  access.registers = nullptr;
  return access;
}

TextureAccess& AccessPool::acquire_texture() {
  return take(textures_, free_textures_);
}

void AccessPool::release(MemoryAccess& access) {
  if (access.texture != nullptr) free_textures_.push_back(access.texture);
  free_accesses_.push_back(&access);
}

void AccessPool::set_destination(const Operation& operation, MemoryAccess& access) {
  const Operand& destination = operation.instruction->destination[0];
  access.destination = destination.index;
  access.destination_half = static_cast<std::uint8_t>(destination.half);
  access.discard_result = destination.kind != Operand::Kind::gpr;
}

void AccessPool::send(ResidentWarp& warp, MemoryAccess& access, WarpInst& out) {
  out.memory = &access;
  if (context_.options.memory_effect == MemoryEffect::at_partition) return;
  if (MemoryFootprint* const footprint = context_.options.footprint; footprint != nullptr) {
    footprint->note(access);
    perform_beside_others(access, *context_.launch.memory);
  } else {
    perform(access, access.lanes, *context_.launch.memory);
  }
  complete(warp, access);
  release(access);  // stays readable until the next access
}

void AccessPool::complete(ResidentWarp& warp, MemoryAccess& access) const {
  const bool returns = access.kind == MemoryAccess::Kind::load || access.kind == MemoryAccess::Kind::atomic;
  if (!returns || access.discard_result || access.registers != nullptr) return;
  if (access.space == MemoryAccess::Space::texture) return complete_texture(warp, access);
  const auto half = static_cast<Operand::Half>(access.destination_half);
  const unsigned shift = half == Operand::Half::high ? 16 : 0;
  const std::uint32_t changed = half == Operand::Half::full ? ~0U : low_half << shift;
  for (unsigned word = 0; word < words_of(access); ++word) {
    if (access.destination + word >= context_.registers) return;
    std::uint32_t* const row = aligned(warp.rows + (access.destination + word) * warp_size);
    const std::uint32_t* const data = aligned(access.data[word].data());
    for (unsigned i = 0; i < warp_size; ++i) {
      const std::uint32_t mask = changed & select_word(access.lanes, i);
      row[i] = (row[i] & ~mask) | (data[i] << shift & mask);
    }
  }
}

/// Components go to consecutive registers.
void AccessPool::complete_texture(ResidentWarp& warp, MemoryAccess& access) const {
  filter_texels(*access.texture, access.lanes, access.data);
  unsigned index = access.destination;
  for (unsigned component = 0; component < access.data.size(); ++component) {
    if ((access.texture->result_mask >> component & 1U) == 0) continue;
    if (index >= context_.registers) return;
    std::uint32_t* const row = aligned(warp.rows + index++ * warp_size);
    const std::uint32_t* const data = aligned(access.data[component].data());
    for (unsigned i = 0; i < warp_size; ++i) {
      const std::uint32_t mask = select_word(access.lanes, i);
      row[i] = (row[i] & ~mask) | (data[i] & mask);
    }
  }
}

}  // namespace teslasim
