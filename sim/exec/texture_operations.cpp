// SPDX-License-Identifier: Apache-2.0
// Texture instructions: coordinates to texels at issue, texels to registers on completion.
#include <bit>
#include <string>

#include "sim/exec/execution_state.h"

namespace teslasim {

namespace {

/// Constant offsets in texels: four bits each, signed.
std::array<int, 3> offsets_of(const TextureDetails& details) {
  std::array<int, 3> offsets{};
  for (unsigned axis = 0; axis < offsets.size(); ++axis) {
    const int bits = details.texel_offsets >> (4 * axis) & 15;
    offsets[axis] = bits < 8 ? bits : bits - 16;
  }
  return offsets;
}

std::string texture_name(const Launch& launch, unsigned slot) {
  const std::string number = "texture slot " + std::to_string(slot);
  if (launch.module != nullptr) {
    for (const TextureReference& reference : launch.module->textures) {
      if (reference.slot == slot) return number + " ('" + reference.name + "')";
    }
  }
  return number;
}

}  // namespace

TextureAccess& ExecutionStream::State::acquire_texture() {
  if (free_textures_.empty()) {
    textures_.push_back(std::make_unique<TextureAccess>());
    free_textures_.reserve(textures_.size());
    return *textures_.back();
  }
  TextureAccess& access = *free_textures_.back();
  free_textures_.pop_back();
  return access;
}

const Texture& ExecutionStream::State::bound_texture(const Warp& warp, const Operation& operation, unsigned slot,
                                                     LaneMask lanes) const {
  if (slot < launch_.textures.size() && launch_.textures[slot].bound()) return launch_.textures[slot];
  Diagnostic error = kernel_diagnostic(place(warp, operation, lanes), "KERNEL-TEXTURE",
                                       "nothing is bound to " + texture_name(launch_, slot), "");
  error.help = "bind an image with [[texture]] in the launch file (docs/launch-files.md)";
  throw_kernel_error(std::move(error));
}

void ExecutionStream::State::texture(Warp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const TextureDetails& details = instruction.texture();
  // CUDA of this generation has neither cube maps nor size queries.
  if (details.cube || details.operation == TextureOperation::size) refuse(warp, operation, executed);
  const Texture& texture = bound_texture(warp, operation, details.texture, executed);
  const bool own_sampler = details.sampler < launch_.textures.size() && launch_.textures[details.sampler].bound();
  const TextureSampler& sampler = own_sampler ? launch_.textures[details.sampler].sampler : texture.sampler;

  const unsigned given = details.coordinates - (details.has_extra_argument() ? 1U : 0U);
  TextureCoordinates coordinates;
  coordinates.integer = details.texel_fetch;
  coordinates.offset = offsets_of(details);
  for (unsigned axis = 0; axis < coordinates.axis.size(); ++axis) {
    coordinates.axis[axis] =
        axis < given ? register_row(warp, instruction.source[0].index + axis) : table_.fixed_rows.front().data();
  }
  MemoryAccess& access = acquire();
  TextureAccess& texels = acquire_texture();
  locate_texels(texture.image, sampler, coordinates, executed, texels);
  texels.result_mask = details.result_mask;
  access.kind = MemoryAccess::Kind::load;
  access.space = MemoryAccess::Space::texture;
  access.bytes = static_cast<std::uint8_t>(texture.image.format.bytes());
  access.lanes = executed;
  access.address = texels.address.front();
  access.texture = &texels;
  set_destination(operation, access);
  finish_access(warp, access, out);
}

/// Components go to consecutive registers.
void ExecutionStream::State::complete_texture(Warp& warp, MemoryAccess& access) {
  filter_texels(*access.texture, access.lanes, access.data);
  unsigned index = access.destination;
  for (unsigned component = 0; component < access.data.size(); ++component) {
    if ((access.texture->result_mask >> component & 1U) == 0) continue;
    if (index >= registers_) return;
    std::uint32_t* const row = aligned(warp.rows + index++ * warp_size);
    const std::uint32_t* const data = aligned(access.data[component].data());
    for (unsigned i = 0; i < warp_size; ++i) {
      const std::uint32_t mask = select_word(access.lanes, i);
      row[i] = (row[i] & ~mask) | (data[i] & mask);
    }
  }
}

}  // namespace teslasim
