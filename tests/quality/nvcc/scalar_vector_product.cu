// SPDX-License-Identifier: Apache-2.0
// Products of two vectors, of which every thread whose number divides by 2, 4, 8... adds its neighbour at distance 1, 2, 4...
__global__ void scalar_vector_product(int* out, const int* a, const int* b, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = a[i] * b[i];
  out[i] = sum;
  for (int distance = 1; 2 * distance <= count; distance *= 2) {
    if (i % (2 * distance) == 0) {
      sum += out[i + distance];
      out[i] = sum;
    }
  }
}
