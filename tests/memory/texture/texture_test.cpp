// SPDX-License-Identifier: Apache-2.0
// From coordinates to texels and from texels to values, and the transactions in between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "memory/image/device_memory.h"
#include "memory/image/texture_access.h"
#include "memory/tpc/texture_segments.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using Kind = TexelFormat::Kind;
using AddressMode = TextureSampler::AddressMode;
using Values = std::array<std::array<std::uint32_t, warp_size>, 4>;

/// One texture in memory and one warp that reads it with the same coordinates in every lane.
class Bench {
 public:
  Bench(TexelFormat format, std::array<std::uint32_t, 3> size, unsigned dimensions,
        TextureImage::Layout layout = TextureImage::Layout::linear) {
    image.format = format;
    image.size = size;
    image.dimensions = static_cast<std::uint8_t>(dimensions);
    image.layout = layout;
    image.pitch_bytes = size[0] * format.bytes();
    image.address = memory_.allocate("image", "", image.bytes());
  }
  template <typename Element>
  Bench& fill(const std::vector<Element>& elements) {
    const unsigned bytes = image.format.bytes();
    const auto* source = reinterpret_cast<const std::byte*>(elements.data());
    for (std::uint32_t z = 0; z < image.size[2]; ++z) {
      for (std::uint32_t y = 0; y < image.size[1]; ++y) {
        for (std::uint32_t x = 0; x < image.size[0]; ++x, source += bytes) {
          std::memcpy(memory_.at(image.address + static_cast<Address>(image.offset(x, y, z))), source, bytes);
        }
      }
    }
    return *this;
  }
  void locate(const std::vector<std::vector<std::uint32_t>>& rows, bool integer, LaneMask lanes) {
    TextureCoordinates coordinates;
    coordinates.integer = integer;
    coordinates.offset = offset;
    for (std::size_t axis = 0; axis < rows.size(); ++axis) coordinates.axis[axis] = rows[axis].data();
    access.result_mask = 15;
    locate_texels(image, sampler, coordinates, lanes, access);
  }
  std::uint32_t integer_read(int x, int y = 0, int z = 0, unsigned component = 0) {
    const auto row = [](int v) { return std::vector<std::uint32_t>(warp_size, static_cast<std::uint32_t>(v)); };
    locate({row(x), row(y), row(z)}, true, 1);
    return result(component);
  }
  std::uint32_t bits(float x, float y = 0.5F, float z = 0.5F, unsigned component = 0) {
    const auto row = [](float v) { return std::vector<std::uint32_t>(warp_size, std::bit_cast<std::uint32_t>(v)); };
    locate({row(x), row(y), row(z)}, false, 1);
    return result(component);
  }
  float value(float x, float y = 0.5F, float z = 0.5F, unsigned component = 0) {
    return std::bit_cast<float>(bits(x, y, z, component));
  }

  TextureImage image;
  TextureSampler sampler;
  TextureAccess access;
  std::array<int, 3> offset{};

 private:
  std::uint32_t result(unsigned component) {
    fetch_texels(access, 1, {}, memory_);
    Values values{};
    filter_texels(access, 1, values);
    return values[component][0];
  }
  DeviceMemory memory_;
};

constexpr TexelFormat f32{Kind::real, 32, 1};
constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> ramp(unsigned size = 8) {
  std::vector<float> values(size);
  for (unsigned i = 0; i < size; ++i) values[i] = static_cast<float>(10 * i);
  return values;
}

TEST(Texture, point_sampling_takes_the_texel_that_contains_the_coordinate) {
  Bench bench(f32, {4, 1, 1}, 1);
  bench.fill<float>({1, 2, 3, 4});
  EXPECT_EQ(bench.value(0.0F), 1.0F);
  EXPECT_EQ(bench.value(0.99F), 1.0F);
  EXPECT_EQ(bench.value(1.0F), 2.0F);
  EXPECT_EQ(bench.value(3.999F), 4.0F);
}

TEST(Texture, clamping_repeats_the_border_texel_for_every_outside_coordinate) {
  Bench bench(f32, {4, 1, 1}, 1);
  bench.fill<float>({1, 2, 3, 4});
  for (const float x : {-0.1F, -1e30F, -infinity}) EXPECT_EQ(bench.value(x), 1.0F) << x;
  for (const float x : {4.0F, 5.5F, 1e30F, infinity}) EXPECT_EQ(bench.value(x), 4.0F) << x;
  EXPECT_EQ(bench.value(nan), 1.0F);
}

TEST(Texture, normalised_coordinates_span_the_image) {
  Bench bench(f32, {4, 1, 1}, 1);
  bench.fill<float>({1, 2, 3, 4}).sampler.normalised_coordinates = true;
  EXPECT_EQ(bench.value(0.0F), 1.0F);
  EXPECT_EQ(bench.value(0.25F), 2.0F);
  EXPECT_EQ(bench.value(0.999F), 4.0F);
  EXPECT_EQ(bench.value(1.0F), 4.0F);
}

TEST(Texture, wrapping_keeps_the_fraction) {
  Bench bench(f32, {4, 1, 1}, 1);
  bench.fill<float>({1, 2, 3, 4});
  bench.sampler.normalised_coordinates = true;
  bench.sampler.address_mode[0] = AddressMode::wrap;
  EXPECT_EQ(bench.value(1.0F), 1.0F);
  EXPECT_EQ(bench.value(1.25F), 2.0F);
  EXPECT_EQ(bench.value(-0.25F), 4.0F);
  EXPECT_EQ(bench.value(-7.0F), 1.0F);
  EXPECT_EQ(bench.value(-1e-30F), 1.0F) << "the fraction rounds to 1, which is the first texel again";
}

TEST(Texture, linear_filtering_interpolates_between_texel_centres) {
  Bench bench(f32, {8, 1, 1}, 1);
  bench.fill(ramp());
  bench.sampler.linear_filter = true;
  EXPECT_EQ(bench.value(0.5F), 0.0F) << "the centre of texel 0";
  EXPECT_EQ(bench.value(1.0F), 5.0F);
  EXPECT_EQ(bench.value(1.25F), 7.5F);
  EXPECT_EQ(bench.value(0.0F), 0.0F) << "clamped";
  EXPECT_EQ(bench.value(8.0F), 70.0F) << "clamped";
}

TEST(Texture, filter_weights_have_eight_fractional_bits) {
  Bench bench(f32, {8, 1, 1}, 1);
  bench.fill(ramp());
  bench.sampler.linear_filter = true;
  // 1/1024 of the way rounds down to weight 0, 3/1024 up to 1/256.
  EXPECT_EQ(bench.value(0.5F + 1.0F / 1024), 0.0F);
  EXPECT_EQ(bench.value(0.5F + 3.0F / 1024), 10.0F / 256);
  // Just before the next centre the weight is exactly 1.
  EXPECT_EQ(bench.value(1.5F - 1.0F / 4096), 10.0F);
}

TEST(Texture, filtering_wraps_around_the_edge) {
  Bench bench(f32, {8, 1, 1}, 1);
  bench.fill(ramp());
  bench.sampler.linear_filter = true;
  bench.sampler.normalised_coordinates = true;
  bench.sampler.address_mode[0] = AddressMode::wrap;
  EXPECT_EQ(bench.value(0.0F), 35.0F) << "half way between texels 7 and 0";
}

TEST(Texture, an_infinity_with_weight_zero_does_no_harm) {
  Bench bench(f32, {2, 1, 1}, 1);
  bench.fill<float>({1.0F, infinity}).sampler.linear_filter = true;
  EXPECT_EQ(bench.value(0.5F), 1.0F);
  EXPECT_EQ(bench.value(1.0F), infinity);
}

TEST(Texture, filtering_in_two_and_three_dimensions) {
  Bench plane(f32, {2, 2, 1}, 2);
  plane.fill<float>({0, 1, 2, 3}).sampler.linear_filter = true;
  EXPECT_EQ(plane.value(1.0F, 1.0F), 1.5F);
  EXPECT_EQ(plane.value(0.75F, 1.25F), 0.25F + 1.5F);
  Bench cube(f32, {2, 2, 2}, 3);
  cube.fill<float>({0, 1, 2, 3, 4, 5, 6, 7}).sampler.linear_filter = true;
  EXPECT_EQ(cube.value(1.0F, 1.0F, 1.0F), 3.5F);
  EXPECT_EQ(cube.value(1.5F, 0.5F, 1.0F), 3.0F);
  EXPECT_EQ(cube.access.texels, 8);
}

TEST(Texture, integer_coordinates_read_zero_outside) {
  Bench bench(f32, {4, 1, 1}, 1);
  bench.fill<float>({1, 2, 3, 4}).sampler.linear_filter = true;
  EXPECT_EQ(std::bit_cast<float>(bench.integer_read(3)), 4.0F) << "never filtered";
  EXPECT_EQ(bench.integer_read(4), 0U);
  EXPECT_EQ(bench.integer_read(-1), 0U);
  EXPECT_EQ(bench.integer_read(std::numeric_limits<int>::min()), 0U);
  bench.offset[0] = -1;
  EXPECT_EQ(std::bit_cast<float>(bench.integer_read(4)), 4.0F) << "texel offsets count first";
}

TEST(Texture, unfiltered_words_pass_bit_for_bit) {
  Bench bench(f32, {2, 1, 1}, 1);
  bench.fill<std::uint32_t>({0xffc12345U, 0x00000001U});
  EXPECT_EQ(bench.bits(0.5F), 0xffc12345U);
  EXPECT_EQ(bench.bits(1.5F), 0x00000001U);
}

TEST(Texture, integers_are_extended) {
  Bench bytes({Kind::signed_integer, 8, 4}, {1, 1, 1}, 1);
  bytes.fill<std::int8_t>({-1, 2, -128, 127});
  for (const auto& [component, want] : {std::pair{0U, -1}, {1U, 2}, {2U, -128}, {3U, 127}}) {
    EXPECT_EQ(static_cast<std::int32_t>(bytes.bits(0.5F, 0.5F, 0.5F, component)), want);
  }
  Bench halves({Kind::unsigned_integer, 16, 2}, {2, 1, 1}, 1);
  halves.fill<std::uint16_t>({1, 0xffff, 3, 4});
  EXPECT_EQ(halves.bits(0.5F, 0.5F, 0.5F, 1), 0xffffU);
  EXPECT_EQ(halves.bits(1.5F, 0.5F, 0.5F, 1), 4U);
  EXPECT_EQ(halves.bits(1.5F, 0.5F, 0.5F, 2), 0U) << "no such component";
}

TEST(Texture, normalised_values_map_the_type_to_the_unit_interval) {
  Bench bytes({Kind::unsigned_integer, 8, 1}, {2, 1, 1}, 1);
  bytes.fill<std::uint8_t>({255, 51}).sampler.normalised_values = true;
  EXPECT_EQ(bytes.value(0.5F), 1.0F);
  EXPECT_EQ(bytes.value(1.5F), 0.2F);
  bytes.sampler.linear_filter = true;
  EXPECT_EQ(bytes.value(1.0F), 0.6F);
  Bench words({Kind::signed_integer, 16, 1}, {3, 1, 1}, 1);
  words.fill<std::int16_t>({-32768, -32767, 32767}).sampler.normalised_values = true;
  EXPECT_EQ(words.value(0.5F), -1.0F);
  EXPECT_EQ(words.value(1.5F), -1.0F);
  EXPECT_EQ(words.value(2.5F), 1.0F);
}

TEST(Texture, half_precision_is_widened) {
  Bench bench({Kind::real, 16, 1}, {6, 1, 1}, 1);
  bench.fill<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7c00, 0x7e00, 0x7bff});
  EXPECT_EQ(bench.value(0.5F), 1.0F);
  EXPECT_EQ(bench.value(1.5F), -2.0F);
  EXPECT_EQ(bench.value(2.5F), 0x1p-24F);
  EXPECT_EQ(bench.value(3.5F), infinity);
  EXPECT_EQ(bench.bits(4.5F), 0x7fffffffU);
  EXPECT_EQ(bench.value(5.5F), 65504.0F);
}

TEST(Texture, a_tiled_image_is_a_row_of_rows_of_256_byte_tiles) {
  TextureImage image;
  image.format = f32;
  image.layout = TextureImage::Layout::tiled;
  image.size = {40, 6, 2};  // 3 tiles across (160 bytes), 2 down
  image.dimensions = 3;
  EXPECT_EQ(image.offset(15, 0, 0), 60U);
  EXPECT_EQ(image.offset(16, 0, 0), 256U);
  EXPECT_EQ(image.offset(0, 1, 0), 64U);
  EXPECT_EQ(image.offset(0, 4, 0), 3 * 256U);
  EXPECT_EQ(image.offset(0, 0, 1), 6 * 256U);
  EXPECT_EQ(image.bytes(), 12 * 256U);
}

TEST(Texture, layouts_hold_the_same_image) {
  std::vector<float> values(std::size_t{20} * 10);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  Bench linear(f32, {20, 10, 1}, 2);
  Bench tiled(f32, {20, 10, 1}, 2, TextureImage::Layout::tiled);
  linear.fill(values).sampler.linear_filter = true;
  tiled.fill(values).sampler.linear_filter = true;
  for (float y = 0.3F; y < 10; y += 0.9F) {
    for (float x = 0.1F; x < 20; x += 0.7F) EXPECT_EQ(linear.bits(x, y), tiled.bits(x, y)) << x << ' ' << y;
  }
}

TEST(TextureSegments, lanes_of_a_half_warp_share_pieces) {
  Bench bench(f32, {64, 1, 1}, 1);
  std::vector<std::uint32_t> x(warp_size);
  for (unsigned i = 0; i < warp_size; ++i) x[i] = i;
  bench.locate({x}, true, all_lanes);
  std::array<CoalescedTransaction, max_texture_segments> out;
  ASSERT_EQ(texture_segments(bench.access, all_lanes, out), 4U);
  const Address base = bench.image.address;
  EXPECT_EQ(out[0], (CoalescedTransaction{base, 32, 0x000000ffU}));
  EXPECT_EQ(out[1], (CoalescedTransaction{base + 32, 32, 0x0000ff00U}));
  EXPECT_EQ(out[3], (CoalescedTransaction{base + 96, 32, 0xff000000U}));
}

TEST(TextureSegments, a_filtered_read_may_need_several_pieces_for_one_lane) {
  Bench bench(f32, {16, 2, 1}, 2);
  bench.sampler.linear_filter = true;
  const std::vector<std::uint32_t> x(warp_size, std::bit_cast<std::uint32_t>(8.0F));
  const std::vector<std::uint32_t> y(warp_size, std::bit_cast<std::uint32_t>(1.0F));
  bench.locate({x, y}, false, 1);
  std::array<CoalescedTransaction, max_texture_segments> out;
  EXPECT_EQ(texture_segments(bench.access, 1, out), 4U) << "texels 7 and 8 of both rows";
}

TEST(TextureSegments, serving_the_pieces_one_by_one_gives_the_same_value) {
  DeviceMemory memory;
  TextureImage image;
  image.format = f32;
  image.dimensions = 1;
  image.size = {64, 1, 1};
  image.pitch_bytes = 256;
  image.address = memory.allocate("image", "f32", 256);
  for (unsigned i = 0; i < 64; ++i) {
    const auto value = static_cast<float>(i * i);
    std::memcpy(memory.at(image.address + 4 * i), &value, 4);
  }
  TextureSampler sampler;
  sampler.linear_filter = true;
  std::vector<std::uint32_t> x(warp_size);
  for (unsigned i = 0; i < warp_size; ++i) x[i] = std::bit_cast<std::uint32_t>(1.75F * static_cast<float>(i));
  TextureCoordinates coordinates;
  coordinates.axis[0] = x.data();
  TextureAccess whole, pieces;
  whole.result_mask = pieces.result_mask = 1;
  locate_texels(image, sampler, coordinates, all_lanes, whole);
  locate_texels(image, sampler, coordinates, all_lanes, pieces);
  fetch_texels(whole, all_lanes, {}, memory);
  std::array<CoalescedTransaction, max_texture_segments> out;
  const unsigned n = texture_segments(pieces, all_lanes, out);
  for (unsigned i = 0; i < n; ++i) {
    fetch_texels(pieces, out[i].lanes, {out[i].address, std::uint64_t{out[i].address} + out[i].bytes}, memory);
  }
  Values want{}, got{};
  filter_texels(whole, all_lanes, want);
  filter_texels(pieces, all_lanes, got);
  EXPECT_EQ(got[0], want[0]);
}

}  // namespace
}  // namespace teslasim
