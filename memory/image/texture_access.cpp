// SPDX-License-Identifier: Apache-2.0
#include "memory/image/texture_access.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "memory/image/device_memory.h"
#include "memory/image/word_copies.h"
#include "sim/base/each_lane.h"

namespace teslasim {

namespace {

constexpr unsigned word_bytes = 4;
constexpr int weight_one = 256;  ///< eight fractional bits
constexpr std::uint32_t quiet_nan = 0x7fffffffU;

/// One coordinate on one axis: the texel, and how far the sample lies towards the next.
struct Position {
  std::int64_t index = 0;
  int weight = 0;
};

/// `scaled` is in texels. Values beyond the image are brought near its edges, where clamping gives the same texel.
Position position_of(double scaled, std::uint32_t size, bool filtered) {
  constexpr double margin = 2.0;
  scaled = std::clamp(scaled, -margin, static_cast<double>(size) + margin);
  if (!filtered) return {static_cast<std::int64_t>(std::floor(scaled)), 0};
  const double corner = scaled - 0.5;
  const double whole = std::floor(corner);
  const int weight = static_cast<int>(std::floor((corner - whole) * weight_one + 0.5));
  return {static_cast<std::int64_t>(whole), weight};
}

double in_texels(std::uint32_t bits, std::uint32_t size, const TextureSampler& sampler, unsigned axis) {
  double value = static_cast<double>(std::bit_cast<float>(bits));
  if (std::isnan(value)) return 0.0;
  if (!sampler.normalised_coordinates) return value;
  if (sampler.address_mode[axis] == TextureSampler::AddressMode::wrap) {
    if (std::isinf(value)) return 0.0;
    value -= std::floor(value);
  }
  return value * static_cast<double>(size);
}

std::uint32_t resolved(std::int64_t index, std::uint32_t size, TextureSampler::AddressMode mode) {
  const auto count = static_cast<std::int64_t>(size);
  if (mode == TextureSampler::AddressMode::clamp)
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(index, 0, count - 1));
  const std::int64_t rest = index % count;
  return static_cast<std::uint32_t>(rest < 0 ? rest + count : rest);
}

std::uint32_t address_at(const TextureImage& image, const std::array<std::uint32_t, 3>& at) {
  return image.address + static_cast<std::uint32_t>(image.offset(at[0], at[1], at[2]));
}

void locate_by_number(const TextureImage& image, const TextureCoordinates& coordinates, unsigned lane,
                      TextureAccess& access) {
  std::array<std::uint32_t, 3> at{};
  bool inside = true;
  for (unsigned axis = 0; axis < image.dimensions; ++axis) {
    const std::int64_t index =
        std::int64_t{static_cast<std::int32_t>(coordinates.axis[axis][lane])} + coordinates.offset[axis];
    inside = inside && index >= 0 && index < std::int64_t{image.size[axis]};
    at[axis] = inside ? static_cast<std::uint32_t>(index) : 0U;
  }
  if (!inside) {
    access.inside &= ~(LaneMask{1} << lane);
    at = {};
  }
  access.address[0][lane] = address_at(image, at);
}

void locate_by_sample(const TextureImage& image, const TextureSampler& sampler, const TextureCoordinates& coordinates,
                      unsigned lane, TextureAccess& access) {
  std::array<std::array<std::uint32_t, 2>, 3> steps{};  // [axis][0 or 1 step further]
  for (unsigned axis = 0; axis < image.dimensions; ++axis) {
    const std::uint32_t size = image.size[axis];
    const Position position =
        position_of(in_texels(coordinates.axis[axis][lane], size, sampler, axis), size, sampler.linear_filter);
    const std::int64_t index = position.index + coordinates.offset[axis];
    steps[axis] = {resolved(index, size, sampler.address_mode[axis]),
                   resolved(index + 1, size, sampler.address_mode[axis])};
    access.weight[axis][lane] = static_cast<std::uint16_t>(position.weight);
  }
  for (unsigned texel = 0; texel < access.texels; ++texel) {
    access.address[texel][lane] =
        address_at(image, {steps[0][texel & 1U], steps[1][texel >> 1U & 1U], steps[2][texel >> 2U & 1U]});
  }
}

/// A number of `bits` bits from `position` on in a texel.
std::uint32_t component_bits(const TextureAccess& access, unsigned texel, unsigned component, unsigned lane) {
  const unsigned bits = access.format.bits;
  const unsigned position = component * bits;
  const std::uint32_t word = access.raw[texel][position / 32][lane];
  return bits == 32 ? word : word >> position % 32 & ((1U << bits) - 1U);
}

double half_value(std::uint32_t bits) {
  constexpr std::uint32_t exponent_mask = 0x1fU;
  constexpr std::uint32_t fraction_mask = 0x3ffU;
  const std::uint32_t exponent = bits >> 10U & exponent_mask;
  const auto fraction = static_cast<double>(bits & fraction_mask);
  const double sign = (bits & 0x8000U) != 0 ? -1.0 : 1.0;
  if (exponent == exponent_mask) return fraction != 0.0 ? std::nan("") : sign * HUGE_VAL;
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(fraction + 1024.0, static_cast<int>(exponent) - 25);
}

std::int32_t sign_extended(std::uint32_t value, unsigned bits) {
  const unsigned unused = 32 - bits;
  return static_cast<std::int32_t>(value << unused) >> unused;
}

/// The numerator of a component's value: what filtering adds up.
double number_of(const TextureAccess& access, unsigned texel, unsigned component, unsigned lane) {
  const std::uint32_t bits = component_bits(access, texel, component, lane);
  switch (access.format.kind) {
    case TexelFormat::Kind::unsigned_integer:
      return static_cast<double>(bits);
    case TexelFormat::Kind::signed_integer: {
      const double lowest = -static_cast<double>((1U << (access.format.bits - 1U)) - 1U);
      return std::max(static_cast<double>(sign_extended(bits, access.format.bits)), lowest);
    }
    case TexelFormat::Kind::real:
      break;
  }
  return access.format.bits == 16 ? half_value(bits) : static_cast<double>(std::bit_cast<float>(bits));
}

/// What the numerator 1.0 of the value stands for.
double denominator_of(const TextureAccess& access) {
  switch (access.format.kind) {
    case TexelFormat::Kind::unsigned_integer:
      return static_cast<double>((std::uint64_t{1} << access.format.bits) - 1U);
    case TexelFormat::Kind::signed_integer:
      return static_cast<double>((std::uint64_t{1} << (access.format.bits - 1U)) - 1U);
    case TexelFormat::Kind::real:
      break;
  }
  return 1.0;
}

std::uint32_t bits_of(double value) {
  if (std::isnan(value)) return quiet_nan;
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

/// Texels of weight 0 do not take part, so that an infinity beside the sample does no harm.
std::uint32_t filtered_value(const TextureAccess& access, unsigned component, unsigned lane) {
  double sum = 0.0;
  double one = denominator_of(access);
  for (unsigned steps = access.texels; steps > 1; steps /= 2) one *= weight_one;
  for (unsigned texel = 0; texel < access.texels; ++texel) {
    int weight = 1;
    for (unsigned axis = 0; 1U << axis < access.texels; ++axis) {
      const int further = access.weight[axis][lane];
      weight *= (texel >> axis & 1U) != 0 ? further : weight_one - further;
    }
    if (weight != 0) sum += weight * number_of(access, texel, component, lane);
  }
  return bits_of(sum / one);
}

std::uint32_t unfiltered_value(const TextureAccess& access, unsigned component, unsigned lane) {
  if (access.normalised_values) return filtered_value(access, component, lane);
  const std::uint32_t bits = component_bits(access, 0, component, lane);
  if (access.format.kind == TexelFormat::Kind::real) return access.format.bits == 32 ? bits : bits_of(half_value(bits));
  if (access.format.kind == TexelFormat::Kind::signed_integer)
    return static_cast<std::uint32_t>(sign_extended(bits, access.format.bits));
  return bits;
}

}  // namespace

std::uint64_t TextureImage::offset(std::uint32_t x, std::uint32_t y, std::uint32_t z) const {
  constexpr std::uint64_t tile_width = 64;
  constexpr std::uint64_t tile_height = 4;
  const std::uint64_t byte = std::uint64_t{x} * format.bytes();
  if (layout == Layout::linear) return (std::uint64_t{z} * size[1] + y) * pitch_bytes + byte;
  const std::uint64_t tiles_across = (std::uint64_t{size[0]} * format.bytes() + tile_width - 1) / tile_width;
  const std::uint64_t tiles_down = (size[1] + tile_height - 1) / tile_height;
  const std::uint64_t tile = (z * tiles_down + y / tile_height) * tiles_across + byte / tile_width;
  return (tile * tile_height + y % tile_height) * tile_width + byte % tile_width;
}

std::uint64_t TextureImage::bytes() const {
  if (layout == Layout::linear) return offset(size[0] - 1, size[1] - 1, size[2] - 1) + format.bytes();
  constexpr std::uint64_t tile_bytes = 256;
  return (offset(size[0] - 1, size[1] - 1, size[2] - 1) / tile_bytes + 1) * tile_bytes;
}

void locate_texels(const TextureImage& image, const TextureSampler& sampler, const TextureCoordinates& coordinates,
                   LaneMask lanes, TextureAccess& access) {
  access.format = image.format;
  access.normalised_values = sampler.normalised_values;
  access.linear = image.layout == TextureImage::Layout::linear;
  access.inside = lanes;
  const bool filtered = sampler.linear_filter && !coordinates.integer;
  access.texels = static_cast<std::uint8_t>(filtered ? 1U << image.dimensions : 1U);
  for_each_lane(lanes, [&](unsigned lane) {
    if (coordinates.integer) {
      locate_by_number(image, coordinates, lane, access);
    } else {
      locate_by_sample(image, sampler, coordinates, lane, access);
    }
  });
}

void fetch_texels(TextureAccess& access, LaneMask lanes, const AddressRange& range, const DeviceMemory& memory) {
  const unsigned bytes = access.format.bytes();
  for_each_lane(lanes & access.inside, [&](unsigned lane) {
    for (unsigned texel = 0; texel < access.texels; ++texel) {
      const std::uint32_t address = access.address[texel][lane];
      if (address < range.begin || address >= range.end) continue;
      for (unsigned word = 0; word * word_bytes < bytes; ++word) {
        std::uint32_t value = 0;
        // Blocks on other threads may write what a texture shows; see SharedWords.
        SharedWords::load(&value, memory.at(address) + word * word_bytes, std::min(word_bytes, bytes));
        access.raw[texel][word][lane] = value;
      }
    }
  });
}

void filter_texels(const TextureAccess& access, LaneMask lanes,
                   std::array<std::array<std::uint32_t, warp_size>, 4>& values) {
  for (unsigned component = 0; component < values.size(); ++component) {
    if ((access.result_mask >> component & 1U) == 0) continue;
    const bool exists = component < access.format.components;
    for_each_lane(lanes, [&](unsigned lane) {
      std::uint32_t value = 0;
      if (exists && (access.inside >> lane & 1U) != 0) {
        value =
            access.texels == 1 ? unfiltered_value(access, component, lane) : filtered_value(access, component, lane);
      }
      values[component][lane] = value;
    });
  }
}

}  // namespace teslasim
