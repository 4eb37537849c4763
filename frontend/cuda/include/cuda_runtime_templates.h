// SPDX-License-Identifier: Apache-2.0
// The runtime's functions for typed pointers, symbols, kernels and texture references.
#pragma once

#include "channel_descriptor.h"
#include "cuda_runtime_api.h"

template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t size TESLASIM_CALLER) {
  return cudaMalloc(reinterpret_cast<void**>(pointer), size, teslasim_file, teslasim_line);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t size) {
  return cudaMallocHost(reinterpret_cast<void**>(pointer), size);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height TESLASIM_CALLER) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height, teslasim_file, teslasim_line);
}

/// What the runtime knows a variable by: the address of its copy on the host.
template <class T>
inline const char* teslasim_symbol(const T& variable) {
  return &reinterpret_cast<const char&>(variable);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size, size_t offset = 0,
                                      enum cudaMemcpyKind kind = cudaMemcpyHostToDevice TESLASIM_CALLER) {
  return cudaMemcpyToSymbol(teslasim_symbol(symbol), from, size, offset, kind, teslasim_file, teslasim_line);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0,
                                        enum cudaMemcpyKind kind = cudaMemcpyDeviceToHost TESLASIM_CALLER) {
  return cudaMemcpyFromSymbol(to, teslasim_symbol(symbol), size, offset, kind, teslasim_file, teslasim_line);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size, size_t offset,
                                           enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(teslasim_symbol(symbol), from, size, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size, size_t offset,
                                             enum cudaMemcpyKind kind, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, teslasim_symbol(symbol), size, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return cudaGetSymbolAddress(pointer, teslasim_symbol(symbol));
}
template <class T, class U>
inline cudaError_t cudaGetSymbolAddress(U** pointer, const T& symbol) {
  return cudaGetSymbolAddress(reinterpret_cast<void**>(pointer), teslasim_symbol(symbol));
}
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return cudaGetSymbolSize(size, teslasim_symbol(symbol));
}

template <class Function>
inline cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, Function* kernel) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const char*>(kernel));
}
template <class Function>
inline cudaError_t cudaFuncSetCacheConfig(Function* kernel, enum cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const char*>(kernel), config);
}
template <class Function>
inline cudaError_t cudaFuncSetSharedMemConfig(Function* kernel, enum cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(reinterpret_cast<const char*>(kernel), config);
}
template <class Function>
inline cudaError_t cudaLaunch(Function* kernel) {
  return cudaLaunch(reinterpret_cast<const char*>(kernel));
}
template <class T>
inline cudaError_t cudaSetupArgument(T argument, size_t offset) {
  return cudaSetupArgument(&argument, sizeof(argument), offset);
}
inline cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return cudaEventCreateWithFlags(event, flags);
}

template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                   const cudaChannelFormatDesc& channels, size_t size = 0xffffffffU) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&reference), pointer, &channels, size);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                   size_t size = 0xffffffffU) {
  return cudaBindTexture(offset, reference, pointer, reference.channelDesc, size);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                     const cudaChannelFormatDesc& channels, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&reference), pointer, &channels, width, height,
                           pitch);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& reference, const void* pointer,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, reference, pointer, reference.channelDesc, width, height, pitch);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference, const cudaArray* array,
                                          const cudaChannelFormatDesc& channels) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&reference), array, &channels);
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& reference, const cudaArray* array) {
  cudaChannelFormatDesc channels;
  const cudaError_t error = cudaGetChannelDesc(&channels, array);
  return error == cudaSuccess ? cudaBindTextureToArray(reference, array, channels) : error;
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dimensions, mode>& reference) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&reference));
}
template <class T, int dimensions, enum cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const texture<T, dimensions, mode>& reference) {
  return cudaGetTextureAlignmentOffset(offset, static_cast<const textureReference*>(&reference));
}
