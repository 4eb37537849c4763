/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of the CUDA runtime, as C functions, which a host program calls. Declared here, defined by a library.
 */
#pragma once

#include "driver_types.h"
#include "texture_types.h"
#include "vector_types.h"

#define CUDART_VERSION 4020

TESLASIM_C_NAMES_BEGIN
cudaError_t cudaGetDeviceCount(int* count);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* wanted);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDevice(int* device);
cudaError_t cudaSetValidDevices(int* devices, int count);
cudaError_t cudaSetDeviceFlags(unsigned int flags);
cudaError_t cudaDriverGetVersion(int* version);
cudaError_t cudaRuntimeGetVersion(int* version);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig* config);
cudaError_t cudaDeviceGetPCIBusId(char* name, int size, int device);
cudaError_t cudaDeviceGetByPCIBusId(int* device, char* name);
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache* config);
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
cudaError_t cudaThreadGetLimit(size_t* value, enum cudaLimit limit);
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char* cudaGetErrorString(cudaError_t error);
const char* cudaGetErrorName(cudaError_t error);

cudaError_t cudaMalloc(void** pointer, size_t size TESLASIM_CALLER) TESLASIM_NAMED("cudaMalloc");
cudaError_t cudaMallocHost(void** pointer, size_t size);
cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags);
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags);
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host);
cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags);
cudaError_t cudaHostUnregister(void* pointer);
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMallocPitch");
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMalloc3D");
cudaError_t cudaMallocArray(struct cudaArray** array, const struct cudaChannelFormatDesc* channels, size_t width,
                            size_t height TESLASIM_OR(0), unsigned int flags TESLASIM_OR(0) TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMallocArray");
cudaError_t cudaMalloc3DArray(struct cudaArray** array, const struct cudaChannelFormatDesc* channels,
                              struct cudaExtent extent, unsigned int flags TESLASIM_OR(0) TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMalloc3DArray");
cudaError_t cudaFree(void* pointer TESLASIM_CALLER) TESLASIM_NAMED("cudaFree");
cudaError_t cudaFreeHost(void* pointer);
cudaError_t cudaFreeArray(struct cudaArray* array);
cudaError_t cudaMemGetInfo(size_t* available, size_t* total);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer);

cudaError_t cudaMemcpy(void* to, const void* from, size_t size, enum cudaMemcpyKind kind TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMemcpy");
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t size, enum cudaMemcpyKind kind,
                            cudaStream_t stream TESLASIM_OR(0) TESLASIM_CALLER) TESLASIM_NAMED("cudaMemcpyAsync");
cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind TESLASIM_CALLER) TESLASIM_NAMED("cudaMemcpy2D");
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* parameters);
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* parameters, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemcpyToArray(struct cudaArray* to, size_t x, size_t y, const void* from, size_t size,
                              enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyFromArray(void* to, const struct cudaArray* from, size_t x, size_t y, size_t size,
                                enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DToArray(struct cudaArray* to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, const struct cudaArray* from, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind);
cudaError_t cudaMemcpyArrayToArray(struct cudaArray* to, size_t to_x, size_t to_y, const struct cudaArray* from,
                                   size_t from_x, size_t from_y, size_t size,
                                   enum cudaMemcpyKind kind TESLASIM_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpy2DArrayToArray(struct cudaArray* to, size_t to_x, size_t to_y, const struct cudaArray* from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind TESLASIM_OR(cudaMemcpyDeviceToDevice));
cudaError_t cudaMemcpyToArrayAsync(struct cudaArray* to, size_t x, size_t y, const void* from, size_t size,
                                   enum cudaMemcpyKind kind, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemcpyFromArrayAsync(void* to, const struct cudaArray* from, size_t x, size_t y, size_t size,
                                     enum cudaMemcpyKind kind, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemcpy2DToArrayAsync(struct cudaArray* to, size_t x, size_t y, const void* from, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, const struct cudaArray* from, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemset(void* pointer, int value, size_t size TESLASIM_CALLER) TESLASIM_NAMED("cudaMemset");
cudaError_t cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent);
cudaError_t cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                              cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                              cudaStream_t stream TESLASIM_OR(0));

/* A symbol is the address of a variable, or its name: programs of CUDA 2.x to 4.x have both. */
cudaError_t cudaMemcpyToSymbol(const char* symbol, const void* from, size_t size, size_t offset TESLASIM_OR(0),
                               enum cudaMemcpyKind kind TESLASIM_OR(cudaMemcpyHostToDevice) TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMemcpyToSymbol");
cudaError_t cudaMemcpyFromSymbol(void* to, const char* symbol, size_t size, size_t offset TESLASIM_OR(0),
                                 enum cudaMemcpyKind kind TESLASIM_OR(cudaMemcpyDeviceToHost) TESLASIM_CALLER)
    TESLASIM_NAMED("cudaMemcpyFromSymbol");
cudaError_t cudaMemcpyToSymbolAsync(const char* symbol, const void* from, size_t size, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const char* symbol, size_t size, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaGetSymbolAddress(void** pointer, const char* symbol);
cudaError_t cudaGetSymbolSize(size_t* size, const char* symbol);

cudaError_t cudaStreamCreate(cudaStream_t* stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags);
cudaError_t cudaEventCreate(cudaEvent_t* event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end);

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* channels, const struct cudaArray* array);
cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* reference, const void* pointer,
                            const struct cudaChannelFormatDesc* channels, size_t size TESLASIM_OR(0xffffffffU));
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* reference, const void* pointer,
                              const struct cudaChannelFormatDesc* channels, size_t width, size_t height, size_t pitch);
cudaError_t cudaBindTextureToArray(const struct textureReference* reference, const struct cudaArray* array,
                                   const struct cudaChannelFormatDesc* channels);
cudaError_t cudaUnbindTexture(const struct textureReference* reference);
cudaError_t cudaGetTextureAlignmentOffset(size_t* offset, const struct textureReference* reference);
cudaError_t cudaGetTextureReference(const struct textureReference** reference, const char* symbol);

/* A launch `kernel<<<grid, block, shared, stream>>>(...)`: clang calls the first, then the kernel's stub the others. */
unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared TESLASIM_OR(0),
                                         struct CUstream_st* stream TESLASIM_OR(0) TESLASIM_CALLER)
    TESLASIM_NAMED("cudaPushCallConfiguration");
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream);
cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream);
/* The same by hand, as programs of CUDA 2.x do. */
cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared TESLASIM_OR(0),
                              cudaStream_t stream TESLASIM_OR(0) TESLASIM_CALLER) TESLASIM_NAMED("cudaConfigureCall");
cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset);
cudaError_t cudaLaunch(const char* kernel);
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const char* kernel);
cudaError_t cudaFuncSetCacheConfig(const char* kernel, enum cudaFuncCache config);
cudaError_t cudaFuncSetSharedMemConfig(const char* kernel, enum cudaSharedMemConfig config);
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t size);
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t size,
                                cudaStream_t stream TESLASIM_OR(0));
cudaError_t cudaSetDoubleForDevice(double* value);
cudaError_t cudaSetDoubleForHost(double* value);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
TESLASIM_C_NAMES_END
