// SPDX-License-Identifier: Apache-2.0
#include "sim/run/texture_binding.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>

namespace teslasim {

namespace {

TexelFormat format_of(const TextureSpec& spec) {
  TexelFormat format;
  format.kind = TexelFormat::Kind::unsigned_integer;
  if (is_signed(spec.type)) format.kind = TexelFormat::Kind::signed_integer;
  if (spec.type == ValueType::f16 || spec.type == ValueType::f32) format.kind = TexelFormat::Kind::real;
  format.bits = static_cast<std::uint8_t>(8 * bytes_of(spec.type));
  format.components = static_cast<std::uint8_t>(spec.components);
  return format;
}

Texture texture_of(const TextureSpec& spec, Address address) {
  using AddressMode = TextureSampler::AddressMode;
  Texture texture;
  texture.name = spec.name;
  texture.image.address = address;
  texture.image.format = format_of(spec);
  texture.image.layout = spec.tiled ? TextureImage::Layout::tiled : TextureImage::Layout::linear;
  texture.image.dimensions = static_cast<std::uint8_t>(spec.dimensions);
  texture.image.size = spec.size;
  texture.image.pitch_bytes = spec.pitch_bytes;
  texture.sampler.linear_filter = spec.linear_filter;
  texture.sampler.normalised_coordinates = spec.normalised_coordinates;
  texture.sampler.normalised_values = spec.normalised_values;
  for (std::size_t axis = 0; axis < spec.wrap.size(); ++axis) {
    texture.sampler.address_mode[axis] = spec.wrap[axis] ? AddressMode::wrap : AddressMode::clamp;
  }
  return texture;
}

void place_tiled_image(const TextureImage& image, DeviceMemory& memory) {
  const unsigned bytes = image.format.bytes();
  const std::size_t texels = std::size_t{image.size[0]} * image.size[1] * image.size[2];
  std::vector<std::byte> rows(texels * bytes);
  std::memcpy(rows.data(), memory.at(image.address), rows.size());
  std::memset(memory.at(image.address), 0, image.bytes());
  const std::byte* source = rows.data();
  for (std::uint32_t z = 0; z < image.size[2]; ++z) {
    for (std::uint32_t y = 0; y < image.size[1]; ++y) {
      for (std::uint32_t x = 0; x < image.size[0]; ++x, source += bytes) {
        std::memcpy(memory.at(image.address) + image.offset(x, y, z), source, bytes);
      }
    }
  }
}

}  // namespace

std::vector<Texture> bound_textures(const LaunchSpec& launch, const std::vector<Address>& addresses) {
  std::vector<Texture> textures;
  for (const TextureSpec& spec : launch.textures) {
    textures.resize(std::max<std::size_t>(textures.size(), spec.slot + std::size_t{1}));
    textures[spec.slot] = texture_of(spec, addresses.at(spec.buffer));
  }
  return textures;
}

void place_tiled_images(const Workload& workload, const std::vector<Address>& addresses, DeviceMemory& memory) {
  std::set<std::size_t> placed;  // a texture of the top level is there once for all launches
  for (const LaunchSpec& launch : workload.launches) {
    for (const TextureSpec& spec : launch.textures) {
      if (!spec.tiled || !placed.insert(spec.buffer).second) continue;
      place_tiled_image(texture_of(spec, addresses.at(spec.buffer)).image, memory);
    }
  }
}

}  // namespace teslasim
