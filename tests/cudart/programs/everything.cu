// SPDX-License-Identifier: Apache-2.0
// One use of each kind of call; prints "ok" when every result is right.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) {                                               \
      printf("line %d: %s\n", __LINE__, #condition);                  \
      exit(1);                                                        \
    }                                                                 \
  } while (0)
#define CALL(call) CHECK((call) == cudaSuccess)

__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int counter = 5;
texture<float, 1, cudaReadModeElementType> line;
texture<uchar4, 2, cudaReadModeNormalizedFloat> plane;

struct Pair {
  float* to;
  int count;
};

__global__ void scale(const float* from, Pair pair) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pair.count) pair.to[i] = from[i] * factors[i % 4];
}
__global__ void count() {
  counter = counter + 1;
}
template <class T>
__global__ void fill(T* to, T value) {
  extern __shared__ char scratch[];
  T* own = (T*)scratch;
  own[threadIdx.x] = value;
  __syncthreads();
  to[threadIdx.x] = own[blockDim.x - 1 - threadIdx.x];
}
__global__ void fetch_line(float* to) {
  to[threadIdx.x] = tex1Dfetch(line, threadIdx.x);
}
__global__ void fetch_plane(float* to, int width) {
  int x = threadIdx.x, y = threadIdx.y;
  to[y * width + x] = tex2D(plane, x + 0.5f, y + 0.5f).y;
}
__global__ void add_one(int* values) {
  values[threadIdx.x] += 1;
}

static void memory() {
  const int n = 1000;
  float host[n], back[n];
  for (int i = 0; i < n; ++i) host[i] = (float)i;
  float *from, *to;
  CALL(cudaMalloc((void**)&from, sizeof(host)));
  CALL(cudaMalloc(&to, sizeof(host)));
  CALL(cudaMemset(to, 0, sizeof(host)));
  CALL(cudaMemcpy(from, host, sizeof(host), cudaMemcpyHostToDevice));
  const float other[4] = {5, 6, 7, 8};
  CALL(cudaMemcpyToSymbol(factors, other, sizeof(other)));
  // Pointers into the middle of buffers, in a structure.
  scale<<<8, 128>>>(from + 8, Pair{to + 8, n - 8});
  CALL(cudaGetLastError());
  CALL(cudaThreadSynchronize());
  CALL(cudaMemcpy(back, to, sizeof(back), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) CHECK(back[i] == (i < 8 ? 0 : host[i] * other[i % 4]));
  float read[4];
  CALL(cudaMemcpyFromSymbol(read, "factors", sizeof(read)));
  CHECK(read[3] == 8);
  CALL(cudaFree(from));
  CALL(cudaFree(to));
}

static void symbols() {
  count<<<1, 1>>>();
  int value = 0;
  CALL(cudaMemcpyFromSymbol(&value, counter, sizeof(value)));
  CHECK(value == 6);
  void* address = 0;
  size_t size = 0;
  CALL(cudaGetSymbolAddress(&address, counter));
  CALL(cudaGetSymbolSize(&size, counter));
  CHECK(size == sizeof(int));
  value = 40;
  CALL(cudaMemcpy(address, &value, sizeof(value), cudaMemcpyHostToDevice));
  count<<<1, 1>>>();
  CALL(cudaMemcpy(&value, address, sizeof(value), cudaMemcpyDefault));
  CHECK(value == 41);
}

static void launches() {
  float* to;
  float back[64];
  CALL(cudaMalloc(&to, sizeof(back)));
  fill<float><<<1, 64, sizeof(back)>>>(to, 2.5f);
  CALL(cudaMemcpy(back, to, sizeof(back), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) CHECK(back[i] == 2.5f);
  // By hand, as in CUDA 2.x.
  float value = 3.5f;
  CALL(cudaConfigureCall(dim3(1), dim3(64), sizeof(back)));
  CALL(cudaSetupArgument(to, 0));
  CALL(cudaSetupArgument(value, 8));
  CALL(cudaLaunch(fill<float>));
  CALL(cudaMemcpy(back, to, sizeof(back), cudaMemcpyDeviceToHost));
  CHECK(back[0] == 3.5f && back[63] == 3.5f);
  cudaFuncAttributes attributes;
  CALL(cudaFuncGetAttributes(&attributes, fill<float>));
  CHECK(attributes.numRegs > 0 && attributes.maxThreadsPerBlock == 512);
  CALL(cudaFree(to));
}

static void textures() {
  float host[32], back[32], *from, *to;
  for (int i = 0; i < 32; ++i) host[i] = (float)(i * i);
  CALL(cudaMalloc(&from, sizeof(host)));
  CALL(cudaMalloc(&to, sizeof(host)));
  CALL(cudaMemcpy(from, host, sizeof(host), cudaMemcpyHostToDevice));
  CALL(cudaBindTexture(0, line, from, sizeof(host)));
  fetch_line<<<1, 32>>>(to);
  CALL(cudaMemcpy(back, to, sizeof(back), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) CHECK(back[i] == host[i]);
  CALL(cudaUnbindTexture(line));

  const int width = 8, height = 4;
  uchar4 image[width * height];
  for (int i = 0; i < width * height; ++i) image[i] = make_uchar4(0, (unsigned char)(i * 8), 0, 0);
  cudaArray* array;
  cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
  CALL(cudaMallocArray(&array, &channels, width, height));
  CALL(cudaMemcpyToArray(array, 0, 0, image, sizeof(image), cudaMemcpyHostToDevice));
  CALL(cudaBindTextureToArray(plane, array));
  fetch_plane<<<1, dim3(width, height)>>>(to, width);
  CALL(cudaMemcpy(back, to, sizeof(back), cudaMemcpyDeviceToHost));
  for (int i = 0; i < width * height; ++i) CHECK(back[i] > i * 8 / 255.f - 0.01f && back[i] < i * 8 / 255.f + 0.01f);
  uchar4 part[2];
  CALL(cudaMemcpyFromArray(part, array, 2 * sizeof(uchar4), 1, sizeof(part), cudaMemcpyDeviceToHost));
  CHECK(part[0].y == 80 && part[1].y == 88);
  CALL(cudaFreeArray(array));
  CALL(cudaFree(from));
  CALL(cudaFree(to));
}

static void rows() {
  int host[3][5], back[3][5], *to;
  for (int i = 0; i < 15; ++i) host[i / 5][i % 5] = i;
  size_t pitch;
  CALL(cudaMallocPitch(&to, &pitch, sizeof(host[0]), 3));
  CHECK(pitch % 64 == 0 && pitch >= sizeof(host[0]));
  CALL(cudaMemset2D(to, pitch, 0xff, sizeof(host[0]), 3));
  CALL(cudaMemcpy2D(to, pitch, host, sizeof(host[0]), sizeof(host[0]), 3, cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2D(back, sizeof(back[0]), to, pitch, sizeof(back[0]), 3, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 15; ++i) CHECK(back[i / 5][i % 5] == i);
  CALL(cudaFree(to));
}

static void streams() {
  int *pinned, *device, *mapped, *seen;
  CALL(cudaMallocHost(&pinned, 32 * sizeof(int)));
  CALL(cudaMalloc(&device, 32 * sizeof(int)));
  for (int i = 0; i < 32; ++i) pinned[i] = i;
  cudaStream_t stream;
  cudaEvent_t start, end;
  CALL(cudaStreamCreate(&stream));
  CALL(cudaEventCreate(&start));
  CALL(cudaEventCreate(&end));
  CALL(cudaEventRecord(start, stream));
  CALL(cudaMemcpyAsync(device, pinned, 32 * sizeof(int), cudaMemcpyHostToDevice, stream));
  add_one<<<1, 32, 0, stream>>>(device);
  CALL(cudaMemcpyAsync(pinned, device, 32 * sizeof(int), cudaMemcpyDeviceToHost, stream));
  CALL(cudaEventRecord(end, stream));
  CHECK(cudaStreamQuery(stream) == cudaErrorNotReady);
  while (cudaEventQuery(end) == cudaErrorNotReady) {
  }
  CALL(cudaStreamSynchronize(stream));
  float ms = 0;
  CALL(cudaEventElapsedTime(&ms, start, end));
  CHECK(ms > 0.01f && ms < 1);
  for (int i = 0; i < 32; ++i) CHECK(pinned[i] == i + 1);
  CALL(cudaHostAlloc(&mapped, 32 * sizeof(int), cudaHostAllocMapped));
  CALL(cudaHostGetDevicePointer(&seen, mapped, 0));
  for (int i = 0; i < 32; ++i) mapped[i] = i;
  add_one<<<1, 32>>>(seen);
  CALL(cudaThreadSynchronize());
  for (int i = 0; i < 32; ++i) CHECK(mapped[i] == i + 1);
  CALL(cudaEventDestroy(start));
  CALL(cudaStreamDestroy(stream));
  CALL(cudaFreeHost(pinned));
  CALL(cudaFreeHost(mapped));
}

static void device() {
  int count = 0;
  cudaDeviceProp facts;
  CALL(cudaGetDeviceCount(&count));
  CHECK(count == 1);
  CALL(cudaSetDevice(0));
  CHECK(cudaSetDevice(1) == cudaErrorInvalidDevice);
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  CALL(cudaGetLastError());
  CALL(cudaGetDeviceProperties(&facts, 0));
  CHECK(facts.warpSize == 32 && facts.maxThreadsPerBlock == 512 && facts.major == 1);
  size_t free_bytes, bytes;
  CALL(cudaMemGetInfo(&free_bytes, &bytes));
  CHECK(bytes == facts.totalGlobalMem && free_bytes <= bytes);
  printf("%s, %d multiprocessors\n", facts.name, facts.multiProcessorCount);
}

int main() {
  device();
  memory();
  symbols();
  launches();
  textures();
  rows();
  streams();
  CALL(cudaThreadExit());
  printf("ok\n");
  return 0;
}
