// SPDX-License-Identifier: Apache-2.0
// Textures on linear memory: elements of several types, normalised reads, doubles in pairs of words, an offset, a rebinding.
#include "program.h"

#include <math.h>

enum { COUNT = 256 };
texture<float, 1, cudaReadModeElementType> floats;
texture<int2, 1, cudaReadModeElementType> pairs;
texture<uchar4, 1, cudaReadModeNormalizedFloat> colours;
texture<float4> quads;
texture<unsigned short> shorts;

static __inline__ __device__ double fetch_double(texture<int2, 1> t, int i) {
  const int2 words = tex1Dfetch(t, i);
  return __hiloint2double(words.y, words.x);
}

__global__ void fetch(float* out, double* doubles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 colour = tex1Dfetch(colours, i);
  const float4 quad = tex1Dfetch(quads, i / 4);
  out[i] = tex1Dfetch(floats, i) + colour.x + 2 * colour.w + quad.y + tex1Dfetch(shorts, i);
  doubles[i] = 2 * fetch_double(pairs, i);
}

int main() {
  float values[COUNT];
  double doubles[COUNT], doubled[COUNT];
  uchar4 pixels[COUNT];
  unsigned short words[COUNT];
  for (int i = 0; i < COUNT; ++i) {
    values[i] = 0.5f * i;
    doubles[i] = 1.0 / (i + 1);
    pixels[i] = make_uchar4(i, 0, 0, 255 - i);
    words[i] = (unsigned short)(3 * i);
  }
  float *device_values, *device_out;
  double *device_doubles, *device_doubled;
  uchar4* device_pixels;
  unsigned short* device_words;
  CHECK(cudaMalloc((void**)&device_values, 2 * sizeof(values)));
  CHECK(cudaMalloc((void**)&device_out, sizeof(values)));
  CHECK(cudaMalloc((void**)&device_doubles, sizeof(doubles)));
  CHECK(cudaMalloc((void**)&device_doubled, sizeof(doubles)));
  CHECK(cudaMalloc((void**)&device_pixels, sizeof(pixels)));
  CHECK(cudaMalloc((void**)&device_words, sizeof(words)));
  CHECK(cudaMemcpy(device_values, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_values + COUNT, values, sizeof(values), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_doubles, doubles, sizeof(doubles), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_pixels, pixels, sizeof(pixels), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_words, words, sizeof(words), cudaMemcpyHostToDevice));

  CHECK(cudaBindTexture(0, floats, device_values, sizeof(values)));
  CHECK(cudaBindTexture(0, pairs, device_doubles, sizeof(doubles)));
  CHECK(cudaBindTexture(0, colours, device_pixels, sizeof(pixels)));
  CHECK(cudaBindTexture(0, quads, device_values, cudaCreateChannelDesc<float4>(), sizeof(values)));
  CHECK(cudaBindTexture(0, shorts, device_words));
  bool is_right = true;
  for (int round = 0; round < 2; ++round) {
    fetch<<<2, COUNT / 2>>>(device_out, device_doubled);
    CHECK_LAUNCH();
    float out[COUNT];
    CHECK(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(doubled, device_doubled, sizeof(doubled), cudaMemcpyDeviceToHost));
    for (int i = 0; i < COUNT; ++i) {
      const float expected = values[i] + (i + 2 * (255 - i)) / 255.0f + values[i / 4 * 4 + 1] + 3 * i;
      if (!(fabsf(out[i] - expected) < 1e-3f) || doubled[i] != 2 * doubles[i]) is_right = false;
    }
    size_t offset = 1;
    CHECK(cudaUnbindTexture(floats));
    CHECK(cudaBindTexture(&offset, floats, device_values + COUNT, sizeof(values)));
    is_right = is_right && offset == 0;
  }
  return verdict(is_right);
}
