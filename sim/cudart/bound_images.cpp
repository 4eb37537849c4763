// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/bound_images.h"

#include <algorithm>
#include <bit>

namespace teslasim::cudart {
namespace {

/// The start of an image in memory is a multiple of so many bytes (cudaDeviceProp::textureAlignment).
constexpr Address image_alignment = 256;

/// Places a linear image that begins at `pointer`, or a little before it.
cudaError_t place(Session& session, const char* call, TextureState& state, std::size_t* offset, const void* pointer,
                  std::uint64_t bytes) {
  const std::optional<Address> address = session.heap.find(pointer, bytes);
  if (!address)
    return session.complain(cudaErrorInvalidDevicePointer, call, {},
                            "no device memory of so many bytes: " + session.heap.describe(pointer));
  state.offset = *address % image_alignment;
  if (offset != nullptr) *offset = state.offset;
  if (offset == nullptr && state.offset != 0)
    return session.complain(cudaErrorInvalidValue, call, {}, "the offset of an unaligned pointer has no place");
  state.bound.image.address = *address - static_cast<Address>(state.offset);
  return cudaSuccess;
}

}  // namespace

cudaError_t bind_words(Session& session, const char* call, TextureState& state, std::size_t* offset,
                       const void* pointer, std::uint64_t size) {
  constexpr std::uint64_t most_texels = std::uint64_t{1} << 27U;
  const auto range = session.heap.range_of(pointer);
  const std::uint64_t left = range ? range->address + range->bytes - std::bit_cast<std::uintptr_t>(pointer) : 1;
  const std::uint64_t bytes = std::min<std::uint64_t>(size, left);  // programs leave the size out
  const cudaError_t error = place(session, call, state, offset, pointer, bytes);
  if (error != cudaSuccess) return error;
  TextureImage& image = state.bound.image;
  const std::uint64_t texels = (bytes + state.offset) / image.format.bytes();
  image.dimensions = 1;
  image.size[0] = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(texels, 1, most_texels));
  image.pitch_bytes = image.size[0] * image.format.bytes();
  return cudaSuccess;
}

cudaError_t bind_rows(Session& session, const char* call, TextureState& state, std::size_t* offset,
                      const TexelRows& rows) {
  constexpr std::size_t widest = 65536;
  TextureImage& image = state.bound.image;
  const std::size_t row_bytes = rows.width * image.format.bytes();
  if (rows.width == 0 || rows.height == 0 || rows.width > widest || rows.height > widest || rows.pitch < row_bytes)
    return cudaErrorInvalidValue;
  const std::uint64_t bytes = rows.pitch * (rows.height - 1) + row_bytes;
  const cudaError_t error = place(session, call, state, offset, rows.pointer, bytes);
  if (error != cudaSuccess) return error;
  image.dimensions = 2;
  image.size = {static_cast<std::uint32_t>(rows.width + state.offset / image.format.bytes()),
                static_cast<std::uint32_t>(rows.height), 1};
  image.pitch_bytes = static_cast<std::uint32_t>(rows.pitch);
  return cudaSuccess;
}

cudaError_t bind_array(TextureState& state, const ArrayState& array) {
  const TexelFormat format = state.bound.image.format;
  if (format.bytes() != array.image.format.bytes()) return cudaErrorInvalidChannelDescriptor;
  state.bound.image = array.image;
  state.bound.image.format = format;
  state.offset = 0;
  return cudaSuccess;
}

}  // namespace teslasim::cudart
