// Tables of addresses: of shared, constant and device arrays, of texts, of nodes that lead to each other.
#include <stdio.h>
#include <string.h>

__constant__ float small[4] = {1, 2, 3, 4}, large[4] = {10, 20, 30, 40};
__device__ float first_row[4] = {5, 6, 7, 8}, second_row[4] = {50, 60, 70, 80};
__constant__ float* rows[2] = {first_row, second_row + 1};
__device__ int numbers[6] = {1, 2, 3, 4, 5, 6};
__device__ int* all = numbers;
__device__ int* rest = numbers + 2;
__device__ const char* const colours[] = {"red", "green", "blue"};

struct Operation {
  const char* name;
  int code;
  float weight;
};
__constant__ Operation operations[3] = {{"add", 1, 0.5f}, {"sub", 2, 1.5f}, {"mul", 3, 2.5f}};

struct Node {
  int value;
  Node* next;
};
extern __device__ Node second;
__device__ Node first = {100, &second};
__device__ Node second = {200, &first};

__global__ void shared_tables(int* out, int chosen) {
  __shared__ int up[32], down[32];
  const int t = threadIdx.x;
  up[t] = t;
  down[t] = 3 * t;
  __syncthreads();
  int* tables[2] = {up, down};
  out[t] = tables[chosen][31 - t];
}
__global__ void shared_pointers_in_shared_memory(int* out, int chosen) {
  __shared__ int up[32], down[32];
  __shared__ int* tables[2];
  const int t = threadIdx.x;
  up[t] = t;
  down[t] = 3 * t;
  if (t == 0) {
    tables[0] = up;
    tables[1] = down;
  }
  __syncthreads();
  out[t] = tables[chosen][31 - t];
}
__global__ void local_tables(int* out, int chosen) {
  int squares[4], cubes[4];
  for (int i = 0; i < 4; ++i) {
    squares[i] = i * i + out[threadIdx.x] * 0;
    cubes[i] = i * i * i;
  }
  int* tables[2] = {squares, cubes};
  out[threadIdx.x] = tables[chosen][threadIdx.x & 3];
}
__global__ void constant_tables(float* out, int chosen) {
  const float* tables[] = {small, large};
  out[threadIdx.x] = tables[chosen][threadIdx.x & 3];
}
__global__ void device_tables(float* out, int chosen) {
  const float* tables[] = {first_row, second_row};
  out[threadIdx.x] = tables[chosen][threadIdx.x & 3];
}
__global__ void file_tables(float* out, int chosen) {
  out[threadIdx.x] = rows[chosen][threadIdx.x & 1];
}
__global__ void pointers(int* out) {
  out[threadIdx.x] = all[threadIdx.x % 6] * 100 + rest[threadIdx.x % 4];
}
__global__ void texts(char* out, int chosen) {
  const char* names[] = {"alpha", "beta", "gamma"};
  if (threadIdx.x < 4) out[threadIdx.x] = names[chosen][threadIdx.x];
  if (threadIdx.x < 3) out[4 + threadIdx.x] = colours[chosen][threadIdx.x];
  if (threadIdx.x < 3) out[7 + threadIdx.x] = operations[chosen].name[threadIdx.x];
  if (threadIdx.x == 0) out[10] = '0' + operations[chosen].code + (int)(2 * operations[chosen].weight);
}
__global__ void nodes(int* out) {
  Node* node = &first;
  for (unsigned i = 0; i < threadIdx.x % 3; ++i) node = node->next;
  out[threadIdx.x] = node->value;
}

static int wrong = 0;
static void check(const char* what, int at, double found, double expected) {
  if (found == expected) return;
  if (wrong++ < 10) printf("%s[%d]: %g instead of %g\n", what, at, found, expected);
}

int main() {
  int* d;
  int h[32];
  float f[32];
  cudaMalloc((void**)&d, sizeof(h));
  for (int chosen = 0; chosen < 2; ++chosen) {
    shared_tables<<<1, 32>>>(d, chosen);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("shared", i, h[i], (31 - i) * (chosen ? 3 : 1));
    shared_pointers_in_shared_memory<<<1, 32>>>(d, chosen);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("shared in shared", i, h[i], (31 - i) * (chosen ? 3 : 1));
    local_tables<<<1, 32>>>(d, chosen);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("local", i, h[i], (i & 3) * (i & 3) * (chosen ? (i & 3) : 1));
    constant_tables<<<1, 32>>>((float*)d, chosen);
    cudaMemcpy(f, d, sizeof(f), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("constant", i, f[i], ((i & 3) + 1) * (chosen ? 10 : 1));
    device_tables<<<1, 32>>>((float*)d, chosen);
    cudaMemcpy(f, d, sizeof(f), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("device", i, f[i], ((i & 3) + 5) * (chosen ? 10 : 1));
    file_tables<<<1, 32>>>((float*)d, chosen);
    cudaMemcpy(f, d, sizeof(f), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) check("file", i, f[i], chosen ? ((i & 1) + 6) * 10 : (i & 1) + 5);
  }
  pointers<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) check("pointers", i, h[i], (i % 6 + 1) * 100 + i % 4 + 3);
  nodes<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) check("nodes", i, h[i], i % 3 == 1 ? 200 : 100);
  const char* expected[] = {"alphredadd2", "betagresub5", "gammblumul8"};
  for (int chosen = 0; chosen < 3; ++chosen) {
    char text[12] = "";
    texts<<<1, 32>>>((char*)d, chosen);
    cudaMemcpy(text, d, 11, cudaMemcpyDeviceToHost);
    if (strcmp(text, expected[chosen]) != 0) ++wrong, printf("texts: '%s' instead of '%s'\n", text, expected[chosen]);
  }
  // A table in constants is the host's as well.
  float* mine[2];
  cudaMemcpyFromSymbol(mine, rows, sizeof(mine));
  float* swapped[2] = {mine[1], mine[0]};
  cudaMemcpyToSymbol(rows, swapped, sizeof(swapped));
  file_tables<<<1, 32>>>((float*)d, 1);
  cudaMemcpy(f, d, sizeof(f), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) check("swapped", i, f[i], (i & 1) + 5);
  cudaFree(d);
  printf(wrong ? "FAILED\n" : "PASSED\n");
  return wrong != 0;
}
