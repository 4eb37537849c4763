// SPDX-License-Identifier: Apache-2.0
// Bodies that attract each other, all pairs in every step, after Nyland, Harris and Prins (2007), "Fast N-body simulation
// with CUDA": a block loads a tile of bodies into shared memory, then every thread meets all of them.
#include "program.h"

#include <math.h>
#include <vector>

enum { BLOCK = 64 };
#define SOFTENING 0.01f  // keeps bodies that meet from pulling without limit
#define TIME_STEP 0.01f

// The acceleration that `other` (w is its mass) causes at `place`, added to `sum`.
__host__ __device__ inline float3 attracted(float4 place, float4 other, float3 sum) {
  const float x = other.x - place.x;
  const float y = other.y - place.y;
  const float z = other.z - place.z;
  const float inverse = 1.0f / sqrtf(x * x + y * y + z * z + SOFTENING);
  const float pull = other.w * inverse * inverse * inverse;
  return make_float3(sum.x + x * pull, sum.y + y * pull, sum.z + z * pull);
}

__global__ void step(const float4* places, float4* new_places, float4* speeds, int count) {
  __shared__ float4 tile[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const float4 place = places[i];
  float3 acceleration = make_float3(0, 0, 0);
  for (int first = 0; first < count; first += BLOCK) {
    tile[threadIdx.x] = places[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < BLOCK; ++k) acceleration = attracted(place, tile[k], acceleration);
    __syncthreads();
  }
  float4 speed = speeds[i];
  speed.x += acceleration.x * TIME_STEP;
  speed.y += acceleration.y * TIME_STEP;
  speed.z += acceleration.z * TIME_STEP;
  speeds[i] = speed;
  new_places[i] = make_float4(place.x + speed.x * TIME_STEP, place.y + speed.y * TIME_STEP,
                              place.z + speed.z * TIME_STEP, place.w);
}

static void step_on_host(std::vector<float4>& places, std::vector<float4>& speeds) {
  const std::vector<float4> old = places;
  for (size_t i = 0; i < old.size(); ++i) {
    float3 acceleration = make_float3(0, 0, 0);
    for (size_t k = 0; k < old.size(); ++k) acceleration = attracted(old[i], old[k], acceleration);
    speeds[i].x += acceleration.x * TIME_STEP;
    speeds[i].y += acceleration.y * TIME_STEP;
    speeds[i].z += acceleration.z * TIME_STEP;
    places[i].x += speeds[i].x * TIME_STEP;
    places[i].y += speeds[i].y * TIME_STEP;
    places[i].z += speeds[i].z * TIME_STEP;
  }
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size steps");
  const int count = divide_up(option(argc, argv, "size", 256), BLOCK) * BLOCK;
  const int steps = option(argc, argv, "steps", 4);
  const size_t bytes = count * sizeof(float4);
  std::vector<float4> places(count), speeds(count, make_float4(0, 0, 0, 0)), results(count);
  RandomNumbers random(6);
  for (int i = 0; i < count; ++i) {
    places[i].x = random.between(-1, 1);
    places[i].y = random.between(-1, 1);
    places[i].z = random.between(-1, 1);
    places[i].w = 1.0f / count;
  }

  float4 *device_places, *device_new_places, *device_speeds;
  CHECK(cudaMalloc((void**)&device_places, bytes));
  CHECK(cudaMalloc((void**)&device_new_places, bytes));
  CHECK(cudaMalloc((void**)&device_speeds, bytes));
  CHECK(cudaMemcpy(device_places, &places[0], bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_speeds, 0, bytes));
  DeviceTimer timer;
  timer.start();
  for (int i = 0; i < steps; ++i) {
    step<<<count / BLOCK, BLOCK>>>(device_places, device_new_places, device_speeds, count);
    CHECK_LAUNCH();
    float4* const old = device_places;
    device_places = device_new_places;
    device_new_places = old;
  }
  const float milliseconds = timer.stop_in_milliseconds();
  CHECK(cudaMemcpy(&results[0], device_places, bytes, cudaMemcpyDeviceToHost));

  for (int i = 0; i < steps; ++i) step_on_host(places, speeds);
  float largest = 0;
  for (int i = 0; i < count; ++i) {
    largest = fmaxf(largest, fabsf(results[i].x - places[i].x));
    largest = fmaxf(largest, fabsf(results[i].y - places[i].y));
    largest = fmaxf(largest, fabsf(results[i].z - places[i].z));
  }
  printf("%d bodies, %d steps in %.4f ms, %.2f billion pairs per second, largest difference %.2g\n", count, steps,
         milliseconds, 1e-6 * count * count * steps / milliseconds, largest);
  CHECK(cudaFree(device_places));
  CHECK(cudaFree(device_new_places));
  CHECK(cudaFree(device_speeds));
  return verdict(largest <= 2e-6f * steps);
}
