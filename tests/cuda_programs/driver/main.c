/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's interface from C: a module from a file and from memory, the three ways to launch, copies, errors. */
#include <stdlib.h>
#include <string.h>

#include "expect.h"

struct Range {
  float low, high;
  int count;
};
enum { COUNT = 1000 };
static float from[COUNT], to[COUNT];

static int right_values(float factor, double offset) {
  int i, right = 1;
  for (i = 0; i < COUNT; ++i) {
    float scaled = factor * from[i] + (float)offset;
    if (scaled > 900) scaled = 900;
    right = right && to[i] == scaled;
  }
  return right;
}

static void scale_by_addresses(CUmodule module, CUdeviceptr device_to, CUdeviceptr device_from, double offset) {
  CUfunction scale;
  struct Range range = {-900, 900, COUNT};
  void* arguments[4];
  arguments[0] = &device_to;
  arguments[1] = &device_from;
  arguments[2] = &range;
  arguments[3] = &offset;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuLaunchKernel(scale, (COUNT + 63) / 64, 1, 1, 64, 1, 1, 0, NULL, arguments, NULL));
  OK(cuMemcpyDtoH(to, device_to, sizeof(to)));
}

static void devices(void) {
  CUdevice device = -1;
  int count = 0, major = 0, minor = 0, warp = 0, version = 0, concurrent = -1, height = 0, resident = 0;
  size_t bytes = 0, available = 0, total = 0;
  char name[100];
  CUdevprop properties;
  OK(cuInit(0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuInit(1));
  OK(cuDriverGetVersion(&version));
  OK(cuDeviceGetCount(&count));
  OK(cuDeviceGet(&device, 0));
  EXPECT(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 1));
  OK(cuDeviceGetName(name, sizeof(name), device));
  OK(cuDeviceComputeCapability(&major, &minor, device));
  OK(cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
  OK(cuDeviceGetAttribute(&concurrent, CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS, device));
  OK(cuDeviceGetAttribute(&height, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT, device));
  OK(cuDeviceGetAttribute(&resident, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, device));
  CHECK(concurrent == 0 && height == 32768 && resident == 1024);
  OK(cuDeviceTotalMem(&bytes, device));
  OK(cuDeviceGetProperties(&properties, device));
  OK(cuMemGetInfo(&available, &total));
  CHECK(count == 1 && major == 1 && warp == 32 && properties.SIMDWidth == 32 && properties.maxThreadsPerBlock == 512);
  CHECK(total == bytes && available <= total && strstr(name, "GeForce") != NULL && version == CUDA_VERSION);
}

/* As programs of CUDA 2 and 3 launch. */
static void launch_by_parameters(CUmodule module, CUdeviceptr device_to, CUdeviceptr device_from) {
  CUfunction scale;
  struct Range range = {-900, 900, COUNT};
  double offset = 0.5;
  int at = 0;
  OK(cuModuleGetFunction(&scale, module, "scale"));
  OK(cuParamSetv(scale, at, &device_to, sizeof(device_to)));
  at += (int)sizeof(device_to);
  OK(cuParamSetv(scale, at, &device_from, sizeof(device_from)));
  at += (int)sizeof(device_from);
  OK(cuParamSetv(scale, at, &range, sizeof(range)));
  at += (int)sizeof(range);
  at = (at + 7) / 8 * 8;
  OK(cuParamSetv(scale, at, &offset, sizeof(offset)));
  OK(cuParamSetSize(scale, (unsigned)at + 8));
  OK(cuFuncSetBlockShape(scale, 64, 1, 1));
  OK(cuLaunchGrid(scale, (COUNT + 63) / 64, 1));
  OK(cuCtxSynchronize());
  OK(cuMemcpyDtoH(to, device_to, sizeof(to)));
  CHECK(right_values(2, 0.5));
}

/* As programs of CUDA 4 do: pointers to the arguments, or all of them in one buffer. */
static void launch_by_arguments(CUmodule module, CUdeviceptr device_to, CUdeviceptr device_from) {
  CUfunction scale;
  struct Range range = {-900, 900, COUNT};
  struct {
    CUdeviceptr to, from;
    struct Range range;
    double offset;
  } packed;
  size_t bytes = sizeof(packed);
  void* extra[5];
  OK(cuModuleGetFunction(&scale, module, "scale"));
  scale_by_addresses(module, device_to, device_from, -3);
  CHECK(right_values(2, -3));

  packed.to = device_to;
  packed.from = device_from;
  packed.range = range;
  packed.offset = 7;
  extra[0] = CU_LAUNCH_PARAM_BUFFER_POINTER;
  extra[1] = &packed;
  extra[2] = CU_LAUNCH_PARAM_BUFFER_SIZE;
  extra[3] = &bytes;
  extra[4] = CU_LAUNCH_PARAM_END;
  OK(cuLaunchKernel(scale, (COUNT + 63) / 64, 1, 1, 64, 1, 1, 0, NULL, NULL, extra));
  OK(cuMemcpyDtoH(to, device_to, sizeof(to)));
  CHECK(right_values(2, 7));
}

static void variables(CUmodule module) {
  CUdeviceptr place = 0;
  size_t bytes = 0;
  int calls = 0;
  OK(cuModuleGetGlobal(&place, &bytes, module, "calls"));
  CHECK(bytes == sizeof(calls));
  OK(cuMemcpyDtoH(&calls, place, sizeof(calls)));
  CHECK(calls == 3);
}

static void constants(CUmodule module, CUdeviceptr device_to, CUdeviceptr device_from) {
  CUdeviceptr place = 0;
  size_t bytes = 0;
  float factor = 0;
  OK(cuModuleGetGlobal(&place, &bytes, module, "factor"));
  OK(cuMemcpyDtoH(&factor, place, sizeof(factor)));
  CHECK(factor == 2);
  factor = -1;
  OK(cuMemcpyHtoD(place, &factor, sizeof(factor)));
  scale_by_addresses(module, device_to, device_from, 0);
  CHECK(to[10] == -from[10]);
}

static void shared_memory_streams_and_events(CUmodule module) {
  CUfunction reversed;
  CUstream stream;
  CUevent start, stop;
  CUdeviceptr words, again;
  int* host = NULL;
  int i, right = 1, registers = 0, threads = 0;
  float milliseconds = -1;
  OK(cuModuleGetFunction(&reversed, module, "reversed"));
  OK(cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, reversed));
  OK(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, reversed));
  CHECK(registers > 0 && threads == 512);
  OK(cuStreamCreate(&stream, 0));
  OK(cuEventCreate(&start, 0));
  OK(cuEventCreate(&stop, 0));
  OK(cuMemAllocHost((void**)&host, 256 * sizeof(int)));
  OK(cuMemAlloc(&words, 256 * sizeof(int)));
  OK(cuMemAlloc(&again, 256 * sizeof(int)));
  for (i = 0; i < 256; ++i) host[i] = i;
  OK(cuEventRecord(start, stream));
  OK(cuMemcpyHtoDAsync(words, host, 256 * sizeof(int), stream));
  OK(cuFuncSetBlockShape(reversed, 256, 1, 1));
  OK(cuFuncSetSharedSize(reversed, 256 * sizeof(int)));
  OK(cuParamSetv(reversed, 0, &words, sizeof(words)));
  OK(cuParamSetSize(reversed, sizeof(words)));
  OK(cuLaunchGridAsync(reversed, 1, 1, stream));
  OK(cuMemcpyDtoDAsync(again, words, 256 * sizeof(int), stream));
  OK(cuMemcpyDtoHAsync(host, again, 256 * sizeof(int), stream));
  OK(cuEventRecord(stop, stream));
  OK(cuEventSynchronize(stop));
  OK(cuEventElapsedTime(&milliseconds, start, stop));
  OK(cuStreamQuery(stream));
  for (i = 0; i < 256; ++i) right = right && host[i] == 255 - i;
  CHECK(right && milliseconds > 0);
  OK(cuMemFree(words));
  OK(cuMemFree(again));
  OK(cuMemFreeHost(host));
  OK(cuEventDestroy(start));
  OK(cuEventDestroy(stop));
  OK(cuStreamDestroy(stream));
}

static void memory(void) {
  CUdeviceptr rows, base = 0;
  size_t pitch = 0, bytes = 0;
  unsigned char host[3][10], back[3][10];
  unsigned words[4];
  unsigned short halves[2];
  CUDA_MEMCPY2D copy;
  int i;
  for (i = 0; i < 30; ++i) host[i / 10][i % 10] = (unsigned char)i;
  OK(cuMemAllocPitch(&rows, &pitch, 10, 3, 4));
  CHECK(pitch >= 10 && pitch % 64 == 0);
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.srcPitch = 10;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = rows;
  copy.dstPitch = pitch;
  copy.WidthInBytes = 10;
  copy.Height = 3;
  OK(cuMemcpy2D(&copy));
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = rows;
  copy.srcPitch = pitch;
  copy.srcXInBytes = 2;
  copy.srcY = 1;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstHost = back;
  copy.dstPitch = 10;
  copy.WidthInBytes = 8;
  copy.Height = 2;
  OK(cuMemcpy2DUnaligned(&copy));
  CHECK(memcmp(back[0], host[1] + 2, 8) == 0 && memcmp(back[1], host[2] + 2, 8) == 0);
  copy.dstPitch = 4;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy2D(&copy));
  OK(cuMemGetAddressRange(&base, &bytes, rows + pitch + 1));
  CHECK(base == rows && bytes == 3 * pitch);
  OK(cuMemsetD32(rows, 0x01020304U, 4));
  OK(cuMemcpyDtoH(words, rows, sizeof(words)));
  CHECK(words[0] == 0x01020304U && words[3] == 0x01020304U);
  OK(cuMemsetD16(rows, 0x0506, 2));
  OK(cuMemcpyDtoH(halves, rows, sizeof(halves)));
  CHECK(halves[0] == 0x0506 && halves[1] == 0x0506);
  OK(cuMemFree(rows));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemFree(rows));
  EXPECT(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&rows, (size_t)1 << 40));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemAlloc(&rows, 0));
}

static void errors(CUmodule module, const char* source) {
  CUmodule none;
  CUfunction function;
  CUdeviceptr place;
  CUdeviceptr words = 0;
  int far_away = 1 << 20;
  EXPECT(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&none, "/nowhere/no.cubin"));
  EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&none, source));
  EXPECT(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&none, "no module at all"));
  EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&function, module, "no_kernel"));
  EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&place, NULL, module, "no_variable"));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&function, (CUmodule)0x1234, "scale"));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuLaunch((CUfunction)0x1234));
  OK(cuModuleGetFunction(&function, module, "stores_at"));
  OK(cuFuncSetBlockShape(function, 1024, 1, 1));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuLaunch(function));
  OK(cuFuncSetBlockShape(function, 1, 1, 1));
  OK(cuMemAlloc(&words, 64));
  OK(cuParamSetv(function, 0, &words, sizeof(words)));
  OK(cuParamSeti(function, 8, (unsigned)far_away));
  OK(cuParamSetSize(function, 12));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSeti(function, 5000, 1));
  OK(cuLaunch(function));
  EXPECT(CUDA_ERROR_LAUNCH_FAILED, cuCtxSynchronize());
  EXPECT(CUDA_ERROR_LAUNCH_FAILED, cuMemFree(words));
}

static char* contents(const char* file) {
  FILE* opened = fopen(file, "rb");
  char* bytes = (char*)calloc(1 << 20, 1);
  if (opened == NULL || fread(bytes, 1, (1 << 20) - 1, opened) == 0) exit(2);
  fclose(opened);
  return bytes;
}

static void contexts_and_rows(void) {
  CUdeviceptr rows;
  CUfunc_cache config = CU_FUNC_CACHE_PREFER_L1;
  size_t pitch = 0, limit = 0;
  unsigned int version = 0, back[3][2], i;
  static float own[64];
  OK(cuCtxGetApiVersion(NULL, &version));
  CHECK(version == 3020);
  OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_SHARED));
  OK(cuCtxGetCacheConfig(&config));
  CHECK(config == CU_FUNC_CACHE_PREFER_NONE);
  EXPECT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit(CU_LIMIT_STACK_SIZE, 1024));
  EXPECT(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&limit, CU_LIMIT_MALLOC_HEAP_SIZE));
  OK(cuMemHostRegister(own, sizeof(own), CU_MEMHOSTREGISTER_PORTABLE));
  EXPECT(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(own, sizeof(own), 0));
  OK(cuMemHostUnregister(own));
  EXPECT(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(own));
  OK(cuMemAllocPitch(&rows, &pitch, 8, 3, 4));
  OK(cuMemsetD2D8(rows, pitch, 0x11, 8, 3));
  OK(cuMemsetD2D16(rows, pitch, 0x2222, 4, 2));
  OK(cuMemsetD2D32(rows, pitch, 0x33333333, 2, 1));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemsetD2D32(rows, 4, 0, 2, 2));
  for (i = 0; i < 3; ++i) OK(cuMemcpyDtoH(back[i], rows + i * pitch, sizeof(back[i])));
  CHECK(back[0][1] == 0x33333333 && back[1][1] == 0x22222222 && back[2][0] == 0x11111111);
  OK(cuMemFree(rows));
}

static void compile_with_options(char* image) {
  char log[16] = "not written";
  CUjit_option options[] = {CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER, CU_JIT_TARGET, CU_JIT_WALL_TIME};
  void* values[4];
  CUmodule module;
  values[0] = (void*)sizeof(log);
  values[1] = log;
  values[2] = (void*)CU_TARGET_COMPUTE_13;
  values[3] = NULL;
  OK(cuModuleLoadDataEx(&module, image, 4, options, values));
  CHECK(log[0] == 0 && values[0] == NULL && values[2] == (void*)CU_TARGET_COMPUTE_13);
  OK(cuModuleUnload(module));
}

/* Who attached or made a context of his own leaves the others what they have. */
static void leaving_contexts(void) {
  CUcontext attached, second;
  CUdeviceptr memory;
  unsigned int word = 0;
  OK(cuMemAlloc(&memory, sizeof(word)));
  OK(cuMemsetD32(memory, 7, 1));
  OK(cuCtxAttach(&attached, 0));
  OK(cuCtxDetach(attached));
  OK(cuCtxCreate(&second, CU_CTX_SCHED_YIELD, 0));
  OK(cuCtxDestroy(second));
  OK(cuMemcpyDtoH(&word, memory, sizeof(word)));
  CHECK(word == 7);
  OK(cuMemFree(memory));
}

int main(int argc, char** argv) {
  CUcontext context;
  CUmodule module;
  CUdeviceptr device_to, device_from;
  char* image;
  int i;
  if (argc != 3) return 2;
  for (i = 0; i < COUNT; ++i) from[i] = (float)i;
  devices();
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuMemAlloc(&device_to, sizeof(to)));
  OK(cuMemAlloc(&device_from, sizeof(from)));
  OK(cuMemcpyHtoD(device_from, from, sizeof(from)));
  OK(cuModuleLoad(&module, argv[1]));
  launch_by_parameters(module, device_to, device_from);
  launch_by_arguments(module, device_to, device_from);
  variables(module);
  constants(module, device_to, device_from);
  OK(cuModuleUnload(module));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(module));
  image = contents(argv[1]);
  OK(cuModuleLoadDataEx(&module, image, 0, NULL, NULL));
  compile_with_options(image);
  free(image);
  contexts_and_rows();
  launch_by_parameters(module, device_to, device_from);
  shared_memory_streams_and_events(module);
  memory();
  leaving_contexts();
  errors(module, argv[2]);
  OK(cuCtxDetach(context));
  OK(cuMemAlloc(&device_to, 16));
  printf(failed ? "FAILED\n" : "PASSED\n");
  return failed;
}
