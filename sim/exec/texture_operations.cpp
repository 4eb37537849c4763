// SPDX-License-Identifier: Apache-2.0
#include "sim/exec/texture_operations.h"

#include <string>
#include <utility>

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

[[noreturn]] void refuse(const FaultPlace& place) {
  throw_kernel_error(kernel_diagnostic(
      place, "KERNEL-UNSUPPORTED",
      "this simulator does not execute '" + std::string(place.instruction->row().mnemonic) + "' yet", ""));
}

}  // namespace

const Texture& TextureOperations::bound_texture(const ResidentWarp& warp, const Operation& operation, unsigned slot,
                                                LaneMask lanes) const {
  if (slot < context_.launch.textures.size() && context_.launch.textures[slot].bound())
    return context_.launch.textures[slot];
  Diagnostic error = kernel_diagnostic(fault_place(context_, warp, operation, lanes), "KERNEL-TEXTURE",
                                       "nothing is bound to " + texture_name(context_.launch, slot), "");
  error.help =
      "bind an image: with [[texture]] in a launch file (docs/launch-files.md), with cudaBindTexture, "
      "cudaBindTexture2D or cudaBindTextureToArray before the launch in a CUDA program";
  throw_kernel_error(std::move(error));
}

void TextureOperations::read(ResidentWarp& warp, const Operation& operation, LaneMask executed, WarpInst& out) {
  const Instruction& instruction = *operation.instruction;
  const TextureDetails& details = instruction.texture();
  // CUDA of this generation has neither cube maps nor size queries.
  if (details.cube || details.operation == TextureOperation::size)
    refuse(fault_place(context_, warp, operation, executed));
  const Texture& texture = bound_texture(warp, operation, details.texture, executed);
  const bool own_sampler =
      details.sampler < context_.launch.textures.size() && context_.launch.textures[details.sampler].bound();
  const TextureSampler& sampler = own_sampler ? context_.launch.textures[details.sampler].sampler : texture.sampler;

  const unsigned given = details.coordinates - (details.has_extra_argument() ? 1U : 0U);
  TextureCoordinates coordinates;
  coordinates.integer = details.texel_fetch;
  coordinates.offset = offsets_of(details);
  for (unsigned axis = 0; axis < coordinates.axis.size(); ++axis) {
    coordinates.axis[axis] = axis < given ? register_row(context_, warp, instruction.source[0].index + axis)
                                          : context_.table.fixed_rows.front().data();
  }
  MemoryAccess& access = pool_.acquire();
  TextureAccess& texels = pool_.acquire_texture();
  locate_texels(texture.image, sampler, coordinates, executed, texels);
  texels.result_mask = details.result_mask;
  access.kind = MemoryAccess::Kind::load;
  access.space = MemoryAccess::Space::texture;
  access.bytes = static_cast<std::uint8_t>(texture.image.format.bytes());
  access.lanes = executed;
  access.address = texels.address.front();
  access.texture = &texels;
  AccessPool::set_destination(operation, access);
  pool_.send(warp, access, out);
}

}  // namespace teslasim
