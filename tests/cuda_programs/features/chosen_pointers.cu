// SPDX-License-Identifier: Apache-2.0
// Pointers that are chosen at run time among device memory, shared memory and constants: each access reaches the one it should.
#include "program.h"

enum { COUNT = 64 };

__constant__ float table[COUNT];
struct Rows {
  const float* first;
  const float* second;
};

__global__ void read_either(const float* in, float* out) {
  __shared__ float tile[2048];
  const int x = threadIdx.x;
  for (int i = x; i < 2048; i += COUNT) tile[i] = -1.0f - i;
  __syncthreads();
  const float* from = (x & 1) ? in : tile;
  out[x] = from[COUNT - 1 - x];
}

__global__ void read_constants_or_parameter(const float* in, float* out) {
  const int x = threadIdx.x;
  const float* from = x % 3 == 0 ? in : table;
  out[x] = from[x];
}

__global__ void read_loaded_or_shared(const Rows* rows, float* out) {
  __shared__ float tile[COUNT];
  const int x = threadIdx.x;
  tile[x] = 1000.0f + x;
  __syncthreads();
  const float* from = tile;
  if (x % 4 == 1) from = rows->first;
  if (x % 4 == 2) from = rows->second;
  out[x] = from[x];
}

__global__ void write_either(float* out, int turns) {
  __shared__ float tile[COUNT];
  const int x = threadIdx.x;
  tile[x] = 0.0f;
  out[x] = 0.0f;
  __syncthreads();
  float *to = tile, *other = out;
  for (int i = 0; i < turns; ++i) {  // double buffering
    to[x] += i;
    float* const next = other;
    other = to;
    to = next;
  }
  __syncthreads();
  out[x] += 100.0f * tile[x];
}

int main() {
  float in[COUNT], constants[COUNT], out[COUNT];
  for (int i = 0; i < COUNT; ++i) in[i] = (float)i, constants[i] = 500.0f + i;
  float *device_in, *device_out;
  Rows* device_rows;
  CHECK(cudaMalloc((void**)&device_in, sizeof(in)));
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  CHECK(cudaMalloc((void**)&device_rows, sizeof(Rows)));
  const Rows rows = {device_in, device_in + 1};
  CHECK(cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_rows, &rows, sizeof(rows), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToSymbol(table, constants, sizeof(constants)));
  int wrong = 0;

  read_either<<<1, COUNT>>>(device_in, device_out);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  for (int x = 0; x < COUNT; ++x) wrong += out[x] != ((x & 1) ? in[COUNT - 1 - x] : -1.0f - (COUNT - 1 - x));

  read_constants_or_parameter<<<1, COUNT>>>(device_in, device_out);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  for (int x = 0; x < COUNT; ++x) wrong += out[x] != (x % 3 == 0 ? in[x] : constants[x]);

  read_loaded_or_shared<<<1, COUNT - 1>>>(device_rows, device_out);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  for (int x = 0; x < COUNT - 1; ++x)
    wrong += out[x] != (x % 4 == 1 ? in[x] : x % 4 == 2 ? in[x + 1] : 1000.0f + x);

  write_either<<<1, COUNT>>>(device_out, 5);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  for (int x = 0; x < COUNT; ++x) wrong += out[x] != 1 + 3 + 100.0f * (0 + 2 + 4);
  printf("%d wrong\n", wrong);
  return verdict(wrong == 0);
}
