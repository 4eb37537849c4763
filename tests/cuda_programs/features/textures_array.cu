// SPDX-License-Identifier: Apache-2.0
// Textures on arrays: two dimensions filtered and wrapped, bytes as fractions, three dimensions, one dimension; copies from
// and to arrays.
#include "program.h"

#include <math.h>

enum { WIDTH = 16, HEIGHT = 8, DEPTH = 4 };
texture<float, 2, cudaReadModeElementType> smooth;
texture<unsigned char, 2, cudaReadModeNormalizedFloat> grey;
texture<float, 3, cudaReadModeElementType> volume;
texture<float, 1, cudaReadModeElementType> line;

__global__ void read_smooth(float* out) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  // Between four texels, and one width too far, which wraps.
  out[y * WIDTH + x] = tex2D(smooth, (x + 1.0f) / WIDTH + 1.0f, (y + 1.0f) / HEIGHT);
}
__global__ void read_others(float* out) {
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  out[y * WIDTH + x] = tex2D(grey, x - 1.0f, y + 0.5f) + tex3D(volume, x + 0.5f, y + 0.5f, 2.5f) + tex1D(line, x + 1.0f);
}

static float value(int x, int y, int z) {
  return (float)(x + 20 * y + 300 * z);
}

int main() {
  float picture[HEIGHT][WIDTH], solid[DEPTH][HEIGHT][WIDTH], out[HEIGHT][WIDTH], back[HEIGHT][WIDTH];
  unsigned char bytes[HEIGHT][WIDTH];
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      picture[y][x] = value(x, y, 0);
      bytes[y][x] = (unsigned char)(x + 16 * y);
      for (int z = 0; z < DEPTH; ++z) solid[z][y][x] = value(x, y, z);
    }
  }
  const cudaChannelFormatDesc one_float = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  const cudaChannelFormatDesc one_byte = cudaCreateChannelDesc<unsigned char>();
  cudaArray *picture_array, *byte_array, *solid_array, *line_array;
  CHECK(cudaMallocArray(&picture_array, &one_float, WIDTH, HEIGHT));
  CHECK(cudaMallocArray(&byte_array, &one_byte, WIDTH, HEIGHT));
  CHECK(cudaMallocArray(&line_array, &one_float, WIDTH));
  const cudaExtent extent = make_cudaExtent(WIDTH, HEIGHT, DEPTH);
  CHECK(cudaMalloc3DArray(&solid_array, &one_float, extent));
  CHECK(cudaMemcpyToArray(picture_array, 0, 0, picture, sizeof(picture), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2DToArray(byte_array, 0, 0, bytes, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyToArray(line_array, 0, 0, picture[0], sizeof(picture[0]), cudaMemcpyHostToDevice));
  cudaMemcpy3DParms copy = {0};
  copy.srcPtr = make_cudaPitchedPtr(solid, WIDTH * sizeof(float), WIDTH, HEIGHT);
  copy.dstArray = solid_array;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CHECK(cudaMemcpy3D(&copy));

  smooth.normalized = true;
  smooth.filterMode = cudaFilterModeLinear;
  smooth.addressMode[0] = cudaAddressModeWrap;
  smooth.addressMode[1] = cudaAddressModeClamp;
  line.filterMode = cudaFilterModeLinear;
  CHECK(cudaBindTextureToArray(smooth, picture_array, one_float));
  CHECK(cudaBindTextureToArray(grey, byte_array));
  CHECK(cudaBindTextureToArray(volume, solid_array, one_float));
  CHECK(cudaBindTextureToArray(line, line_array, one_float));

  float* device_out;
  CHECK(cudaMalloc((void**)&device_out, sizeof(out)));
  const dim3 block(WIDTH, HEIGHT);
  read_smooth<<<1, block>>>(device_out);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  bool is_right = true;
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      const int right = (x + 1) % WIDTH;
      const int below = y + 1 < HEIGHT ? y + 1 : y;
      const float expected = 0.25f * (picture[y][x] + picture[y][right] + picture[below][x] + picture[below][right]);
      // Weights have 8 bits.
      if (!(fabsf(out[y][x] - expected) < 0.2f)) is_right = false;
    }
  }
  read_others<<<1, block>>>(device_out);
  CHECK_LAUNCH();
  CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  for (int y = 0; y < HEIGHT; ++y) {
    for (int x = 0; x < WIDTH; ++x) {
      const int column = x > 0 ? x - 1 : 0;
      const float between = x + 1 < WIDTH ? x + 0.5f : x;
      const float expected = bytes[y][column] / 255.0f + value(x, y, 2) + between;
      if (!(fabsf(out[y][x] - expected) < 0.01f)) is_right = false;
    }
  }
  CHECK(cudaMemcpyFromArray(back, picture_array, 0, 0, sizeof(back), cudaMemcpyDeviceToHost));
  is_right = is_right && memcmp(back, picture, sizeof(back)) == 0;
  CHECK(cudaMemcpy2DFromArray(back, sizeof(back[0]), picture_array, 0, 2, sizeof(back[0]), 3, cudaMemcpyDeviceToHost));
  is_right = is_right && memcmp(back, picture[2], 3 * sizeof(back[0])) == 0;
  CHECK(cudaFreeArray(picture_array));
  CHECK(cudaFreeArray(byte_array));
  CHECK(cudaFreeArray(solid_array));
  CHECK(cudaFreeArray(line_array));
  return verdict(is_right);
}
