// SPDX-License-Identifier: Apache-2.0
// Tridiagonal systems after Zhang, Cohen and Owens 2010, a system a block: cyclic reduction, the same with every 17th word left out,
// and parallel cyclic reduction. The number of equations is known at run time only, as in the authors' later library.
#define MOST 512
#define PADDED_WORDS (MOST + MOST / 16)

struct Plain {
  static __device__ __forceinline__ int at(int i) { return i; }
  static __device__ __forceinline__ int words(int size) { return size; }
};
struct Padded {
  static __device__ __forceinline__ int at(int i) { return i + (i >> 4); }
  static __device__ __forceinline__ int words(int size) { return size + size / 16; }
};

struct System {
  float *a, *b, *c, *d, *x;
};

template <class Place>
__device__ __forceinline__ System system_in(float* words, int size) {
  int step = Place::words(size);
  System system = {words, words + step, words + 2 * step, words + 3 * step, words + 4 * step};
  return system;
}

// Two equations of the same two unknowns.
__device__ __forceinline__ void solve_two(System s, int i, int j) {
  float determinant = s.b[j] * s.b[i] - s.c[i] * s.a[j];
  s.x[i] = (s.b[j] * s.d[i] - s.c[i] * s.d[j]) / determinant;
  s.x[j] = (s.d[j] * s.b[i] - s.d[i] * s.a[j]) / determinant;
}

template <class Place>
__device__ __forceinline__ int reduce(System s, int size, int iterations) {
  int thread = threadIdx.x, threads = blockDim.x, stride = 1;
  for (int j = 0; j < iterations; ++j) {
    __syncthreads();
    int delta = stride;
    stride *= 2;
    if (thread < threads) {
      int own = stride * thread + stride - 1, right = own + delta;
      if (right >= size) right = size - 1;
      int i = Place::at(own), l = Place::at(own - delta), r = Place::at(right);
      float k1 = s.a[i] / s.b[l], k2 = s.c[i] / s.b[r];
      s.b[i] = s.b[i] - s.c[l] * k1 - s.a[r] * k2;
      s.d[i] = s.d[i] - s.d[l] * k1 - s.d[r] * k2;
      s.a[i] = -s.a[l] * k1;
      s.c[i] = -s.c[r] * k2;
    }
    threads /= 2;
  }
  return stride;
}

template <class Place>
__device__ __forceinline__ void put_back(System s, int stride, int iterations) {
  int thread = threadIdx.x, threads = 2;
  for (int j = 0; j < iterations; ++j) {
    int delta = stride / 2;
    __syncthreads();
    if (thread < threads) {
      int own = stride * thread + delta - 1;
      int i = Place::at(own), l = Place::at(own - delta), r = Place::at(own + delta);
      if (own == delta - 1) {
        s.x[i] = (s.d[i] - s.c[i] * s.x[r]) / s.b[i];
      } else {
        s.x[i] = (s.d[i] - s.a[i] * s.x[l] - s.c[i] * s.x[r]) / s.b[i];
      }
    }
    stride /= 2;
    threads *= 2;
  }
}

template <class Place>
__device__ __forceinline__ void cyclic_reduction(float* words, const float* in_a, const float* in_b, const float* in_c, const float* in_d,
                                                 float* out_x) {
  int thread = threadIdx.x, other = thread + blockDim.x, size = blockDim.x * 2, first = blockIdx.x * size;
  int iterations = (int)log2f((float)(size / 2));
  System s = system_in<Place>(words, size);
  s.a[Place::at(thread)] = in_a[first + thread];
  s.a[Place::at(other)] = in_a[first + other];
  s.b[Place::at(thread)] = in_b[first + thread];
  s.b[Place::at(other)] = in_b[first + other];
  s.c[Place::at(thread)] = in_c[first + thread];
  s.c[Place::at(other)] = in_c[first + other];
  s.d[Place::at(thread)] = in_d[first + thread];
  s.d[Place::at(other)] = in_d[first + other];
  if (thread == 0) s.a[0] = 0.0f;
  if (other == size - 1) s.c[Place::at(other)] = 0.0f;
  int stride = reduce<Place>(s, size, iterations);
  if (thread < 2) solve_two(s, Place::at(stride - 1), Place::at(2 * stride - 1));
  put_back<Place>(s, stride, iterations);
  __syncthreads();
  out_x[first + thread] = s.x[Place::at(thread)];
  out_x[first + other] = s.x[Place::at(other)];
}

extern "C" __global__ void cyclic(const float* in_a, const float* in_b, const float* in_c, const float* in_d, float* out_x) {
  __shared__ float words[5 * MOST];
  cyclic_reduction<Plain>(words, in_a, in_b, in_c, in_d, out_x);
}

extern "C" __global__ void cyclic_padded(const float* in_a, const float* in_b, const float* in_c, const float* in_d, float* out_x) {
  __shared__ float words[5 * PADDED_WORDS];
  cyclic_reduction<Padded>(words, in_a, in_b, in_c, in_d, out_x);
}

extern "C" __global__ void parallel(const float* in_a, const float* in_b, const float* in_c, const float* in_d, float* out_x) {
  __shared__ float words[5 * MOST];
  int thread = threadIdx.x, size = blockDim.x, first = blockIdx.x * size, delta = 1;
  int iterations = (int)log2f((float)(size / 2));
  System s = system_in<Plain>(words, size);
  s.a[thread] = thread == 0 ? 0.0f : in_a[first + thread];
  s.b[thread] = in_b[first + thread];
  s.c[thread] = thread == size - 1 ? 0.0f : in_c[first + thread];
  s.d[thread] = in_d[first + thread];
  __syncthreads();
  for (int j = 0; j < iterations; ++j) {
    int i = thread, right = i + delta, left = i - delta;
    if (right >= size) right = size - 1;
    if (left < 0) left = 0;
    float k1 = s.a[i] / s.b[left], k2 = s.c[i] / s.b[right];
    float b = s.b[i] - s.c[left] * k1 - s.a[right] * k2;
    float d = s.d[i] - s.d[left] * k1 - s.d[right] * k2;
    float a = -s.a[left] * k1, c = -s.c[right] * k2;
    __syncthreads();
    s.b[i] = b;
    s.d[i] = d;
    s.a[i] = a;
    s.c[i] = c;
    delta *= 2;
    __syncthreads();
  }
  if (thread < delta) solve_two(s, thread, thread + delta);
  __syncthreads();
  out_x[first + thread] = s.x[thread];
}
