// SPDX-License-Identifier: Apache-2.0
// The price of a European call option as the mean over random futures. Every thread draws its own random numbers
// (Tausworthe generator of L'Ecuyer 1996), makes them normal (Box and Muller 1958) and sums what the option is worth;
// blocks sum in shared memory. Checked against the same draws in double precision on the host, and against the formula.
#include "program.h"

#include <math.h>
#include <vector>

enum { BLOCK = 128 };
#define STOCK 20.0f
#define STRIKE 22.0f
#define YEARS 1.0f
#define INTEREST 0.05f
#define VOLATILITY 0.30f

// What all threads read: in constant memory one word goes to all of a warp at once.
struct Market {
  float drift, deviation;
};
__constant__ Market market;

struct Generator {
  unsigned int a, b, c;
};

__host__ __device__ inline Generator generator_of(unsigned int thread) {
  // The three parts may not be smaller than 2, 8 and 16.
  Generator generator = {thread * 2654435761U | 2U, (thread + 77U) * 2246822519U | 8U, (thread + 1234U) * 3266489917U | 16U};
  return generator;
}
__host__ __device__ inline unsigned int next(Generator* generator) {
  generator->a = (generator->a & 0xfffffffeU) << 12 ^ (generator->a << 13 ^ generator->a) >> 19;
  generator->b = (generator->b & 0xfffffff8U) << 4 ^ (generator->b << 2 ^ generator->b) >> 25;
  generator->c = (generator->c & 0xfffffff0U) << 17 ^ (generator->c << 3 ^ generator->c) >> 11;
  return generator->a ^ generator->b ^ generator->c;
}
// In (0, 1): never 0, whose logarithm is none.
__host__ __device__ inline float uniform(unsigned int word) {
  return ((float)(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

template <class Number>
__host__ __device__ inline Number worth(Number drift, Number deviation, Number normal) {
  const Number gain = Number(STOCK) * exp(drift + deviation * normal) - Number(STRIKE);
  return gain > 0 ? gain : Number(0);
}

// Two futures from two random words.
template <class Number>
__host__ __device__ inline Number two_futures(Number drift, Number deviation, Generator* generator) {
  const Number radius = sqrt(Number(-2) * log((Number)uniform(next(generator))));
  const Number angle = Number(6.283185307179586) * (Number)uniform(next(generator));
  return worth(drift, deviation, radius * (Number)sin(angle)) + worth(drift, deviation, radius * (Number)cos(angle));
}

__global__ void sum_futures(float* sums, int pairs_per_thread) {
  __shared__ float sums_of_threads[BLOCK];
  Generator generator = generator_of(blockIdx.x * BLOCK + threadIdx.x);
  float sum = 0;
  for (int i = 0; i < pairs_per_thread; ++i) sum += two_futures(market.drift, market.deviation, &generator);
  sums_of_threads[threadIdx.x] = sum;
  __syncthreads();
  for (int distance = BLOCK / 2; distance > 0; distance /= 2) {
    if (threadIdx.x < distance) sums_of_threads[threadIdx.x] += sums_of_threads[threadIdx.x + distance];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = sums_of_threads[0];
}

static double sum_on_host(Market m, int threads, int pairs_per_thread) {
  double sum = 0;
  for (int thread = 0; thread < threads; ++thread) {
    Generator generator = generator_of(thread);
    for (int i = 0; i < pairs_per_thread; ++i) sum += two_futures<double>(m.drift, m.deviation, &generator);
  }
  return sum;
}

static double price_by_formula() {
  const double deviation = VOLATILITY * sqrt(YEARS);
  const double d1 = (log(STOCK / STRIKE) + (INTEREST + 0.5 * VOLATILITY * VOLATILITY) * YEARS) / deviation;
  const double d2 = d1 - deviation;
  return STOCK * 0.5 * erfc(-d1 / sqrt(2.0)) - STRIKE * exp(-INTEREST * YEARS) * 0.5 * erfc(-d2 / sqrt(2.0));
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "blocks pairs");
  const int blocks = option(argc, argv, "blocks", 30);
  const int pairs = option(argc, argv, "pairs", 16);
  Market on_host;
  on_host.drift = (INTEREST - 0.5f * VOLATILITY * VOLATILITY) * YEARS;
  on_host.deviation = VOLATILITY * sqrtf(YEARS);
  CHECK(cudaMemcpyToSymbol(market, &on_host, sizeof(on_host)));

  std::vector<float> sums(blocks);
  float* device_sums;
  CHECK(cudaMalloc((void**)&device_sums, blocks * sizeof(float)));
  DeviceTimer timer;
  timer.start();
  sum_futures<<<blocks, BLOCK>>>(device_sums, pairs);
  CHECK_LAUNCH();
  const float milliseconds = timer.stop_in_milliseconds();
  CHECK(cudaMemcpy(&sums[0], device_sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_sums));

  double sum = 0;
  for (int i = 0; i < blocks; ++i) sum += sums[i];
  const double futures = 2.0 * blocks * BLOCK * pairs;
  const double discount = exp(-INTEREST * YEARS);
  const double on_device = discount * sum / futures;
  const double same_on_host = discount * sum_on_host(on_host, blocks * BLOCK, pairs) / futures;
  // The standard deviation of one future is about 5.5, so four of the mean:
  const double allowed = 4 * 5.5 / sqrt(futures);
  printf("%.0f futures in %.4f ms, %.1f million per second\n", futures, milliseconds, 1e-3 * futures / milliseconds);
  printf("price %.5f, on the host %.5f, by the formula %.5f +- %.5f\n", on_device, same_on_host, price_by_formula(), allowed);
  const bool is_same = fabs(on_device - same_on_host) < 2e-5 * same_on_host;
  return verdict(is_same && fabs(on_device - price_by_formula()) < allowed);
}
