// SPDX-License-Identifier: Apache-2.0
#include "tests/frontend/cuda/host_primitives.h"

#include <bit>
#include <cmath>

#include "frontend/cuda/primitives.h"
#include "isa/semantics/special_lane.h"

namespace {

using teslasim::Opcode;
using teslasim::device_library_test::flushed;
using teslasim::device_library_test::MadKind;

thread_local MadKind mad_kind = MadKind::truncating;

float special(Opcode opcode, float operand) {
  return std::bit_cast<float>(teslasim::semantics::special_lane(opcode, std::bit_cast<std::uint32_t>(operand)));
}
float special_after(Opcode reduction, Opcode opcode, float operand) {
  const std::uint32_t fixed = teslasim::semantics::special_lane(reduction, std::bit_cast<std::uint32_t>(operand));
  return std::bit_cast<float>(teslasim::semantics::special_lane(opcode, fixed));
}

/// The product cut to 24 bits; two floats multiply exactly in double.
float cut_product(float a, float b) {
  constexpr std::uint64_t bits_of_float = ~((std::uint64_t{1} << 29U) - 1);
  const double product = static_cast<double>(a) * static_cast<double>(b);
  if (!std::isfinite(product)) return static_cast<float>(product);
  const double cut = std::bit_cast<double>(std::bit_cast<std::uint64_t>(product) & bits_of_float);
  return flushed(static_cast<float>(cut));
}

}  // namespace

namespace teslasim::device_library_test {

MadChoice::MadChoice(MadKind kind) {
  mad_kind = kind;
}
MadChoice::~MadChoice() {
  mad_kind = MadKind::truncating;
}

float flushed(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return (bits & 0x7f800000U) != 0 ? value : std::bit_cast<float>(bits & 0x80000000U);
}

}  // namespace teslasim::device_library_test

namespace teslasim_device {

float hardware_add(float a, float b) {
  return flushed(flushed(a) + flushed(b));
}
float hardware_multiply(float a, float b) {
  return flushed(flushed(a) * flushed(b));
}
float hardware_mad(float a, float b, float c) {
  if (mad_kind == MadKind::separate) return hardware_add(hardware_multiply(a, b), c);
  return flushed(cut_product(flushed(a), flushed(b)) + flushed(c));
}
float hardware_reciprocal(float a) {
  return special(Opcode::rcp, a);
}
float hardware_reciprocal_root(float a) {
  return special(Opcode::rsqrt, a);
}
float hardware_log2(float a) {
  return special(Opcode::lg2, a);
}
float hardware_exp2(float a) {
  return special_after(Opcode::preex2, Opcode::ex2, a);
}
float hardware_sine(float a) {
  return special_after(Opcode::presin, Opcode::sin, a);
}
float hardware_cosine(float a) {
  return special_after(Opcode::presin, Opcode::cos, a);
}
double hardware_fma(double a, double b, double c) {
  return std::fma(a, b, c);
}

}  // namespace teslasim_device
