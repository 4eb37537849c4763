// SPDX-License-Identifier: Apache-2.0
// Texture references: what they are bound to. How they are read is taken from the reference when it is bound.
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/bound_images.h"

namespace teslasim::cudart {
namespace {

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

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

cudaError_t cudaBindTexture(size_t* offset, const textureReference* reference, const void* pointer,
                            const cudaChannelFormatDesc* channels, size_t size) {
  return with_texture("cudaBindTexture", reference, channels, [&](Session& session, TextureState& state) {
    return bind_words(session, "cudaBindTexture", state, offset, pointer, size);
  });
}

cudaError_t cudaBindTexture2D(size_t* offset, const textureReference* reference, const void* pointer,
                              const cudaChannelFormatDesc* channels, size_t width, size_t height, size_t pitch) {
  return with_texture("cudaBindTexture2D", reference, channels, [&](Session& session, TextureState& state) {
    return bind_rows(session, "cudaBindTexture2D", state, offset, {pointer, width, height, pitch});
  });
}

cudaError_t cudaBindTextureToArray(const textureReference* reference, const cudaArray* array,
                                   const cudaChannelFormatDesc* channels) {
  return with_texture("cudaBindTextureToArray", reference, channels, [&](Session&, TextureState& state) {
    const ArrayState* found = Process::get().arrays.find(number_of(array));
    return found != nullptr ? bind_array(state, *found) : cudaErrorInvalidResourceHandle;
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
