// SPDX-License-Identifier: Apache-2.0
// Prices of European options by the formula of Black and Scholes (1973): long chains of mathematical functions on a few
// words, so that the special-function unit and the multiply-add pipeline matter, and memory does not.
#include "program.h"

#include <math.h>
#include <vector>

#define INTEREST 0.02f
#define VOLATILITY 0.30f

// The normal distribution by the polynomial of Abramowitz and Stegun (1964), 26.2.17: wrong by 7.5e-8 at most.
template <class Number>
__host__ __device__ inline Number normal_distribution(Number x) {
  const Number k = Number(1) / (Number(1) + Number(0.2316419) * (x < 0 ? -x : x));
  const Number sum = k * (Number(0.319381530) +
                          k * (Number(-0.356563782) +
                               k * (Number(1.781477937) + k * (Number(-1.821255978) + k * Number(1.330274429)))));
  const Number tail = Number(0.3989422804014327) * exp(Number(-0.5) * x * x) * sum;
  return x > 0 ? Number(1) - tail : tail;
}

template <class Number>
__host__ __device__ inline void price(Number stock, Number strike, Number years, Number* call, Number* put) {
  const Number deviation = Number(VOLATILITY) * sqrt(years);
  const Number d1 = (log(stock / strike) + (Number(INTEREST) + Number(0.5) * Number(VOLATILITY) * Number(VOLATILITY)) * years) /
                    deviation;
  const Number n1 = normal_distribution(d1);
  const Number n2 = normal_distribution(d1 - deviation);
  const Number discounted = strike * exp(-Number(INTEREST) * years);
  *call = stock * n1 - discounted * n2;
  *put = discounted * (Number(1) - n2) - stock * (Number(1) - n1);
}

__global__ void black_scholes(const float* stocks, const float* strikes, const float* years, float* calls, float* puts,
                              int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
    float call, put;
    price(stocks[i], strikes[i], years[i], &call, &put);
    calls[i] = call;
    puts[i] = put;
  }
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size blocks");
  const int count = option(argc, argv, "size", 8192);
  const int blocks = option(argc, argv, "blocks", 60);
  const size_t bytes = count * sizeof(float);
  std::vector<float> stocks(count), strikes(count), years(count), calls(count), puts(count);
  RandomNumbers random(7);
  for (int i = 0; i < count; ++i) {
    stocks[i] = random.between(5, 30);
    strikes[i] = random.between(1, 100);
    years[i] = random.between(0.25f, 10);
  }

  float* arrays[5];
  for (int i = 0; i < 5; ++i) CHECK(cudaMalloc((void**)&arrays[i], bytes));
  CHECK(cudaMemcpy(arrays[0], &stocks[0], bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(arrays[1], &strikes[0], bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(arrays[2], &years[0], bytes, cudaMemcpyHostToDevice));
  DeviceTimer timer;
  timer.start();
  black_scholes<<<blocks, 128>>>(arrays[0], arrays[1], arrays[2], arrays[3], arrays[4], count);
  CHECK_LAUNCH();
  const float milliseconds = timer.stop_in_milliseconds();
  CHECK(cudaMemcpy(&calls[0], arrays[3], bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&puts[0], arrays[4], bytes, cudaMemcpyDeviceToHost));

  double largest = 0;
  for (int i = 0; i < count; ++i) {
    double call, put;
    price((double)stocks[i], (double)strikes[i], (double)years[i], &call, &put);
    largest = fmax(largest, fmax(fabs(call - calls[i]), fabs(put - puts[i])));
  }
  printf("%d options in %.4f ms, %.1f million per second, largest error %.2g\n", count, milliseconds,
         1e-3 * count / milliseconds, largest);
  for (int i = 0; i < 5; ++i) CHECK(cudaFree(arrays[i]));
  // Amounts up to 100 in numbers of 24 bits, with some roundings each.
  return verdict(largest < 5e-5);
}
