// SPDX-License-Identifier: Apache-2.0
// Pointers that a kernel keeps in structs and arrays: of its parameters, of constants, of shared and local memory.
#include "program.h"

struct Rows {
  float* row[4];
  int shift[4];
};
__constant__ Rows constant_rows;
__device__ Rows device_rows;

__global__ void from_parameter(Rows rows, float* out, int turn) {
  const int t = threadIdx.x;
  out[t] = rows.row[t & 3][t >> 2] + rows.shift[(t + turn) & 3];
}
__global__ void from_constants(float* out, int turn) {
  const int t = threadIdx.x;
  out[t] = constant_rows.row[t & 3][t >> 2] + constant_rows.shift[(t + turn) & 3];
}
__global__ void from_device_memory(float* out, int turn) {
  const int t = threadIdx.x;
  if (t < 4) {
    device_rows.row[t] = constant_rows.row[3 - t];
    device_rows.shift[t] = t;
  }
  __syncthreads();
  out[t] = device_rows.row[t & 3][t >> 2] + device_rows.shift[(t + turn) & 3];
}

struct View {
  const float* start;
  int factor;
};
__global__ void views_of_shared_memory(float* out, int chosen) {
  __shared__ float single[32], twice[32];
  const int t = threadIdx.x;
  single[t] = t;
  twice[t] = 2 * t;
  __syncthreads();
  View views[2] = {{single, 3}, {twice + 1, 5}};
  const View view = views[chosen];
  out[t] = view.start[t % 31] * view.factor;
}

struct Ring {
  float* slot[3];
  int at;
  __device__ float* next() {
    at = (at + 1) % 3;
    return slot[at];
  }
};
__global__ void ring_of_buffers(float* out, int turns) {
  __shared__ float buffers[3][32];
  Ring ring;
  for (int i = 0; i < 3; ++i) ring.slot[i] = buffers[i];
  ring.at = 0;
  for (int turn = 0; turn < turns; ++turn) ring.next()[threadIdx.x] = 100 * turn + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = buffers[0][threadIdx.x] + buffers[1][31 - threadIdx.x] + buffers[2][threadIdx.x];
}

struct Link {
  int value;
  Link* next;
};
__global__ void list_in_shared_memory(float* out) {
  __shared__ Link links[32];
  const int t = threadIdx.x;
  links[t].value = 3 * t;
  links[t].next = t == 31 ? NULL : &links[t + 1];
  __syncthreads();
  int sum = 0;
  for (const Link* link = &links[t]; link != NULL; link = link->next) sum += link->value;
  out[t] = sum;
}

// Accesses of several words through such pointers.
__global__ void wide_words(float* out, int chosen) {
  __shared__ float2 pairs[32];
  __shared__ long long numbers[32];
  const int t = threadIdx.x;
  pairs[t] = make_float2(t, 2 * t);
  float2* halves[2] = {pairs, pairs + 16};
  long long* kept[2] = {numbers + 31 - t, numbers};
  *kept[chosen - 1] = (long long)t << 33;
  __syncthreads();
  if (t < 16) halves[chosen][t] = make_float2(halves[chosen][t].y, 7);
  __syncthreads();
  const float2 pair = halves[0][t];
  out[t] = pair.x * 100 + pair.y + (float)(kept[chosen][t] >> 33);
}

static int wrong = 0;
template <typename Expected>
static void expect(const char* what, const float* out, int count, Expected expected) {
  float found[64];
  CHECK(cudaMemcpy(found, out, count * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < count; ++i) {
    if (found[i] == expected(i)) continue;
    if (wrong++ < 10) printf("%s[%d]: %g instead of %g\n", what, i, found[i], (double)expected(i));
  }
}

int main() {
  Rows rows;
  for (int k = 0; k < 4; ++k) {
    float row[16];
    for (int i = 0; i < 16; ++i) row[i] = 1000 * k + i;
    CHECK(cudaMalloc((void**)&rows.row[k], sizeof(row)));
    CHECK(cudaMemcpy(rows.row[k], row, sizeof(row), cudaMemcpyHostToDevice));
    rows.shift[k] = 10 * k;
  }
  float* out;
  CHECK(cudaMalloc((void**)&out, 64 * sizeof(float)));
  const auto of_rows = [](int i) { return 1000.0f * (i & 3) + (i >> 2) + 10 * ((i + 1) & 3); };
  from_parameter<<<1, 64>>>(rows, out, 1);
  expect("parameter", out, 64, of_rows);
  CHECK(cudaMemcpyToSymbol(constant_rows, &rows, sizeof(rows)));
  from_constants<<<1, 64>>>(out, 1);
  expect("constants", out, 64, of_rows);
  from_device_memory<<<1, 64>>>(out, 1);
  expect("device memory", out, 64, [](int i) { return 1000.0f * (3 - (i & 3)) + (i >> 2) + ((i + 1) & 3); });
  for (int chosen = 0; chosen < 2; ++chosen) {
    views_of_shared_memory<<<1, 32>>>(out, chosen);
    expect("views", out, 32, [chosen](int i) { return chosen ? 10.0f * (i % 31 + 1) : 3.0f * (i % 31); });
  }
  ring_of_buffers<<<1, 32>>>(out, 7);
  expect("ring", out, 32, [](int i) { return 500.0f + i + 600 + 31 - i + 400 + i; });
  list_in_shared_memory<<<1, 32>>>(out);
  expect("list", out, 32, [](int i) {
    float sum = 0;
    for (int k = i; k < 32; ++k) sum += 3 * k;
    return sum;
  });
  wide_words<<<1, 32>>>(out, 1);
  expect("words", out, 32, [](int i) { return (i < 16 ? 102.0f * i : 200.0f * i + 7) + 31 - i; });
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}
