// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a .npy file: its header is refused with a sentence or describes data that can be written again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <variant>

#include "frontend/workload/device/npy.h"

namespace {

using namespace teslasim;

void check(const NpyHeader& header, std::span<const std::byte> bytes) {
  std::uint64_t product = 1;
  for (const std::uint64_t extent : header.shape) product *= extent;
  if (product != header.elements) std::abort();
  const std::uint64_t width = bytes_of(header.type);
  if (header.data_offset > bytes.size() || (bytes.size() - header.data_offset) / width < header.elements) return;
  const auto elements = bytes.subspan(header.data_offset, header.elements * width);
  const std::vector<std::byte> written = npy_bytes(header.type, elements);
  const auto again = parse_npy_header(written);
  if (!std::holds_alternative<NpyHeader>(again)) std::abort();
  if (std::get<NpyHeader>(again).elements != header.elements) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);  // NOLINT: bytes as they are
  const auto header = parse_npy_header(bytes);
  if (const auto* problem = std::get_if<NpyProblem>(&header)) {
    if (problem->text.empty()) std::abort();
    return 0;
  }
  check(std::get<NpyHeader>(header), bytes);
  return 0;
}
