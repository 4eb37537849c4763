// SPDX-License-Identifier: Apache-2.0
// In the manner of textbooks and homework: classes with device functions, constant structs with methods, 1D and 2D textures of the
// same data, mapped memory, streams with copies that do not wait, and macros that check every call.
#include <stdio.h>
#include <stdlib.h>

#include <cmath>
#include <iostream>
#include <vector>

using namespace std;

#define HANDLE_ERROR(err) (HandleError(err, __FILE__, __LINE__))
static void HandleError(cudaError_t err, const char* file, int line) {
  if (err != cudaSuccess) {
    printf("%s in %s at line %d\n", cudaGetErrorString(err), file, line);
    exit(EXIT_FAILURE);
  }
}

enum { DIM = 64 };

class Complex {
 public:
  float r, i;
  __host__ __device__ Complex(float a, float b) : r(a), i(b) {}
  __host__ __device__ float magnitude2(void) const { return r * r + i * i; }
  __host__ __device__ Complex operator*(const Complex& a) const { return Complex(r * a.r - i * a.i, i * a.r + r * a.i); }
  __host__ __device__ Complex operator+(const Complex& a) const { return Complex(r + a.r, i + a.i); }
};

__host__ __device__ int julia(int x, int y) {
  Complex c(-0.8f, 0.156f);
  Complex a(1.5f * (DIM / 2 - x) / (DIM / 2), 1.5f * (DIM / 2 - y) / (DIM / 2));
  for (int i = 0; i < 20; i++) {
    a = a * a + c;
    if (a.magnitude2() > 1000) return 0;
  }
  return 1;
}
__global__ void draw(unsigned char* ptr) {
  const int x = blockIdx.x, y = blockIdx.y;
  ptr[x + y * gridDim.x] = 255 * julia(x, y);
}

struct Sphere {
  float colour, radius, x, y, z;
  __host__ __device__ float hit(float ox, float oy) const {
    const float dx = ox - x, dy = oy - y;
    return dx * dx + dy * dy < radius * radius ? sqrtf(radius * radius - dx * dx - dy * dy) + z : -2e10f;
  }
};
enum { SPHERES = 8 };
__constant__ Sphere s[SPHERES];

__global__ void trace(float* ptr) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
  float nearest = -2e10f, colour = 0;
  for (int i = 0; i < SPHERES; i++) {
    const float t = s[i].hit(x, y);
    if (t > nearest) {
      nearest = t;
      colour = s[i].colour;
    }
  }
  ptr[x + y * DIM] = colour;
}

texture<float> texRow;
texture<float, 2> texPlane;

__global__ void spread(float* to, bool plane) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y, at = x + y * DIM;
  const int left = x == 0 ? at : at - 1, right = x == DIM - 1 ? at : at + 1;
  float l, c, r;
  if (plane) {
    l = tex2D(texPlane, x - 1, y);
    c = tex2D(texPlane, x, y);
    r = tex2D(texPlane, x + 1, y);
  } else {
    l = tex1Dfetch(texRow, left);
    c = tex1Dfetch(texRow, at);
    r = tex1Dfetch(texRow, right);
  }
  to[at] = c + 0.25f * (l + r - 2 * c);
}

const int threadsPerBlock = 128;
__global__ void dot(int n, float* a, float* b, float* c) {
  __shared__ float cache[threadsPerBlock];
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  float temp = 0;
  while (tid < n) {
    temp += a[tid] * b[tid];
    tid += blockDim.x * gridDim.x;
  }
  cache[threadIdx.x] = temp;
  __syncthreads();
  for (int i = blockDim.x / 2; i != 0; i /= 2) {
    if (threadIdx.x < i) cache[threadIdx.x] += cache[threadIdx.x + i];
    __syncthreads();
  }
  if (threadIdx.x == 0) c[blockIdx.x] = cache[0];
}

static bool draws() {
  unsigned char* device;
  vector<unsigned char> picture(DIM * DIM);
  HANDLE_ERROR(cudaMalloc((void**)&device, picture.size()));
  draw<<<dim3(DIM, DIM), 1>>>(device);
  HANDLE_ERROR(cudaMemcpy(&picture[0], device, picture.size(), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(device));
  int others = 0, inside = 0;
  for (int i = 0; i < DIM * DIM; ++i) {
    others += picture[i] != 255 * julia(i % DIM, i / DIM);
    inside += picture[i] == 255;
  }
  cout << inside << " points inside, " << others << " as the host does not have them" << endl;
  return inside > 100 && others < 10;  // products that are cut move points on the edge
}

static bool traces_rays() {
  Sphere* spheres = (Sphere*)malloc(sizeof(Sphere) * SPHERES);
  for (int i = 0; i < SPHERES; i++) {
    const Sphere one = {1.0f + i, 6.5f + i, 8.25f * i, 60.25f - 7 * i, (float)(i * i % 5)};
    spheres[i] = one;
  }
  HANDLE_ERROR(cudaMemcpyToSymbol(s, spheres, sizeof(Sphere) * SPHERES));
  float* device;
  vector<float> picture(DIM * DIM);
  HANDLE_ERROR(cudaMalloc(&device, DIM * DIM * sizeof(float)));
  trace<<<dim3(DIM / 16, DIM / 16), dim3(16, 16)>>>(device);
  HANDLE_ERROR(cudaMemcpy(&picture[0], device, DIM * DIM * sizeof(float), cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaFree(device));
  int others = 0;
  for (int at = 0; at < DIM * DIM; ++at) {
    float nearest = -2e10f, colour = 0;
    for (int i = 0; i < SPHERES; i++) {
      const float t = spheres[i].hit(at % DIM, at / DIM);
      if (t > nearest) {
        nearest = t;
        colour = spheres[i].colour;
      }
    }
    others += picture[at] != colour;
  }
  free(spheres);
  return others < 10;
}

static bool reads_both_textures_alike() {
  float *from, *row, *plane;
  vector<float> values(DIM * DIM), by_row(DIM * DIM), by_plane(DIM * DIM);
  for (int i = 0; i < DIM * DIM; ++i) values[i] = i * i % 101;
  const size_t bytes = values.size() * sizeof(float);
  HANDLE_ERROR(cudaMalloc(&from, bytes));
  HANDLE_ERROR(cudaMalloc(&row, bytes));
  HANDLE_ERROR(cudaMalloc(&plane, bytes));
  HANDLE_ERROR(cudaMemcpy(from, &values[0], bytes, cudaMemcpyHostToDevice));
  cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  HANDLE_ERROR(cudaBindTexture(NULL, texRow, from, bytes));
  HANDLE_ERROR(cudaBindTexture2D(NULL, texPlane, from, desc, DIM, DIM, sizeof(float) * DIM));
  spread<<<dim3(DIM / 16, DIM / 16), dim3(16, 16)>>>(row, false);
  spread<<<dim3(DIM / 16, DIM / 16), dim3(16, 16)>>>(plane, true);
  HANDLE_ERROR(cudaMemcpy(&by_row[0], row, bytes, cudaMemcpyDeviceToHost));
  HANDLE_ERROR(cudaMemcpy(&by_plane[0], plane, bytes, cudaMemcpyDeviceToHost));
  cudaUnbindTexture(texRow);
  cudaUnbindTexture(texPlane);
  return by_row == by_plane && by_row[65] == values[65] + 0.25f * (values[64] + values[66] - 2 * values[65]);
}

static bool maps_memory() {
  enum { N = 5000, BLOCKS = 8 };
  float *a, *b, *device_a, *device_b, *sums, partial[BLOCKS];
  HANDLE_ERROR(cudaHostAlloc((void**)&a, N * sizeof(float), cudaHostAllocWriteCombined | cudaHostAllocMapped));
  HANDLE_ERROR(cudaHostAlloc((void**)&b, N * sizeof(float), cudaHostAllocWriteCombined | cudaHostAllocMapped));
  double expected = 0, got = 0;
  for (int i = 0; i < N; i++) {
    a[i] = i % 7;
    b[i] = i % 3;
    expected += a[i] * b[i];
  }
  HANDLE_ERROR(cudaHostGetDevicePointer(&device_a, a, 0));
  HANDLE_ERROR(cudaHostGetDevicePointer(&device_b, b, 0));
  HANDLE_ERROR(cudaMalloc((void**)&sums, sizeof(partial)));
  dot<<<BLOCKS, threadsPerBlock>>>(N, device_a, device_b, sums);
  HANDLE_ERROR(cudaThreadSynchronize());
  HANDLE_ERROR(cudaMemcpy(partial, sums, sizeof(partial), cudaMemcpyDeviceToHost));
  for (int i = 0; i < BLOCKS; ++i) got += partial[i];
  HANDLE_ERROR(cudaFreeHost(a));
  HANDLE_ERROR(cudaFreeHost(b));
  return got == expected;
}

static bool copies_in_streams() {
  enum { STREAMS = 2, COUNT = 1024 };
  cudaStream_t streams[STREAMS];
  int *host, *device[STREAMS];
  HANDLE_ERROR(cudaHostAlloc((void**)&host, STREAMS * COUNT * sizeof(int), cudaHostAllocDefault));
  for (int i = 0; i < STREAMS; ++i) {
    HANDLE_ERROR(cudaStreamCreate(&streams[i]));
    HANDLE_ERROR(cudaMalloc(&device[i], COUNT * sizeof(int)));
    HANDLE_ERROR(cudaMemsetAsync(device[i], i + 1, COUNT * sizeof(int), streams[i]));
    HANDLE_ERROR(cudaMemcpyAsync(host + i * COUNT, device[i], COUNT * sizeof(int), cudaMemcpyDeviceToHost, streams[i]));
  }
  for (int i = 0; i < STREAMS; ++i) HANDLE_ERROR(cudaStreamSynchronize(streams[i]));
  return host[0] == 0x01010101 && host[2 * COUNT - 1] == 0x02020202;
}

int main(void) {
  cudaEvent_t start, stop;
  float elapsedTime = 0;
  HANDLE_ERROR(cudaEventCreate(&start));
  HANDLE_ERROR(cudaEventCreate(&stop));
  HANDLE_ERROR(cudaEventRecord(start, 0));
  const bool pictures = draws() && traces_rays();
  HANDLE_ERROR(cudaEventRecord(stop, 0));
  HANDLE_ERROR(cudaEventSynchronize(stop));
  HANDLE_ERROR(cudaEventElapsedTime(&elapsedTime, start, stop));
  const bool right = pictures && elapsedTime > 0 && reads_both_textures_alike() && maps_memory() && copies_in_streams();
  printf(right ? "PASSED\n" : "FAILED\n");
  return right ? 0 : 1;
}
