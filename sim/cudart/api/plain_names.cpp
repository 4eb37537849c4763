// SPDX-License-Identifier: Apache-2.0
// CUDA's own names, with CUDA's parameters, of functions that our headers give the caller's place: for objects that
// were compiled with other declarations.
#include "frontend/cuda/include/cuda.h"

#define TESLASIM_PLAIN(type, name, parameters, ...)       \
  extern "C" type plain_##name parameters __asm__(#name); \
  extern "C" type plain_##name parameters {               \
    return name(__VA_ARGS__, nullptr, 0);                 \
  }

TESLASIM_PLAIN(cudaError_t, cudaMalloc, (void** pointer, size_t size), pointer, size)
TESLASIM_PLAIN(cudaError_t, cudaMallocPitch, (void** pointer, size_t* pitch, size_t width, size_t height), pointer,
               pitch, width, height)
TESLASIM_PLAIN(cudaError_t, cudaFree, (void* pointer), pointer)
TESLASIM_PLAIN(cudaError_t, cudaMemcpy, (void* to, const void* from, size_t size, cudaMemcpyKind kind), to, from, size,
               kind)
TESLASIM_PLAIN(cudaError_t, cudaMemset, (void* pointer, int value, size_t size), pointer, value, size)
TESLASIM_PLAIN(cudaError_t, cudaConfigureCall, (dim3 grid, dim3 block, size_t shared, cudaStream_t stream), grid, block,
               shared, stream)
TESLASIM_PLAIN(unsigned int, __cudaPushCallConfiguration, (dim3 grid, dim3 block, size_t shared, CUstream_st* stream),
               grid, block, shared, stream)
TESLASIM_PLAIN(CUresult, cuMemAlloc, (CUdeviceptr * pointer, size_t size), pointer, size)
TESLASIM_PLAIN(cudaError_t, cudaMalloc3D, (cudaPitchedPtr * pointer, cudaExtent extent), pointer, extent)
TESLASIM_PLAIN(cudaError_t, cudaMallocArray,
               (cudaArray * *array, const cudaChannelFormatDesc* channels, size_t width, size_t height, unsigned flags),
               array, channels, width, height, flags)
TESLASIM_PLAIN(cudaError_t, cudaMalloc3DArray,
               (cudaArray * *array, const cudaChannelFormatDesc* channels, cudaExtent extent, unsigned flags), array,
               channels, extent, flags)
TESLASIM_PLAIN(cudaError_t, cudaMemcpyAsync,
               (void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream), to, from, size,
               kind, stream)
TESLASIM_PLAIN(cudaError_t, cudaMemcpy2D,
               (void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                cudaMemcpyKind kind),
               to, to_pitch, from, from_pitch, width, height, kind)
TESLASIM_PLAIN(cudaError_t, cudaMemcpyToSymbol,
               (const char* symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind), symbol, from,
               size, offset, kind)
TESLASIM_PLAIN(cudaError_t, cudaMemcpyFromSymbol,
               (void* to, const char* symbol, size_t size, size_t offset, cudaMemcpyKind kind), to, symbol, size,
               offset, kind)
