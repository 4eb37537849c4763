// SPDX-License-Identifier: Apache-2.0
// Kernels that are templates of types, numbers and functors; shared memory whose size the launch says, divided by hand and
// of several types; structs and many parameters by value; tables of kernels.
#include "program.h"

#include <vector>

// One name for every type: two declarations of one extern array with different types do not agree.
template <class T>
struct SharedMemory {
  __device__ operator T*() {
    extern __shared__ int words[];
    return (T*)words;
  }
};
template <class T>
struct Sum {
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct Largest {
  __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};

template <class T, class Operation, int block>
__global__ void reduce(const T* in, T* out, int count, T neutral, Operation operation) {
  T* const partial = SharedMemory<T>();
  T value = neutral;
  for (int i = threadIdx.x; i < count; i += block) value = operation(value, in[i]);
  partial[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (threadIdx.x < distance) partial[threadIdx.x] = operation(partial[threadIdx.x], partial[threadIdx.x + distance]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = partial[0];
}

template <class T, class Operation>
static bool reduce_agrees(T neutral, Operation operation) {
  enum { COUNT = 777, BLOCK = 128 };
  std::vector<T> in(COUNT);
  T expected = neutral;
  for (int i = 0; i < COUNT; ++i) {
    in[i] = (T)((i * 37) % 101);
    expected = operation(expected, in[i]);
  }
  T *device_in, *device_out, out;
  CHECK(cudaMalloc((void**)&device_in, COUNT * sizeof(T)));
  CHECK(cudaMalloc((void**)&device_out, sizeof(T)));
  CHECK(cudaMemcpy(device_in, &in[0], COUNT * sizeof(T), cudaMemcpyHostToDevice));
  reduce<T, Operation, BLOCK><<<1, BLOCK, BLOCK * sizeof(T)>>>(device_in, device_out, COUNT, neutral, operation);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(&out, device_out, sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  return out == expected;
}

struct Shape {
  char letter;
  short width;
  double factor;
  float3 corner;
};

extern __shared__ float divided[];

__global__ void __launch_bounds__(64) parameters(Shape shape, char c, double d, short s, float4 quad, long long wide, bool flag,
                                                 double* out, int floats) {
  int* const behind = (int*)(divided + floats);
  divided[threadIdx.x] = shape.corner.y;
  behind[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const int other = 63 - threadIdx.x;
  out[threadIdx.x] = shape.letter + shape.width * shape.factor + divided[other] + behind[other] + c + d + s + quad.w + (double)wide + flag;
}

static bool parameters_arrive() {
  const Shape shape = {'A', -3, 0.5, make_float3(1, 2, 3)};
  double *device_out, out[64];
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  parameters<<<1, 64, 2 * 64 * 4>>>(shape, 'b', 0.25, -7, make_float4(1, 2, 3, 4), 1LL << 33, true, device_out, 64);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int i = 0; i < 64; ++i) {
    const double expected = 'A' - 3 * 0.5 + 2 + (63 - i) + 'b' + 0.25 - 7 + 4 + 8589934592.0 + 1;
    is_right = is_right && out[i] == expected;
  }
  CHECK(cudaFree(device_out));
  return is_right;
}

int main() {
  const bool sums = reduce_agrees<int>(0, Sum<int>()) && reduce_agrees<float>(0, Sum<float>()) && reduce_agrees<double>(0, Sum<double>());
  const bool largest = reduce_agrees<unsigned char>(0, Largest<unsigned char>()) && reduce_agrees<short>(-1, Largest<short>());
  const bool arrived = parameters_arrive();
  printf("sums %d, largest %d, parameters %d\n", sums, largest, arrived);
  return verdict(sums && largest && arrived);
}
