// SPDX-License-Identifier: Apache-2.0
// Functions that CUDA has and C++ has not, on both sides: the device's against the host's.
#include <math.h>
#include <stdio.h>

enum { COUNT = 256, SINGLES = 9, DOUBLES = 10 };

__global__ void singles(const float* x, float* out) {
  const int i = threadIdx.x;
  const float v = x[i];
  float* own = out + i * SINGLES;
  own[0] = rcbrtf(v);
  own[1] = sinpif(v);
  own[2] = cospif(v);
  own[3] = erfinvf(v / 40.0f);
  own[4] = erfcinvf(v / 40.0f + 1.0f);
  own[5] = erfcxf(v / 8.0f);
  own[6] = rhypotf(v, 3.0f);
  own[7] = fdivide(v, 3.0f);
  float sine, cosine;
  sincospif(v, &sine, &cosine);
  own[8] = cosine + own[2];
}

__global__ void doubles(const double* x, double* out) {
  const int i = threadIdx.x;
  const double v = x[i];
  double* own = out + i * DOUBLES;
  own[0] = rcbrt(v);
  own[1] = sinpi(v);
  own[2] = cospi(v);
  own[3] = erfinv(v / 40);
  own[4] = erfcinv(v / 40 + 1);
  own[5] = erfcx(v / 8);
  own[6] = rhypot(v, 3.0);
  own[7] = fdivide(v, 3.0);
  own[8] = lgamma(fabs(v));
  own[9] = tgamma(v);
}

// Sums and products up and down enclose the true ones; classes are told by old names and new ones.
__global__ void others(const float* x, int* wrong) {
  const int i = threadIdx.x;
  const float a = x[i], b = x[(i * 7 + 1) % COUNT];
  int bad = !(__fadd_rd(a, b) <= __fadd_rn(a, b) && __fadd_rn(a, b) <= __fadd_ru(a, b));
  bad += !(__fmul_rd(a, b) <= __fmul_rn(a, b) && __fmul_rn(a, b) <= __fmul_ru(a, b));
  const float none = nanf(""), endless = __int_as_float(0x7f800000);
  bad += !isnan(none) + !isnanf(none) + !__isnanf(none) + isinff(a) + !isinf(endless) + !__isinff(endless);
  bad += finitef(endless) + !__finitef(a) + (signbit(a) != 0) != (a < 0) || (__signbitf(a) != 0) != (a < 0);
  wrong[i] = bad;
}

static bool close(double got, double expected, double unit) {
  return fabs(got - expected) <= 40 * unit * fabs(expected) + unit * unit;
}

int main() {
  float x[COUNT], *x_there, *out_there, out[COUNT * SINGLES];
  double wide[COUNT], *wide_there, *wide_out_there, wide_out[COUNT * DOUBLES];
  int *wrong_there, wrong[COUNT], failures = 0;
  for (int i = 0; i < COUNT; ++i) wide[i] = x[i] = (i - 128) * 0.2837f + 0.031f;
  cudaMalloc(&x_there, sizeof(x));
  cudaMalloc(&out_there, sizeof(out));
  cudaMalloc(&wide_there, sizeof(wide));
  cudaMalloc(&wide_out_there, sizeof(wide_out));
  cudaMalloc(&wrong_there, sizeof(wrong));
  cudaMemcpy(x_there, x, sizeof(x), cudaMemcpyHostToDevice);
  cudaMemcpy(wide_there, wide, sizeof(wide), cudaMemcpyHostToDevice);
  singles<<<1, COUNT>>>(x_there, out_there);
  doubles<<<1, COUNT>>>(wide_there, wide_out_there);
  others<<<1, COUNT>>>(x_there, wrong_there);
  cudaMemcpy(out, out_there, sizeof(out), cudaMemcpyDeviceToHost);
  cudaMemcpy(wide_out, wide_out_there, sizeof(wide_out), cudaMemcpyDeviceToHost);
  if (cudaMemcpy(wrong, wrong_there, sizeof(wrong), cudaMemcpyDeviceToHost) != cudaSuccess) failures += 1;
  for (int i = 0; i < COUNT; ++i) {
    const double v = wide[i];
    const double expected[DOUBLES] = {rcbrt(v),    sinpi(v),       cospi(v),       erfinv(v / 40),  erfcinv(v / 40 + 1),
                                      erfcx(v / 8), rhypot(v, 3.0), fdivide(v, 3.0), lgamma(fabs(v)), tgamma(v)};
    for (int k = 0; k < DOUBLES; ++k) {
      const double got = wide_out[i * DOUBLES + k];
      if (close(got, expected[k], 2.3e-16) || (isnan(got) && isnan(expected[k]))) continue;
      if (failures++ < 5) printf("double %d of %g: %.17g, not %.17g\n", k, v, got, expected[k]);
    }
    for (int k = 0; k < SINGLES; ++k) {
      const double truth = k == 8 ? 2 * expected[2] : k == 4 ? erfcinv((double)(x[i] / 40.0f + 1.0f)) : expected[k];
      const double got = out[i * SINGLES + k];
      if (close(got, truth, 1.2e-7) || (isnan(got) && isnan(truth))) continue;
      if (failures++ < 5) printf("single %d of %g: %.9g, not %.9g\n", k, v, got, truth);
    }
    if (wrong[i] != 0 && failures++ < 5) printf("%d wrong at %g\n", wrong[i], x[i]);
  }
  puts(failures == 0 ? "PASSED" : "FAILED");
  return failures != 0;
}
