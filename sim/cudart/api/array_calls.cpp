// SPDX-License-Identifier: Apache-2.0
// CUDA arrays, pitched volumes, and copies of both.
#include <algorithm>
#include <bit>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/volume_copies.h"

namespace teslasim::cudart {
namespace {

constexpr std::size_t row_alignment = 256;

std::byte* bytes_at(const void* pointer) {
  return static_cast<std::byte*>(const_cast<void*>(pointer));
}

cudaError_t create_array(Session& session, cudaArray** array, const cudaChannelFormatDesc* channels,
                         std::array<std::size_t, 3> extents, const CallSite& site) {
  constexpr std::size_t widest = 65536;
  if (array == nullptr || channels == nullptr || extents[0] == 0) return cudaErrorInvalidValue;
  const std::optional<TexelFormat> format = texel_format(*channels);
  if (!format) return session.complain(cudaErrorInvalidChannelDescriptor, "cudaMallocArray", site, "no such texels");
  if (std::any_of(extents.begin(), extents.end(), [](std::size_t extent) { return extent > widest; }))
    return session.complain(cudaErrorInvalidValue, "cudaMallocArray", site,
                            "an array has at most 65,536 texels a side");
  const auto number = Process::get().arrays.create(*channels, *format, extents, session.heap, site);
  if (!number) return session.complain(cudaErrorMemoryAllocation, "cudaMallocArray", site, "the board is full");
  *array = array_handle_of(*number);
  return cudaSuccess;
}

/// Runs `function` with an array that exists.
template <typename Function>
cudaError_t with_array(const cudaArray* handle, Function function) {
  return answer([&](Session& session) {
    const ArrayState* array = Process::get().arrays.find(number_of(handle));
    return array != nullptr ? function(session, *array) : cudaErrorInvalidResourceHandle;
  });
}

/// `size` bytes that fill rows of an array from (x, y) on: the rest of the first row, whole rows, the start of the
/// last.
template <typename CopyPart>
cudaError_t each_part(const ArrayState& array, std::size_t x, std::size_t y, std::size_t size, CopyPart copy_part) {
  for (std::size_t done = 0; done < size;) {
    if (x >= array.row_bytes()) return cudaErrorInvalidValue;
    const std::size_t part = std::min(size - done, array.row_bytes() - x);
    const std::size_t rows = x == 0 ? std::max<std::size_t>(1, (size - done) / array.row_bytes()) : 1;
    if (const cudaError_t error = copy_part(x, y, done, part, rows); error != cudaSuccess) return error;
    done += part * rows;
    y += rows;
    x = 0;
  }
  return cudaSuccess;
}

VolumeEnd memory_end(const void* pointer, std::size_t pitch) {
  VolumeEnd end;
  end.pointer = bytes_at(pointer);
  end.pitch = pitch;
  return end;
}
VolumeEnd array_end(const ArrayState& array, std::size_t x, std::size_t y) {
  VolumeEnd end;
  end.array = &array;
  end.at = {x, y, 0};
  return end;
}

/// One end of cudaMemcpy3D: positions and extents count texels when an array takes part, else bytes.
cudaError_t end_of(const cudaArray* handle, const cudaPitchedPtr& memory, const cudaPos& at, std::size_t unit,
                   VolumeEnd& end) {
  if (handle != nullptr) {
    end.array = Process::get().arrays.find(number_of(handle));
    if (end.array == nullptr) return cudaErrorInvalidResourceHandle;
    unit = end.array->image.format.bytes();
  }
  end.pointer = bytes_at(memory.ptr);
  end.pitch = memory.pitch;
  end.slice = memory.pitch * memory.ysize;
  end.at = {at.x * unit, at.y, at.z};
  return cudaSuccess;
}

using Pair = std::array<std::size_t, 2>;  ///< x in bytes, y in rows

CopyCall call_in(const char* name, cudaMemcpyKind kind, cudaStream_t stream) {
  return {name, {}, kind, stream_of(stream), Waiting::goes_on};
}

cudaError_t to_array(const CopyCall& call, cudaArray* to, Pair at, const void* from, std::size_t size) {
  return with_array(to, [&](Session& session, const ArrayState& array) {
    return each_part(array, at[0], at[1], size, [&](size_t x, size_t y, size_t done, size_t part, size_t rows) {
      return copy_volume(session, call, array_end(array, x, y), memory_end(bytes_at(from) + done, part),
                         {part, rows, 1});
    });
  });
}
cudaError_t from_array(const CopyCall& call, void* to, const cudaArray* from, Pair at, std::size_t size) {
  return with_array(from, [&](Session& session, const ArrayState& array) {
    return each_part(array, at[0], at[1], size, [&](size_t x, size_t y, size_t done, size_t part, size_t rows) {
      return copy_volume(session, call, memory_end(bytes_at(to) + done, part), array_end(array, x, y), {part, rows, 1});
    });
  });
}

cudaError_t rows_to_array(const CopyCall& call, cudaArray* to, Pair at, const VolumeEnd& from, Pair box) {
  return with_array(to, [&](Session& session, const ArrayState& array) {
    return copy_volume(session, call, array_end(array, at[0], at[1]), from, {box[0], box[1], 1});
  });
}
cudaError_t rows_from_array(const CopyCall& call, const VolumeEnd& to, const cudaArray* from, Pair at, Pair box) {
  return with_array(from, [&](Session& session, const ArrayState& array) {
    return copy_volume(session, call, to, array_end(array, at[0], at[1]), {box[0], box[1], 1});
  });
}

/// Runs `function` with two arrays that exist.
template <typename Function>
cudaError_t with_arrays(const cudaArray* first, const cudaArray* second, Function function) {
  return with_array(first, [&](Session& session, const ArrayState& one) {
    const ArrayState* other = Process::get().arrays.find(number_of(second));
    return other != nullptr ? function(session, one, *other) : cudaErrorInvalidResourceHandle;
  });
}

std::size_t texel_bytes(const cudaArray* handle) {
  const ArrayState* array = handle != nullptr ? Process::get().arrays.find(number_of(handle)) : nullptr;
  return array != nullptr ? array->image.format.bytes() : 0;
}

cudaError_t copy_3d(Session& session, const CopyCall& call, const cudaMemcpy3DParms& wish) {
  VolumeEnd to, from;
  // Positions in memory count bytes; the extent counts texels as soon as one end is an array.
  if (const cudaError_t error = end_of(wish.dstArray, wish.dstPtr, wish.dstPos, 1, to); error != cudaSuccess)
    return error;
  if (const cudaError_t error = end_of(wish.srcArray, wish.srcPtr, wish.srcPos, 1, from); error != cudaSuccess)
    return error;
  const std::size_t unit = std::max({texel_bytes(wish.dstArray), texel_bytes(wish.srcArray), std::size_t{1}});
  return copy_volume(session, call, to, from, {wish.extent.width * unit, wish.extent.height, wish.extent.depth});
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

cudaError_t cudaMallocArray(cudaArray** array, const cudaChannelFormatDesc* channels, size_t width, size_t height,
                            unsigned int /*flags*/, const char* file, int line) {
  return answer([&](Session& session) {
    return create_array(session, array, channels, {width, height, 0}, CallSite{file, line});
  });
}
cudaError_t cudaMalloc3DArray(cudaArray** array, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned int /*flags*/, const char* file, int line) {
  return answer([&](Session& session) {
    return create_array(session, array, channels, {extent.width, extent.height, extent.depth}, CallSite{file, line});
  });
}
cudaError_t cudaFreeArray(cudaArray* array) {
  return answer([&](Session& session) {
    if (array == nullptr) return cudaSuccess;
    const bool known = Process::get().arrays.destroy(number_of(array), session.heap);
    return known ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, const cudaArray* array) {
  return with_array(array, [&](Session&, const ArrayState& state) {
    if (channels == nullptr) return cudaErrorInvalidValue;
    *channels = state.channels;
    return cudaSuccess;
  });
}
cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
  return cudaChannelFormatDesc{x, y, z, w, kind};
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* pointer, cudaExtent extent, const char* file, int line) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  const std::size_t pitch = (extent.width + row_alignment - 1) / row_alignment * row_alignment;
  void* start = nullptr;
  const cudaError_t error = cudaMalloc(&start, pitch * extent.height * extent.depth, file, line);
  *pointer = make_cudaPitchedPtr(start, pitch, extent.width, extent.height);
  return error;
}
cudaError_t cudaMemset3D(cudaPitchedPtr pointer, int value, cudaExtent extent) {
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < extent.depth && error == cudaSuccess; ++z) {
    std::byte* slice = static_cast<std::byte*>(pointer.ptr) + z * pointer.pitch * pointer.ysize;
    error = cudaMemset2D(slice, pointer.pitch, value, extent.width, extent.height);
  }
  return error;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr pointer, int value, cudaExtent extent, cudaStream_t stream) {
  cudaError_t error = cudaSuccess;
  for (std::size_t z = 0; z < extent.depth && error == cudaSuccess; ++z) {
    std::byte* slice = static_cast<std::byte*>(pointer.ptr) + z * pointer.pitch * pointer.ysize;
    error = cudaMemset2DAsync(slice, pointer.pitch, value, extent.width, extent.height, stream);
  }
  return error;
}
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return answer([&](Session& session) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    return copy_3d(session, CopyCall{"cudaMemcpy3D", {}, parameters->kind}, *parameters);
  });
}
cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return answer([&](Session& session) {
    if (parameters == nullptr) return cudaErrorInvalidValue;
    const CopyCall call{"cudaMemcpy3DAsync", {}, parameters->kind, stream_of(stream), Waiting::goes_on};
    return copy_3d(session, call, *parameters);
  });
}

cudaError_t cudaMemcpyToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t size, cudaMemcpyKind kind) {
  return to_array(CopyCall{"cudaMemcpyToArray", {}, kind}, to, {x, y}, from, size);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray* to, size_t x, size_t y, const void* from, size_t size,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
  return to_array(call_in("cudaMemcpyToArrayAsync", kind, stream), to, {x, y}, from, size);
}
cudaError_t cudaMemcpyFromArray(void* to, const cudaArray* from, size_t x, size_t y, size_t size, cudaMemcpyKind kind) {
  return from_array(CopyCall{"cudaMemcpyFromArray", {}, kind}, to, from, {x, y}, size);
}
cudaError_t cudaMemcpyFromArrayAsync(void* to, const cudaArray* from, size_t x, size_t y, size_t size,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  return from_array(call_in("cudaMemcpyFromArrayAsync", kind, stream), to, from, {x, y}, size);
}
cudaError_t cudaMemcpyArrayToArray(cudaArray* to, size_t to_x, size_t to_y, const cudaArray* from, size_t from_x,
                                   size_t from_y, size_t size, cudaMemcpyKind kind) {
  const CopyCall call{"cudaMemcpyArrayToArray", {}, kind};
  return with_arrays(to, from, [&](Session& session, const ArrayState& target, const ArrayState& source) {
    if (to_x >= target.row_bytes() || from_x >= source.row_bytes()) return cudaErrorInvalidValue;
    std::size_t to_at = to_y * target.row_bytes() + to_x, from_at = from_y * source.row_bytes() + from_x;
    for (std::size_t done = 0; done < size;) {
      const VolumeEnd to_end = array_end(target, to_at % target.row_bytes(), to_at / target.row_bytes());
      const VolumeEnd from_end = array_end(source, from_at % source.row_bytes(), from_at / source.row_bytes());
      const std::size_t part =
          std::min({size - done, target.row_bytes() - to_end.at[0], source.row_bytes() - from_end.at[0]});
      if (const cudaError_t error = copy_volume(session, call, to_end, from_end, {part, 1, 1}); error != cudaSuccess)
        return error;
      done += part;
      to_at += part;
      from_at += part;
    }
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy2DToArray(cudaArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
  return rows_to_array(CopyCall{"cudaMemcpy2DToArray", {}, kind}, to, {x, y}, memory_end(from, pitch), {width, height});
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return rows_to_array(call_in("cudaMemcpy2DToArrayAsync", kind, stream), to, {x, y}, memory_end(from, pitch),
                       {width, height});
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, const cudaArray* from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
  return rows_from_array(CopyCall{"cudaMemcpy2DFromArray", {}, kind}, memory_end(to, pitch), from, {x, y},
                         {width, height});
}
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, const cudaArray* from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return rows_from_array(call_in("cudaMemcpy2DFromArrayAsync", kind, stream), memory_end(to, pitch), from, {x, y},
                         {width, height});
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray* to, size_t to_x, size_t to_y, const cudaArray* from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
  return with_arrays(to, from, [&](Session& session, const ArrayState& target, const ArrayState& source) {
    return copy_volume(session, CopyCall{"cudaMemcpy2DArrayToArray", {}, kind}, array_end(target, to_x, to_y),
                       array_end(source, from_x, from_y), {width, height, 1});
  });
}
