// SPDX-License-Identifier: Apache-2.0
// Copies of arrays in streams and from array to array, fills in streams; what is known of pointers, caches and places.
#include "program.h"

enum { WIDTH = 7, HEIGHT = 5, COUNT = WIDTH * HEIGHT };
static const size_t ROW = WIDTH * sizeof(int);

static bool arrays(cudaStream_t stream) {
  int in[COUNT], out[COUNT], part[4];
  for (int i = 0; i < COUNT; ++i) in[i] = i;
  const cudaChannelFormatDesc channels = cudaCreateChannelDesc<int>();
  cudaArray *first, *second, *wide;
  CHECK(cudaMallocArray(&first, &channels, WIDTH, HEIGHT));
  CHECK(cudaMallocArray(&second, &channels, WIDTH, HEIGHT));
  CHECK(cudaMallocArray(&wide, &channels, 2 * WIDTH, HEIGHT));
  CHECK(cudaMemcpyToArrayAsync(first, 0, 0, in, sizeof(in), cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DArrayToArray(second, 0, 0, first, 0, 0, ROW, HEIGHT));
  CHECK(cudaMemcpyFromArrayAsync(out, second, 0, 0, sizeof(out), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  bool is_right = true;
  for (int i = 0; i < COUNT; ++i) is_right = is_right && out[i] == i;
  // Rows of different lengths, from within one to within another.
  CHECK(cudaMemcpyArrayToArray(wide, 3 * sizeof(int), 1, first, sizeof(int), 0, 20 * sizeof(int)));
  CHECK(cudaMemcpyFromArray(out, wide, 3 * sizeof(int), 1, 20 * sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 20; ++i) is_right = is_right && out[i] == i + 1;
  CHECK(cudaMemcpy2DToArrayAsync(second, sizeof(int), 2, in, 2 * sizeof(int), 2 * sizeof(int), 2, cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpy2DFromArrayAsync(part, 2 * sizeof(int), second, sizeof(int), 2, 2 * sizeof(int), 2, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < 4; ++i) is_right = is_right && part[i] == i;
  is_right = is_right && cudaMemcpyArrayToArray(wide, 0, HEIGHT, first, 0, 0, 4) == cudaErrorInvalidValue;
  is_right = is_right && cudaMemcpy2DArrayToArray(wide, 0, 0, (cudaArray*)77, 0, 0, 4, 1) == cudaErrorInvalidResourceHandle;
  cudaGetLastError();
  CHECK(cudaFreeArray(first));
  CHECK(cudaFreeArray(second));
  CHECK(cudaFreeArray(wide));
  return is_right;
}

static bool fills(cudaStream_t stream) {
  int out[COUNT];
  cudaPitchedPtr box;
  CHECK(cudaMalloc3D(&box, make_cudaExtent(ROW, HEIGHT, 2)));
  CHECK(cudaMemset3DAsync(box, 0, make_cudaExtent(ROW, HEIGHT, 2), stream));
  CHECK(cudaMemset2DAsync(box.ptr, box.pitch, 0xff, ROW, HEIGHT - 1, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemcpy2D(out, ROW, box.ptr, box.pitch, ROW, HEIGHT, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(box.ptr));
  bool is_right = true;
  for (int i = 0; i < COUNT; ++i) is_right = is_right && out[i] == (i < COUNT - WIDTH ? -1 : 0);
  return is_right;
}

static bool pointers() {
  int *device, *mapped, *pinned, own = 0;
  void* seen;
  cudaPointerAttributes of_device, of_mapped, of_pinned;
  CHECK(cudaMalloc((void**)&device, 64));
  CHECK(cudaHostAlloc((void**)&mapped, 64, cudaHostAllocMapped));
  CHECK(cudaMallocHost((void**)&pinned, 64));
  CHECK(cudaHostGetDevicePointer(&seen, mapped, 0));
  CHECK(cudaPointerGetAttributes(&of_device, device + 3));
  CHECK(cudaPointerGetAttributes(&of_mapped, mapped));
  CHECK(cudaPointerGetAttributes(&of_pinned, pinned));
  bool is_right = of_device.memoryType == cudaMemoryTypeDevice && of_device.devicePointer == device + 3 && of_device.hostPointer == NULL;
  is_right = is_right && of_mapped.memoryType == cudaMemoryTypeHost && of_mapped.hostPointer == mapped && of_mapped.devicePointer == seen;
  is_right = is_right && of_pinned.hostPointer == pinned && of_pinned.devicePointer == NULL && of_pinned.device == 0;
  is_right = is_right && cudaPointerGetAttributes(&of_device, &own) == cudaErrorInvalidValue;
  cudaGetLastError();
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(mapped));
  CHECK(cudaFreeHost(pinned));
  return is_right;
}

static bool settings() {
  cudaFuncCache device = cudaFuncCachePreferL1, thread = cudaFuncCachePreferL1;
  char place[16];
  int number = 9, can = 9;
  double value = 1.5;
  CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferShared));
  CHECK(cudaDeviceGetCacheConfig(&device));
  CHECK(cudaThreadGetCacheConfig(&thread));
  CHECK(cudaDeviceGetPCIBusId(place, sizeof(place), 0));
  CHECK(cudaDeviceGetByPCIBusId(&number, place));
  CHECK(cudaDeviceCanAccessPeer(&can, 0, 0));
  CHECK(cudaSetDoubleForDevice(&value));
  CHECK(cudaSetDoubleForHost(&value));
  bool is_right = device == cudaFuncCachePreferNone && thread == cudaFuncCachePreferNone && value == 1.5;
  is_right = is_right && strcmp(place, "0000:01:00.0") == 0 && number == 0 && can == 0;
  is_right = is_right && cudaDeviceGetPCIBusId(place, 12, 0) == cudaErrorInvalidValue;
  is_right = is_right && cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice;
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  CHECK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  CHECK(cudaDeviceGetSharedMemConfig(&banks));
  is_right = is_right && banks == cudaSharedMemBankSizeFourByte;
  is_right = is_right && cudaDeviceEnablePeerAccess(1, 0) == cudaErrorInvalidDevice;
  is_right = is_right && cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled;
  cudaGetLastError();
  return is_right;
}

// From the device to itself, as programs for several devices do with one.
static bool peers(cudaStream_t stream) {
  int numbers[8] = {1, 2, 3, 4, 5, 6, 7, 8}, found[8] = {}, *device;
  CHECK(cudaMalloc(&device, 2 * sizeof(numbers)));
  CHECK(cudaMemcpy(device, numbers, sizeof(numbers), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyPeer(device + 8, 0, device, 0, sizeof(numbers)));
  CHECK(cudaMemcpyPeerAsync(device + 1, 0, device + 8, 0, sizeof(int), stream));
  CHECK(cudaMemcpy(found, device + 8, sizeof(found), cudaMemcpyDeviceToHost));
  bool is_right = memcmp(numbers, found, sizeof(found)) == 0;
  CHECK(cudaMemcpy(found, device, sizeof(found), cudaMemcpyDeviceToHost));
  is_right = is_right && found[1] == 1 && found[2] == 3;
  is_right = is_right && cudaMemcpyPeer(device, 1, device + 8, 0, 4) == cudaErrorInvalidDevice;
  cudaGetLastError();
  CHECK(cudaFree(device));
  return is_right;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  const bool parts[] = {arrays(stream), fills(stream), pointers(), settings(), peers(stream)};
  for (int i = 0; i < 5; ++i) {
    if (!parts[i]) printf("part %d is wrong\n", i);
  }
  return verdict(parts[0] && parts[1] && parts[2] && parts[3] && parts[4]);
}
