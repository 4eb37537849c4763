// SPDX-License-Identifier: Apache-2.0
// The driver's interface: arrays, and the texture references of modules.
#include <algorithm>
#include <bit>

#include "frontend/cuda/include/cuda.h"
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/driver_answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/bound_images.h"
#include "sim/cudart/driver_textures.h"
#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

std::uintptr_t number_behind(const void* handle) {
  return std::bit_cast<std::uintptr_t>(handle);
}
void* pointer_of(CUdeviceptr pointer) {
  return std::bit_cast<void*>(static_cast<std::uintptr_t>(pointer));
}

/// Runs `function` with a texture reference of a module that is there.
template <typename Function>
CUresult with_reference(CUtexref handle, Function function) {
  return driver_error(answer([&](Session& session) {
    DriverTexture* texture = Process::get().driver.textures.texture(number_behind(handle));
    return texture != nullptr ? function(session, *texture) : cudaErrorInvalidResourceHandle;
  }));
}

/// Gives the image the format that was set; `bind` fills the rest of it. What failed is bound to nothing.
template <typename Bind>
cudaError_t bind(Session& session, const char* call, DriverTexture& texture, Bind bind_image) {
  const std::optional<TexelFormat> format = texel_format(channels_of(texture.format, texture.components));
  if (!format) return session.complain(cudaErrorInvalidChannelDescriptor, call, {}, "no such texels");
  texture.state.bound.image = {};
  texture.state.bound.image.format = *format;
  const cudaError_t error = bind_image();
  if (error != cudaSuccess) texture.state.bound.image = {};
  return error;
}

CUresult create_array(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR& wish) {
  const cudaChannelFormatDesc channels = channels_of(wish.Format, wish.NumChannels);
  return driver_error(cudaMalloc3DArray(array, &channels, {wish.Width, wish.Height, wish.Depth}, 0, nullptr, 0));
}

/// An array of one row is filled and read from any byte on.
CUresult row_copied(CUarray array, std::size_t offset, std::size_t size, CUDA_MEMCPY2D copy, bool to_array) {
  copy.WidthInBytes = size;
  copy.Height = 1;
  if (to_array) {
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.dstXInBytes = offset;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array;
    copy.srcXInBytes = offset;
  }
  return cuMemcpy2D(&copy);
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

CUresult cuArrayCreate(CUarray* array, const CUDA_ARRAY_DESCRIPTOR* wish) {
  if (wish == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return create_array(array, {wish->Width, wish->Height, 0, wish->Format, wish->NumChannels, 0});
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wish) {
  return wish != nullptr ? create_array(array, *wish) : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuArrayDestroy(CUarray array) {
  return array != nullptr ? driver_error(cudaFreeArray(array)) : CUDA_ERROR_INVALID_HANDLE;
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* facts, CUarray array) {
  return driver_error(answer([&](Session&) {
    const ArrayState* found = Process::get().arrays.find(number_of(array));
    if (found == nullptr) return cudaErrorInvalidResourceHandle;
    if (facts == nullptr) return cudaErrorInvalidValue;
    const teslasim::TextureImage& image = found->image;
    *facts = {image.size[0], image.dimensions > 1 ? image.size[1] : 0, format_of(image.format),
              image.format.components};
    return cudaSuccess;
  }));
}

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t size) {
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = from;
  return row_copied(to, offset, size, copy, true);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t size) {
  CUDA_MEMCPY2D copy{};
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = to;
  return row_copied(from, offset, size, copy, false);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t size) {
  CUDA_MEMCPY2D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  return row_copied(to, offset, size, copy, true);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t size) {
  CUDA_MEMCPY2D copy{};
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = to;
  return row_copied(from, offset, size, copy, false);
}

CUresult cuModuleGetTexRef(CUtexref* texture, CUmodule module, const char* name) {
  return driver_error(answer([&](Session&) {
    const std::optional<std::string> wanted = host_text(name);
    DriverModules& driver = Process::get().driver;
    const LoadedCode* code = driver.module(number_behind(module));
    if (code == nullptr) return cudaErrorInvalidResourceHandle;
    if (texture == nullptr || !wanted) return cudaErrorInvalidValue;
    const std::size_t number = driver.textures.add(number_behind(module), code->module(), *wanted);
    if (number == 0) return cudaErrorInvalidSymbol;
    *texture = std::bit_cast<CUtexref>(std::uintptr_t{number});
    return cudaSuccess;
  }));
}
CUresult cuTexRefCreate(CUtexref* texture) {
  return driver_error(answer([&](Session&) {
    if (texture == nullptr) return cudaErrorInvalidValue;
    *texture = std::bit_cast<CUtexref>(std::uintptr_t{Process::get().driver.textures.add_free()});
    return cudaSuccess;
  }));
}
CUresult cuTexRefDestroy(CUtexref texture) {
  return driver_error(answer([&](Session&) {
    const bool known = Process::get().driver.textures.remove_free(number_behind(texture));
    return known ? cudaSuccess : cudaErrorInvalidResourceHandle;
  }));
}
CUresult cuTexRefGetAddress(CUdeviceptr* pointer, CUtexref texture) {
  return with_reference(texture, [&](Session& session, const DriverTexture& found) {
    const teslasim::TextureImage& image = found.state.bound.image;
    const bool is_memory = found.state.bound.bound() && image.layout == teslasim::TextureImage::Layout::linear;
    if (pointer == nullptr || !is_memory)
      return session.complain(cudaErrorInvalidValue, "cuTexRefGetAddress", {}, "the texture is bound to no memory");
    *pointer = image.address + found.state.offset;
    return cudaSuccess;
  });
}
CUresult cuTexRefSetAddress(size_t* offset, CUtexref texture, CUdeviceptr pointer, size_t size) {
  return with_reference(texture, [&](Session& session, DriverTexture& found) {
    constexpr const char* call = "cuTexRefSetAddress";
    return bind(session, call, found,
                [&] { return bind_words(session, call, found.state, offset, pointer_of(pointer), size); });
  });
}
CUresult cuTexRefSetAddress2D(CUtexref texture, const CUDA_ARRAY_DESCRIPTOR* facts, CUdeviceptr pointer, size_t pitch) {
  return with_reference(texture, [&](Session& session, DriverTexture& found) {
    constexpr const char* call = "cuTexRefSetAddress2D";
    if (facts == nullptr) return cudaErrorInvalidValue;
    found.format = facts->Format;
    found.components = facts->NumChannels;
    return bind(session, call, found, [&] {
      return bind_rows(session, call, found.state, nullptr, {pointer_of(pointer), facts->Width, facts->Height, pitch});
    });
  });
}
CUresult cuTexRefSetArray(CUtexref texture, CUarray array, unsigned int flags) {
  return with_reference(texture, [&](Session& session, DriverTexture& found) {
    const ArrayState* image = Process::get().arrays.find(number_of(array));
    if (image == nullptr) return cudaErrorInvalidResourceHandle;
    if ((flags & CU_TRSA_OVERRIDE_FORMAT) != 0) {
      found.format = format_of(image->image.format);
      found.components = image->image.format.components;
    }
    return bind(session, "cuTexRefSetArray", found, [&] { return bind_array(found.state, *image); });
  });
}
CUresult cuTexRefSetFormat(CUtexref texture, CUarray_format format, int components) {
  return with_reference(texture, [&](Session& session, DriverTexture& found) {
    const auto count = static_cast<unsigned>(std::max(components, 0));
    if (!texel_format(channels_of(format, count)))
      return session.complain(cudaErrorInvalidChannelDescriptor, "cuTexRefSetFormat", {}, "no such texels");
    found.format = format;
    found.components = count;
    return cudaSuccess;
  });
}
CUresult cuTexRefSetFlags(CUtexref texture, unsigned int flags) {
  return with_reference(texture, [&](Session&, DriverTexture& found) {
    found.flags = flags;
    return cudaSuccess;
  });
}
CUresult cuTexRefSetFilterMode(CUtexref texture, CUfilter_mode mode) {
  return with_reference(texture, [&](Session&, DriverTexture& found) {
    if (mode != CU_TR_FILTER_MODE_POINT && mode != CU_TR_FILTER_MODE_LINEAR) return cudaErrorInvalidValue;
    found.filter = mode;
    return cudaSuccess;
  });
}
CUresult cuTexRefSetAddressMode(CUtexref texture, int axis, CUaddress_mode mode) {
  return with_reference(texture, [&](Session& session, DriverTexture& found) {
    if (axis < 0 || static_cast<std::size_t>(axis) >= found.address_mode.size()) return cudaErrorInvalidValue;
    if (mode != CU_TR_ADDRESS_MODE_WRAP && mode != CU_TR_ADDRESS_MODE_CLAMP)
      return session.complain(cudaErrorInvalidValue, "cuTexRefSetAddressMode", {},
                              "textures of these chips wrap or clamp in CUDA; mirrors are not modelled");
    found.address_mode[static_cast<std::size_t>(axis)] = mode;
    return cudaSuccess;
  });
}
CUresult cuParamSetTexRef(CUfunction function, int unit, CUtexref texture) {
  return with_reference(texture, [&](Session&, const DriverTexture& found) {
    const DriverFunction* kernel = Process::get().driver.function(number_behind(function));
    if (kernel == nullptr) return cudaErrorInvalidResourceHandle;
    // A module knows its textures; all that could be said here is that it has this one.
    return unit == CU_PARAM_TR_DEFAULT && kernel->module == found.module ? cudaSuccess : cudaErrorInvalidValue;
  });
}
