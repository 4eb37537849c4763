// SPDX-License-Identifier: Apache-2.0
// Pointers in device memory (lists, structs of arrays), arrays of a thread, switches, narrow and odd types, grids and blocks
// of all dimensions, the clock.
#include "program.h"

#include <vector>

struct Node {
  int value;
  Node* next;
};

__global__ void build_list(Node* nodes, int count) {
  const int i = threadIdx.x;
  if (i < count) {
    nodes[i].value = i * i;
    nodes[i].next = i + 1 < count ? &nodes[i + 1] : NULL;
  }
}
__global__ void sum_list(const Node* node, int* sum) {
  int total = 0;
  while (node != NULL) {
    total += node->value;
    node = node->next;
  }
  *sum = total;
}

// No kernel calls these: what no chip could do in them is nobody's trouble.
typedef int (*Function)(int);
__device__ int unused_countdown(int from) {
  return from == 0 ? 0 : unused_countdown(from - 1);
}
__device__ int unused_twice(int value) {
  return 2 * value;
}
__device__ Function unused_choice(bool first) {
  return first ? unused_twice : unused_countdown;
}

// A small stack machine per thread: the stack is an array that is indexed by what the program says.
__global__ void interpret(const unsigned char* program, int length, short* out) {
  int stack[16];
  int top = 0;
  const int x = blockIdx.y * gridDim.x + blockIdx.x;
  const int y = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  for (int i = 0; i < length; ++i) {
    switch (program[i]) {
      case 'x': stack[top++] = x; break;
      case 'y': stack[top++] = y; break;
      case '+': --top; stack[top - 1] += stack[top]; break;
      case '*': --top; stack[top - 1] *= stack[top]; break;
      case '%': --top; stack[top - 1] %= stack[top]; break;
      case '-': --top; stack[top - 1] -= stack[top]; break;
      default: stack[top++] = program[i] - '0'; break;
    }
  }
  out[x * blockDim.x * blockDim.y * blockDim.z + y] = (short)stack[0];
}

struct Pixel {
  unsigned char red, green, blue;
};
__global__ void narrow(Pixel* pixels, float3* triples, bool* flags, signed char* bytes, clock_t* ticks) {
  const clock_t start = clock();
  const int i = threadIdx.x;
  const Pixel pixel = pixels[i];
  pixels[i].red = pixel.blue;
  pixels[i].blue = pixel.red;
  triples[i] = make_float3(triples[i].z, triples[i].x, triples[i].y);
  flags[i] = !flags[i];
  bytes[i] = (signed char)(bytes[i] >> 1);
  ticks[i] = clock() - start;
}

static bool lists() {
  enum { COUNT = 60 };
  Node* nodes;
  int *device_sum, sum = 0, expected = 0;
  CHECK(cudaMalloc((void**)&nodes, COUNT * sizeof(Node)));
  CHECK(cudaMalloc((void**)&device_sum, sizeof(int)));
  build_list<<<1, 64>>>(nodes, COUNT);
  sum_list<<<1, 1>>>(nodes, device_sum);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(&sum, device_sum, sizeof(int), cudaMemcpyDeviceToHost));
  for (int i = 0; i < COUNT; ++i) expected += i * i;
  Node second;
  CHECK(cudaMemcpy(&second, nodes + 1, sizeof(Node), cudaMemcpyDeviceToHost));
  return sum == expected && second.next == nodes + 2;
}

static bool interpreter() {
  const char program[] = "x3*y+7%xy*-";
  const dim3 grid(3, 2), block(4, 3, 2);
  const int threads = 6 * 24;
  unsigned char* device_program;
  short *device_out, out[6 * 24];
  CHECK(cudaMalloc((void**)&device_program, sizeof(program)));
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  CHECK(cudaMemcpy(device_program, program, sizeof(program), cudaMemcpyHostToDevice));
  interpret<<<grid, block>>>(device_program, sizeof(program) - 1, device_out);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int i = 0; i < threads; ++i) {
    const int x = i / 24, y = i % 24;
    is_right = is_right && out[i] == (short)((x * 3 + y) % 7 - x * y);
  }
  return is_right;
}

static bool narrow_types() {
  enum { COUNT = 48 };
  Pixel pixels[COUNT];
  float3 triples[COUNT];
  bool flags[COUNT];
  signed char bytes[COUNT];
  clock_t ticks[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    pixels[i].red = i;
    pixels[i].green = 100 + i;
    pixels[i].blue = 200;
    triples[i] = make_float3(i, i + 0.25f, i + 0.5f);
    flags[i] = i % 3 == 0;
    bytes[i] = (signed char)(i - 24);
  }
  char* memory;
  CHECK(cudaMalloc((void**)&memory, 8192));
  Pixel* const device_pixels = (Pixel*)memory;
  float3* const device_triples = (float3*)(memory + 1024);
  bool* const device_flags = (bool*)(memory + 2048);
  signed char* const device_bytes = (signed char*)(memory + 3072);
  clock_t* const device_ticks = (clock_t*)(memory + 4096);
  CHECK(cudaMemcpy(device_pixels, pixels, sizeof(pixels), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_triples, triples, sizeof(triples), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_flags, flags, sizeof(flags), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_bytes, bytes, sizeof(bytes), cudaMemcpyHostToDevice));
  narrow<<<1, COUNT>>>(device_pixels, device_triples, device_flags, device_bytes, device_ticks);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(pixels, device_pixels, sizeof(pixels), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(triples, device_triples, sizeof(triples), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(flags, device_flags, sizeof(flags), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bytes, device_bytes, sizeof(bytes), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(ticks, device_ticks, sizeof(ticks), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int i = 0; i < COUNT; ++i) {
    is_right = is_right && pixels[i].red == 200 && pixels[i].green == 100 + i && pixels[i].blue == i && triples[i].x == i + 0.5f &&
               triples[i].z == i + 0.25f && flags[i] == (i % 3 != 0) && bytes[i] == (signed char)((i - 24) >> 1) && ticks[i] >= 0;
  }
  return is_right;
}

int main() {
  const bool list = lists();
  const bool stack = interpreter();
  const bool types = narrow_types();
  printf("lists %d, interpreter %d, types %d\n", list, stack, types);
  return verdict(list && stack && types);
}
