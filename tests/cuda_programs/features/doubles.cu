// SPDX-License-Identifier: Apache-2.0
// Double precision: sums, products, quotients, roots, functions, conversions; on compute capability 1.3.
#include "program.h"

#include <math.h>

enum { COUNT = 128 };

__global__ void compute(const double* in, double* out, long long* whole) {
  const int i = threadIdx.x;
  const double x = in[i];
  out[i] = sqrt(x) + exp(-x) / (1.0 + x * x) + sin(x) * cos(x) + log(x) + pow(x, 1.5) + fabs(-x) + floor(x) + fma(x, x, 1.0);
  whole[i] = (long long)(x * 1e6) + __double2int_rn(x) + __double2float_rn(x);
}

int main() {
  double in[COUNT], out[COUNT];
  long long whole[COUNT];
  for (int i = 0; i < COUNT; ++i) in[i] = 0.37 * (i + 1);
  double *device_in, *device_out;
  long long* device_whole;
  CHECK(cudaMalloc((void**)&device_in, sizeof(in)));
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  CHECK(cudaMalloc((void**)&device_whole, sizeof(whole)));
  CHECK(cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice));
  compute<<<1, COUNT>>>(device_in, device_out, device_whole);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(whole, device_whole, sizeof(whole), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int i = 0; i < COUNT; ++i) {
    const double x = in[i];
    const double expected = sqrt(x) + exp(-x) / (1.0 + x * x) + sin(x) * cos(x) + log(x) + pow(x, 1.5) + fabs(-x) + floor(x) + fma(x, x, 1.0);
    const float sum = (float)((long long)(x * 1e6) + (long long)rint(x)) + (float)x;
    is_right = is_right && fabs(out[i] - expected) <= 1e-13 * expected && llabs(whole[i] - (long long)sum) <= 4;
  }
  return verdict(is_right);
}
