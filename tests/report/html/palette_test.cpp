// SPDX-License-Identifier: Apache-2.0
// Colours of the groups of reasons: told apart with every kind of colour vision.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

#include "sim/report/html/sections.h"

namespace teslasim {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

/// Linear light as people without one kind of cones see it (Machado, Oliveira and Fernandes 2009, severity 1).
constexpr std::array<Matrix, 4> visions{{
    {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
    {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
    {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
    {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}};

Triple linear_light(std::string_view color) {
  Triple light{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double value =
        static_cast<double>(std::strtol(std::string(color.substr(1 + 2 * i, 2)).c_str(), nullptr, 16)) / 255;
    light[i] = value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  }
  return light;
}

Triple product(const Matrix& matrix, const Triple& vector) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) result[i] += matrix[i][k] * vector[k];
    result[i] = std::min(1.0, std::max(0.0, result[i]));
  }
  return result;
}

/// CIE L*a*b* (1976), white point D65.
Triple lab(const Triple& light) {
  constexpr Matrix to_xyz{{{0.4124, 0.3576, 0.1805}, {0.2126, 0.7152, 0.0722}, {0.0193, 0.1192, 0.9505}}};
  constexpr Triple white{0.95047, 1.0, 1.08883};
  const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
  Triple xyz{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) xyz[i] += to_xyz[i][k] * light[k];
    xyz[i] = root(xyz[i] / white[i]);
  }
  return {116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
}

double difference(const Triple& a, const Triple& b) {
  return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

TEST(Palette, groups_are_told_apart_with_every_kind_of_colour_vision) {
  constexpr std::array groups{SlotReason::issued,     SlotReason::replay_shared_bank, SlotReason::dep_alu,
                              SlotReason::mem_global, SlotReason::sync_barrier,       SlotReason::pipe_sp,
                              SlotReason::fetch,      SlotReason::empty_tail};
  constexpr double clearly = 25;  // ten times what one just sees side by side
  for (const Matrix& vision : visions) {
    for (const SlotReason a : groups) {
      for (const SlotReason b : groups) {
        if (a == b) continue;
        const Triple left = lab(product(vision, linear_light(color_of(a))));
        EXPECT_GT(difference(left, lab(product(vision, linear_light(color_of(b))))), clearly)
            << slot_reasons[static_cast<unsigned>(a)].name << " and " << slot_reasons[static_cast<unsigned>(b)].name;
      }
    }
  }
}

TEST(Palette, every_reason_has_a_colour) {
  for (unsigned i = 0; i < slot_reason_count; ++i) EXPECT_EQ(color_of(static_cast<SlotReason>(i)).size(), 7U);
}

}  // namespace
}  // namespace teslasim
