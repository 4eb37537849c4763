// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/driver_textures.h"

#include <algorithm>

namespace teslasim::cudart {
namespace {

struct FormatRow {
  CUarray_format format;
  cudaChannelFormatKind kind;
  int bits;
};
constexpr std::array<FormatRow, 8> formats{{{CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
                                            {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
                                            {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
                                            {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
                                            {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
                                            {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
                                            {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
                                            {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32}}};

TextureSampler sampler_of(const DriverTexture& texture) {
  constexpr unsigned promoted_bits = 16;
  const TexelFormat& format = texture.state.bound.image.format;
  TextureSampler sampler;
  sampler.linear_filter = texture.filter == CU_TR_FILTER_MODE_LINEAR;
  sampler.normalised_coordinates = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  sampler.normalised_values = (texture.flags & CU_TRSF_READ_AS_INTEGER) == 0 &&
                              format.kind != TexelFormat::Kind::real && format.bits <= promoted_bits;
  for (std::size_t axis = 0; axis < sampler.address_mode.size(); ++axis) {
    const bool wrap = texture.address_mode[axis] == CU_TR_ADDRESS_MODE_WRAP && sampler.normalised_coordinates;
    sampler.address_mode[axis] = wrap ? TextureSampler::AddressMode::wrap : TextureSampler::AddressMode::clamp;
  }
  return sampler;
}

}  // namespace

cudaChannelFormatDesc channels_of(CUarray_format format, unsigned components) {
  const auto row =
      std::find_if(formats.begin(), formats.end(), [format](const FormatRow& one) { return one.format == format; });
  if (row == formats.end()) return {0, 0, 0, 0, cudaChannelFormatKindNone};
  const auto bits = [&](unsigned component) { return component < components ? row->bits : 0; };
  return {bits(0), bits(1), bits(2), bits(3), row->kind};
}

CUarray_format format_of(const TexelFormat& format) {
  const cudaChannelFormatKind kind = format.kind == TexelFormat::Kind::real             ? cudaChannelFormatKindFloat
                                     : format.kind == TexelFormat::Kind::signed_integer ? cudaChannelFormatKindSigned
                                                                                        : cudaChannelFormatKindUnsigned;
  const auto row = std::find_if(formats.begin(), formats.end(),
                                [&](const FormatRow& one) { return one.kind == kind && one.bits == format.bits; });
  return row->format;
}

std::size_t DriverTextures::add(std::size_t module, const Module& code, const std::string& name) {
  const auto named = [&name](const TextureReference& reference) { return reference.name == name; };
  if (std::none_of(code.textures.begin(), code.textures.end(), named)) return 0;
  for (std::size_t number = 1; number < textures_.size(); ++number) {
    const std::optional<DriverTexture>& known = textures_[number];
    if (known && known->module == module && known->state.name == name) return number;
  }
  DriverTexture texture;
  texture.module = module;
  texture.state.name = name;
  textures_.emplace_back(std::move(texture));
  return textures_.size() - 1;
}

std::size_t DriverTextures::add_free() {
  textures_.emplace_back(DriverTexture{});
  return textures_.size() - 1;
}

bool DriverTextures::remove_free(std::size_t number) {
  const DriverTexture* found = texture(number);
  if (found == nullptr || found->module != 0) return false;
  textures_[number].reset();
  return true;
}

DriverTexture* DriverTextures::texture(std::size_t number) {
  return number < textures_.size() && textures_[number] ? &*textures_[number] : nullptr;
}

std::vector<Texture> DriverTextures::bound(std::size_t module, const Module& code) const {
  std::vector<Texture> textures;
  for (const TextureReference& reference : code.textures) {
    textures.resize(std::max<std::size_t>(textures.size(), reference.slot + std::size_t{1}));
    Texture& texture = textures[reference.slot];
    texture.name = reference.name;
    for (const std::optional<DriverTexture>& one : textures_) {
      if (!one || one->module != module || one->state.name != reference.name) continue;
      texture.image = one->state.bound.image;
      texture.sampler = sampler_of(*one);
    }
  }
  return textures;
}

void DriverTextures::remove(std::size_t module) {
  for (std::optional<DriverTexture>& one : textures_) {
    if (one && one->module == module) one.reset();
  }
}

}  // namespace teslasim::cudart
