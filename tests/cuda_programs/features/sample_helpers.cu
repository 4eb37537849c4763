// SPDX-License-Identifier: Apache-2.0
// What programs take from the SDKs: complex numbers, arithmetic on vectors, helpers; memcpy and memset in device code.
#include <cuComplex.h>
#include <cuda_profiler_api.h>
#include <helper_cuda_drvapi.h>
#include <helper_functions.h>
#include <helper_math.h>
#include <multithreading.h>

#include <cmath>
#include <cstring>

#include "program.h"

static bool all_right = true;

static void expect(bool is_right, const char* what) {
  if (!is_right) printf("wrong: %s\n", what);
  all_right = all_right && is_right;
}
#define EXPECT(condition) expect((condition), #condition)

// The same on both sides, so that either is the reference of the other.
__host__ __device__ inline void complex_numbers(cuFloatComplex a, cuFloatComplex b, float* out) {
  const cuFloatComplex results[] = {cuCaddf(a, b), cuCsubf(a, b), cuCmulf(a, b), cuCdivf(a, b), cuCfmaf(a, b, cuConjf(a))};
  for (int i = 0; i < 5; ++i) {
    out[2 * i] = cuCrealf(results[i]);
    out[2 * i + 1] = cuCimagf(results[i]);
  }
  const cuDoubleComplex wide = cuCdiv(cuComplexFloatToDouble(a), cuComplexFloatToDouble(b));
  const cuFloatComplex narrow = cuComplexDoubleToFloat(cuCfma(cuCmul(wide, wide), cuConj(wide), cuCsub(wide, cuCadd(wide, wide))));
  out[10] = cuCabsf(a);
  out[11] = (float)cuCabs(wide);
  out[12] = narrow.x;
  out[13] = narrow.y;
}
const int complex_count = 14;

__host__ __device__ inline void vectors(float3 a, int3 i, uint3 u, float* out) {
  float4 f = make_float4(a, 1.0f);
  f += 2.0f;
  f = 1.0f - f / make_float4(make_int4(make_int3(2), 4));
  uint3 v = 7u / (u + 1u) * make_uint3(i);
  v -= 1;
  int3 w = -(i - make_int3(u)) / 2;
  w *= 3;
  const float3 soft = smoothstep(make_float3(0.0f), make_float3(4.0f), a);
  const float3 part = lerp(clamp(a, 0.5f, 2.5f), fracf(make_float3(i) / 3.0f), 0.25f);
  const float3 turned = reflect(normalize(a), make_float3(make_float2(0.0f), 1.0f)) + cross(a, make_float3(u));
  const float results[] = {f.x, f.y, f.z, f.w, (float)v.x, (float)v.y, (float)v.z, (float)w.x, (float)w.y, (float)w.z, soft.x, soft.y, soft.z,
                           part.x, part.y, part.z, turned.x, turned.y, turned.z, length(make_float2(i.x, i.y)), (float)dot(i, w), (float)dot(u, v),
                           (float)clamp(i, -1, 2).z, fmaxf(a, floorf(a) + fabs(a)).y, fminf(a, make_float3(1)).z, (float)max(i, w).x};
  for (int k = 0; k < 26; ++k) out[k] = results[k];
}
const int vector_count = 26;

__global__ void both_sides(cuFloatComplex a, cuFloatComplex b, float3 c, int3 i, uint3 u, float* out) {
  complex_numbers(a, b, out);
  vectors(c, i, u, out + complex_count);
}

struct Packed {
  char tag;
  int word;
} __attribute__((packed));
struct Record {
  int key;
  float values[9];
};

// Words that are moves; many bytes; a number of bytes that nobody knows before; places that overlap; places on no boundary; std::memcpy.
__global__ void bytes(const Record* in, Record* out, unsigned char* tail, int* bits, int size) {
  __shared__ Record shared[32];
  const int i = threadIdx.x;
  memcpy(&shared[i], &in[i], sizeof(Record));
  __syncthreads();
  Record mine;
  memset(&mine, 0, sizeof(mine));
  std::memcpy(mine.values, shared[31 - i].values, 5 * sizeof(float));
  float value = mine.values[0];
  int word;
  memcpy(&word, &value, sizeof(word));
  Packed packed;
  packed.tag = 1;
  memcpy(&packed.word, &word, 4);
  memcpy(&bits[i], &packed.word, 4);
  out[i] = mine;
  if (i == 0) {
    memset(tail, 0xa5, 64);
    cutilBankChecker(tail, 3) = 7;
    memcpy(tail + 1, (const char*)shared + 3, size);
    memset(tail + 1 + size, size, 3);
    memmove(tail + 3, tail + 1, size);
    memmove(tail + 40, tail + 41, 9);
  }
}

static void check_both_sides() {
  const cuFloatComplex a = make_cuFloatComplex(3, -4), b = make_cuComplex(0.5f, 2);
  const float3 c = make_float3(0.75f, 1.5f, 3.25f);
  const int3 i = make_int3(1, -5, 7);
  const uint3 u = make_uint3(2, 3, 4);
  float here[complex_count + vector_count], there[complex_count + vector_count], *device;
  complex_numbers(a, b, here);
  vectors(c, i, u, here + complex_count);
  checkCudaErrors(cudaMalloc(&device, sizeof(here)));
  both_sides<<<1, 1>>>(a, b, c, i, u, device);
  cutilCheckMsgAndSync("both_sides");
  checkCudaErrors(cudaMemcpy(there, device, sizeof(there), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(device));
  for (int k = 0; k < complex_count + vector_count; ++k) {
    if (fabsf(here[k] - there[k]) <= 2e-6f * (1.0f + fabsf(here[k]))) continue;
    printf("result %d: %g on the host, %g on the device\n", k, here[k], there[k]);
    all_right = false;
  }
  const float expected[] = {3.5f, -2, 2.5f, -6, 9.5f, 4, -6.5f / 4.25f, -8 / 4.25f, 12.5f, 8, 5};
  EXPECT(cutComparefe(expected, here, 11, 1e-6f));
  const float* v = here + complex_count;
  const float of_vectors[] = {-0.375f, -0.75f, -1.625f, 0.25f, 1, 4294967296.0f - 6, 6, 0, 12, -3};
  EXPECT(compareData(of_vectors, v, 10, 1e-6f, 0.0f));
  EXPECT(v[20] == -60 - 21 && v[22] == 2 && v[23] == 2.5f && v[24] == 1 && v[25] == 1);
  EXPECT(cuCabsf(make_cuFloatComplex(3e30f, 4e30f)) == 5e30f && cuCabs(make_cuDoubleComplex(0, 0)) == 0);
  EXPECT(std::isinf(cuCabsf(make_cuFloatComplex(-INFINITY, 1))));
  const cuFloatComplex one = cuCdivf(make_cuFloatComplex(1e30f, 1e30f), make_cuFloatComplex(1e30f, 1e30f));
  EXPECT(fabsf(one.x - 1) < 1e-6f && one.y == 0);
}

static void check_bytes() {
  Record in[32], out[32];
  int bits[32], size = 13;
  unsigned char tail[64];
  for (int i = 0; i < 32; ++i) {
    in[i].key = i;
    for (int k = 0; k < 9; ++k) in[i].values[k] = i + 0.125f * k;
  }
  Record *device_in, *device_out;
  unsigned char* device_tail;
  int* device_bits;
  CUDA_SAFE_CALL(cudaMalloc(&device_in, sizeof(in)));
  CUDA_SAFE_CALL(cudaMalloc(&device_out, sizeof(out)));
  CUDA_SAFE_CALL(cudaMalloc(&device_tail, sizeof(tail)));
  CUDA_SAFE_CALL(cudaMalloc(&device_bits, sizeof(bits)));
  CUDA_SAFE_CALL(cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice));
  bytes<<<1, 32>>>(device_in, device_out, device_tail, device_bits, size);
  CHECK_LAUNCH();
  CUDA_SAFE_CALL(cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(tail, device_tail, sizeof(tail), cudaMemcpyDeviceToHost));
  CUDA_SAFE_CALL(cudaMemcpy(bits, device_bits, sizeof(bits), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; ++i) {
    Record expected;
    memset(&expected, 0, sizeof(expected));
    std::memcpy(expected.values, in[31 - i].values, 5 * sizeof(float));
    EXPECT(memcmp(&expected, &out[i], sizeof(Record)) == 0);
    EXPECT(memcmp(&bits[i], &in[31 - i].values[0], 4) == 0);
  }
  unsigned char expected[64];
  memset(expected, 0xa5, 64);
  memcpy(expected + 1, (const char*)in + 3, size);
  memset(expected + 1 + size, size, 3);
  memmove(expected + 3, expected + 1, size);
  memmove(expected + 40, expected + 41, 9);
  EXPECT(cutCompareub(expected, tail, 64));
  expected[5] += 2;
  EXPECT(!cutCompareub(expected, tail, 64) && cutCompareube(expected, tail, 64, 2));
}

static CUT_THREADPROC doubled(void* data) {
  *(int*)data *= 2;
  CUT_THREADEND;
}

static void check_helpers(int argc, char** argv) {
  const float right[] = {1, 2, 3, 4}, nearly[] = {1, 2, 3, 4.5f};
  EXPECT(!cutComparef(right, nearly, 4) && cutComparefet(right, nearly, 4, 0.1f, 0.5f) && !cutComparefet(right, nearly, 4, 0.1f, 0.1f));
  EXPECT(sdkCompareL2fe(right, nearly, 4, 0.1f) && !sdkCompareL2fe(right, nearly, 4, 0.01f));
  const char* file = "sample_helpers_numbers.txt";
  float* read = NULL;
  unsigned int count = 0;
  EXPECT(cutWriteFilef(file, nearly, 4, 1e-3f) && cutReadFilef(file, &read, &count) && count == 4 && cutComparef(read, nearly, 4));
  count = 3;
  EXPECT(!cutReadFilef(file, &read, &count));
  remove(file);
  EXPECT(!cutReadFilef(file, &read, &count));
  cutFree(read);
  char* memory;
  CUT_SAFE_MALLOC(memory = (char*)malloc(8));
  free(memory);
  EXPECT(checkCudaCapabilities(1, 0) && !checkCudaCapabilities(2, 0) && _ConvertSMVer2Cores(1, 3) == 8);
  EXPECT(cutilChooseCudaDevice(argc, argv) == 0 && gpuDeviceInit(-1) == 0);
  EXPECT(strcmp(_cudaGetErrorEnum(cudaErrorInvalidValue), "cudaErrorInvalidValue") == 0);
  EXPECT(strcmp(getCudaDrvErrorString(CUDA_ERROR_NOT_FOUND), "CUDA_ERROR_NOT_FOUND") == 0);
  CU_SAFE_CALL(cuInit(0));
  int clusters = 0;
  getCudaAttribute(&clusters, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, findCudaDeviceDRV(argc, (const char**)argv));
  EXPECT(clusters > 0 && MAX(2, 3) == 3 && MIN(2, 3) == 2 && CLAMP(5, 1, 4) == 4);
  int numbers[] = {1, 2, 3};
  CUTThread threads[3];
  for (int i = 0; i < 3; ++i) threads[i] = cutStartThread((CUT_THREADROUTINE)doubled, &numbers[i]);
  cutWaitForThreads(threads, 3);
  EXPECT(numbers[0] == 2 && numbers[1] == 4 && numbers[2] == 6);
}

int main(int argc, char** argv) {
  check_helpers(argc, argv);
  check(cudaProfilerStart(), "cudaProfilerStart", __FILE__, __LINE__);
  check_both_sides();
  check_bytes();
  check(cudaProfilerStop(), "cudaProfilerStop", __FILE__, __LINE__);
  return verdict(all_right);
}
