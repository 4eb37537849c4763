// SPDX-License-Identifier: Apache-2.0
// Texture references: what they are bound to. How they are read is taken from the reference when it is bound.
#include <algorithm>
#include <bit>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/handles.h"

namespace teslasim::cudart {
namespace {

/// The start of an image in memory is a multiple of so many bytes (cudaDeviceProp::textureAlignment).
constexpr Address image_alignment = 256;

TextureSampler sampler_of(const textureReference& reference, const TextureState& state) {
  TextureSampler sampler;
  sampler.linear_filter = reference.filterMode == cudaFilterModeLinear;
  sampler.normalised_coordinates = reference.normalized != 0;
  sampler.normalised_values = state.normalised_values;
  for (std::size_t axis = 0; axis < sampler.address_mode.size(); ++axis) {
    const bool wrap = reference.addressMode[axis] == cudaAddressModeWrap && sampler.normalised_coordinates;
    sampler.address_mode[axis] = wrap ? TextureSampler::AddressMode::wrap : TextureSampler::AddressMode::clamp;
  }
  return sampler;
}

/// Runs `function` with the state of a reference of the program and the format of its texels.
template <typename Function>
cudaError_t with_texture(const char* call, const textureReference* reference, const cudaChannelFormatDesc* channels,
                         Function function) {
  return answer([&](Session& session) {
    TextureState* state = Process::get().code.texture(reference);
    if (state == nullptr) return session.complain(cudaErrorInvalidTexture, call, {}, "there is no such texture");
    if (channels == nullptr) return cudaErrorInvalidValue;
    const std::optional<TexelFormat> format = texel_format(*channels);
    if (!format) return session.complain(cudaErrorInvalidChannelDescriptor, call, {}, "no such texels");
    state->bound = {};
    state->bound.name = state->name;
    state->bound.sampler = sampler_of(*reference, *state);
    state->bound.image.format = *format;
    const cudaError_t error = function(session, *state);
    if (error != cudaSuccess) state->bound = {};
    return error;
  });
}

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
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global
using teslasim::TextureImage;

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* channels, size_t size) {
  return with_texture("cudaBindTexture", reference, channels, [&](Session& session, TextureState& state) {
    constexpr std::uint64_t most_texels = std::uint64_t{1} << 27U;
    const auto range = session.heap.range_of(pointer);
    const std::uint64_t left = range ? range->address + range->bytes - std::bit_cast<std::uintptr_t>(pointer) : 1;
    const std::uint64_t bytes = std::min<std::uint64_t>(size, left);  // programs leave the size out
    const cudaError_t error = place(session, "cudaBindTexture", state, offset, pointer, bytes);
    if (error != cudaSuccess) return error;
    TextureImage& image = state.bound.image;
    const std::uint64_t texels = (bytes + state.offset) / image.format.bytes();
    image.dimensions = 1;
    image.size[0] = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(texels, 1, most_texels));
    image.pitch_bytes = image.size[0] * image.format.bytes();
    return cudaSuccess;
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer,
                              const cudaChannelFormatDesc* channels, size_t width, size_t height, size_t pitch) {
  return with_texture("cudaBindTexture2D", reference, channels, [&](Session& session, TextureState& state) {
    TextureImage& image = state.bound.image;
    constexpr std::size_t widest = 65536;
    if (width == 0 || height == 0 || width > widest || height > widest || pitch < width * image.format.bytes())
      return cudaErrorInvalidValue;
    const std::uint64_t bytes = pitch * (height - 1) + width * image.format.bytes();
    const cudaError_t error = place(session, "cudaBindTexture2D", state, offset, pointer, bytes);
    if (error != cudaSuccess) return error;
    image.dimensions = 2;
    image.size = {static_cast<std::uint32_t>(width + state.offset / image.format.bytes()),
                  static_cast<std::uint32_t>(height), 1};
    image.pitch_bytes = static_cast<std::uint32_t>(pitch);
    return cudaSuccess;
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, const cudaArray* array,
                                   const cudaChannelFormatDesc* channels) {
  return with_texture("cudaBindTextureToArray", reference, channels, [&](Session&, TextureState& state) {
    const ArrayState* found = Process::get().arrays.find(number_of(array));
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    const teslasim::TexelFormat format = state.bound.image.format;
    if (format.bytes() != found->image.format.bytes()) return cudaErrorInvalidChannelDescriptor;
    state.bound.image = found->image;
    state.bound.image.format = format;
    state.offset = 0;
    return cudaSuccess;
  });
}

cudaError_t cudaUnbindTexture(const textureReference* reference) {
  return answer([&](Session&) {
    TextureState* state = Process::get().code.texture(reference);
    if (state == nullptr) return cudaErrorInvalidTexture;
    state->bound = {};
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const textureReference* reference) {
  return answer([&](Session&) {
    const TextureState* state = Process::get().code.texture(reference);
    if (state == nullptr) return cudaErrorInvalidTexture;
    if (!state->bound.bound()) return cudaErrorInvalidTextureBinding;
    if (offset == nullptr) return cudaErrorInvalidValue;
    *offset = state->offset;
    return cudaSuccess;
  });
}

cudaError_t cudaGetTextureReference(const textureReference** reference, const char* symbol) {
  return answer([&](Session&) {
    if (reference == nullptr) return cudaErrorInvalidValue;
    const void* host = Process::get().code.texture_by(symbol);
    if (host == nullptr) return cudaErrorInvalidTexture;
    *reference = static_cast<const textureReference*>(host);
    return cudaSuccess;
  });
}
