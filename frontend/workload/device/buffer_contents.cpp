// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/device/buffer_contents.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>

#include "frontend/workload/device/element.h"
#include "frontend/workload/device/npy.h"
#include "frontend/workload/device/pcg32.h"
#include "frontend/workload/references/lattice.h"
#include "sim/base/command_files.h"

namespace teslasim {

namespace {

constexpr double two_to_32 = 4294967296.0;
constexpr double two_to_64 = two_to_32 * two_to_32;

[[noreturn]] void fail(const std::string& path, const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = "LAUNCH-FILE";
  diagnostic.message = message;
  diagnostic.where.file = path;
  diagnostic.help = "the file was readable when the run began: has it been changed since?";
  throw InputError(ExitCode::configuration, diagnostic);
}

/// 0 <= u < 1: 24 random bits for f32, 53 for f64.
template <class Real>
double random_unit(Pcg32& generator) {
  constexpr double two_to_minus_24 = 0x1p-24, two_to_minus_53 = 0x1p-53;
  if constexpr (std::is_same_v<Real, float>) return static_cast<double>(generator.next() >> 8U) * two_to_minus_24;
  return static_cast<double>(generator.next64() >> 11U) * two_to_minus_53;
}

/// low + (high - low) * u, never `high` itself after rounding. A loop for each type: buffers of millions are usual.
template <class Real>
void fill_random_reals(const BufferSpec& buffer, Pcg32& shared_generator, std::span<std::byte> target) {
  Pcg32 generator = shared_generator;
  const double low = buffer.low, high = buffer.high;
  for (std::size_t place = 0; place < target.size(); place += sizeof(Real)) {
    auto value = static_cast<Real>(low + (high - low) * random_unit<Real>(generator));
    if (static_cast<double>(value) >= high) value = static_cast<Real>(low);
    std::memcpy(target.data() + place, &value, sizeof value);
  }
  shared_generator = generator;
}

/// Bits 127:64 of the product.
std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t a_low = a & 0xffffffffU, a_high = a >> 32U;
  const std::uint64_t b_low = b & 0xffffffffU, b_high = b >> 32U;
  const std::uint64_t middle = a_high * b_low + ((a_low * b_low) >> 32U);
  const std::uint64_t carry = a_low * b_high + (middle & 0xffffffffU);
  return a_high * b_high + (middle >> 32U) + (carry >> 32U);
}

std::uint64_t random_integer(const BufferSpec& buffer, Pcg32& generator) {
  const double values = buffer.high - buffer.low;
  const auto low = static_cast<std::uint64_t>(static_cast<std::int64_t>(buffer.low));
  if (values <= two_to_32) return low + generator.below(static_cast<std::uint64_t>(values));
  const std::uint64_t draw = generator.next64();
  return values >= two_to_64 ? low + draw : low + multiply_high(draw, static_cast<std::uint64_t>(values));
}

/// The next elements of the sequence of `generator`.
void fill_random(const BufferSpec& buffer, Pcg32& generator, std::span<std::byte> target) {
  if (buffer.type == ValueType::f32) return fill_random_reals<float>(buffer, generator, target);
  if (buffer.type == ValueType::f64) return fill_random_reals<double>(buffer, generator, target);
  const unsigned bytes = bytes_of(buffer.type);
  for (std::size_t place = 0; place < target.size(); place += bytes)
    write_integer(buffer.type, random_integer(buffer, generator), &target[place]);
}

void fill_iota(const BufferSpec& buffer, std::uint64_t first, std::span<std::byte> target) {
  const unsigned bytes = bytes_of(buffer.type);
  for (std::size_t place = 0; place < target.size(); place += bytes, ++first) {
    if (is_real(buffer.type)) {
      write_real(buffer.type, static_cast<double>(first), &target[place]);
    } else {
      write_integer(buffer.type, first, &target[place]);
    }
  }
}

void fill_constant(const BufferSpec& buffer, std::span<std::byte> target) {
  const unsigned bytes = bytes_of(buffer.type);
  for (std::size_t place = 0; place < target.size(); place += bytes) {
    write_number(buffer.type, buffer.value, &target[place]);
  }
}

/// The elements from number `first` on; `generator` has made those before. `target` is zero, or an earlier piece of the
/// same buffer. False: this initialiser makes a buffer as a whole only.
bool fill_piece(const BufferSpec& buffer, std::uint64_t first, Pcg32& generator, std::span<std::byte> target) {
  switch (buffer.initialiser) {
    case BufferSpec::Initialiser::zero:
      return true;
    case BufferSpec::Initialiser::iota:
      fill_iota(buffer, first, target);
      return true;
    case BufferSpec::Initialiser::random:
      fill_random(buffer, generator, target);
      return true;
    case BufferSpec::Initialiser::constant:
      fill_constant(buffer, target);
      return true;
    default:
      return false;
  }
}

/// One cycle through the elements 0, stride, 2*stride...: Sattolo's shuffle makes a permutation that is a single cycle.
void fill_permutation(const BufferSpec& buffer, std::span<std::byte> target) {
  const std::uint64_t stops = (buffer.count + buffer.stride - 1) / buffer.stride;
  std::vector<std::uint32_t> next(stops);
  std::iota(next.begin(), next.end(), 0U);
  Pcg32 generator(buffer.seed);
  for (std::uint64_t i = stops; i-- > 1;) std::swap(next[i], next[generator.below(i)]);
  const unsigned bytes = bytes_of(buffer.type);
  for (std::uint64_t i = 0; i < stops; ++i) {
    write_integer(buffer.type, next[i] * buffer.stride, &target[i * buffer.stride * bytes]);
  }
}

void fill_words(const std::optional<std::vector<std::uint32_t>>& words, std::span<std::byte> target) {
  SIM_CHECK(words && words->size() * sizeof(std::uint32_t) == target.size(), "the size of a lattice was checked");
  std::memcpy(target.data(), words->data(), target.size());
}

}  // namespace

std::vector<std::byte> read_elements(const std::string& path, ValueType type, std::uint64_t count) {
  std::uint64_t offset = 0;
  if (path.ends_with(".npy")) {
    const std::variant<NpyHeader, NpyProblem> result = inspect_npy(path);
    if (const auto* problem = std::get_if<NpyProblem>(&result)) fail(path, problem->text);
    offset = std::get<NpyHeader>(result).data_offset;
  }
  note_input(path);
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(offset));
  std::vector<std::byte> bytes(count * bytes_of(type));
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!file && !bytes.empty()) fail(path, "the data of the file cannot be read");
  return bytes;
}

void write_initial_contents(const BufferSpec& buffer, std::span<std::byte> target) {
  SIM_CHECK(target.size() == buffer.count * bytes_of(buffer.type), "a target of the size of the buffer");
  Pcg32 generator(buffer.seed);
  if (fill_piece(buffer, 0, generator, target)) return;
  switch (buffer.initialiser) {
    case BufferSpec::Initialiser::permutation:
      return fill_permutation(buffer, target);
    case BufferSpec::Initialiser::lattice_blocks:
      return fill_words(lattice_blocks(buffer.count), target);
    case BufferSpec::Initialiser::lattice_rows:
      return fill_words(lattice_rows(buffer.count), target);
    case BufferSpec::Initialiser::contents:
      std::transform(buffer.contents.begin(), buffer.contents.end(), target.begin(),
                     [](std::uint8_t byte) { return std::byte{byte}; });
      return;
    case BufferSpec::Initialiser::zero:
    case BufferSpec::Initialiser::iota:
    case BufferSpec::Initialiser::random:
    case BufferSpec::Initialiser::constant:
      return;  // made in pieces
    case BufferSpec::Initialiser::file:
      break;
  }
  const std::vector<std::byte> bytes = read_elements(buffer.file, buffer.type, buffer.count);
  std::copy(bytes.begin(), bytes.end(), target.begin());
}

std::vector<std::byte> initial_contents(const BufferSpec& buffer) {
  std::vector<std::byte> bytes(buffer.count * bytes_of(buffer.type));
  write_initial_contents(buffer, bytes);
  return bytes;
}

void visit_initial_contents(const BufferSpec& buffer, const ContentsVisitor& visit) {
  constexpr std::uint64_t elements_in_piece = 4096;
  std::vector<std::byte> bytes(elements_in_piece * bytes_of(buffer.type));
  Pcg32 generator(buffer.seed);
  for (std::uint64_t first = 0; first < buffer.count; first += elements_in_piece) {
    const std::uint64_t elements = std::min(elements_in_piece, buffer.count - first);
    const std::span<std::byte> piece(bytes.data(), elements * bytes_of(buffer.type));
    if (!fill_piece(buffer, first, generator, piece)) return visit(0, initial_contents(buffer));
    visit(first, piece);
  }
}

}  // namespace teslasim
