/* SPDX-License-Identifier: Apache-2.0 */
/* Texture references of a module, and arrays: memory, rows and arrays of one to three dimensions, how they are read, errors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

enum { SIDE = 4 };
static CUmodule module;

static void launch(const char* name, CUdeviceptr to, const void* value, int depth) {
  CUfunction kernel;
  OK(cuModuleGetFunction(&kernel, module, name));
  OK(cuFuncSetBlockShape(kernel, SIDE, SIDE, depth));
  OK(cuParamSetv(kernel, 0, &to, sizeof(to)));
  if (value != NULL) OK(cuParamSetv(kernel, sizeof(to), (void*)value, 4));
  OK(cuParamSetSize(kernel, sizeof(to) + (value != NULL ? 4 : 0)));
  OK(cuLaunch(kernel));
}

static void words(CUdeviceptr to) {
  CUtexref line;
  CUdeviceptr from;
  size_t offset = 99;
  float host[64], back[SIDE];
  int i, at = 2;
  for (i = 0; i < 64; ++i) host[i] = (float)i;
  OK(cuMemAlloc(&from, sizeof(host)));
  OK(cuMemcpyHtoD(from, host, sizeof(host)));
  OK(cuModuleGetTexRef(&line, module, "line"));
  OK(cuTexRefSetFormat(line, CU_AD_FORMAT_FLOAT, 1));
  OK(cuTexRefSetAddress(&offset, line, from, sizeof(host)));
  CHECK(offset == 0);
  launch("reads_line", to, &at, 1);
  OK(cuMemcpyDtoH(back, to, sizeof(back)));
  CHECK(back[0] == 2 && back[3] == 5);
  OK(cuTexRefSetAddress(&offset, line, from + 8, 8));
  CHECK(offset == 8);
  {
    CUtexref free_one;
    CUdeviceptr bound = 0;
    OK(cuTexRefGetAddress(&bound, line));
    CHECK(bound == from + 8);
    OK(cuTexRefCreate(&free_one));
    EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefGetAddress(&bound, free_one));
    OK(cuTexRefDestroy(free_one));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(free_one));
    EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(line));
  }
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(NULL, line, from + 8, 8));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddress(&offset, line, 16, 8));
  OK(cuMemFree(from));
}

/* Bytes as parts of 1: in rows of memory, in an array, by texels and by parts of the side. */
static void rows(CUdeviceptr to) {
  CUtexref plate;
  CUarray array;
  CUdeviceptr memory;
  CUDA_ARRAY_DESCRIPTOR facts = {SIDE, SIDE, CU_AD_FORMAT_UNSIGNED_INT8, 1}, told;
  CUDA_MEMCPY2D copy;
  size_t pitch = 0;
  unsigned char host[SIDE][SIDE];
  float back[SIDE * SIDE], step = 1;
  int i;
  for (i = 0; i < SIDE * SIDE; ++i) host[i / SIDE][i % SIDE] = (unsigned char)(i * 15);
  OK(cuMemAllocPitch(&memory, &pitch, SIDE, SIDE, 4));
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstDevice = memory;
  copy.dstPitch = pitch;
  copy.WidthInBytes = copy.Height = SIDE;
  OK(cuMemcpy2D(&copy));
  OK(cuModuleGetTexRef(&plate, module, "plate"));
  OK(cuTexRefSetAddress2D(plate, &facts, memory, pitch));
  launch("reads_plate", to, &step, 1);
  OK(cuMemcpyDtoH(back, to, sizeof(back)));
  for (i = 0; i < SIDE * SIDE; ++i) CHECK(fabsf(back[i] - (float)(i * 15) / 255) < 1e-6f);

  OK(cuArrayCreate(&array, &facts));
  OK(cuArrayGetDescriptor(&told, array));
  CHECK(told.Width == SIDE && told.Height == SIDE && told.Format == CU_AD_FORMAT_UNSIGNED_INT8 && told.NumChannels == 1);
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  OK(cuMemcpy2D(&copy));
  OK(cuTexRefSetArray(plate, array, CU_TRSA_OVERRIDE_FORMAT));
  OK(cuTexRefSetFlags(plate, CU_TRSF_NORMALIZED_COORDINATES));
  OK(cuTexRefSetFilterMode(plate, CU_TR_FILTER_MODE_LINEAR));
  OK(cuTexRefSetAddressMode(plate, 0, CU_TR_ADDRESS_MODE_WRAP));
  OK(cuTexRefSetAddressMode(plate, 1, CU_TR_ADDRESS_MODE_CLAMP));
  step = 1.0f / SIDE;
  launch("reads_plate", to, &step, 1);
  OK(cuMemcpyDtoH(back, to, sizeof(back)));
  for (i = 0; i < SIDE * SIDE; ++i) CHECK(fabsf(back[i] - (float)(i * 15) / 255) < 1e-3f);
  step = 3.0f / SIDE; /* every third texel: x begins again beyond the side, y stays at the last row */
  launch("reads_plate", to, &step, 1);
  OK(cuMemcpyDtoH(back, to, sizeof(back)));
  for (i = 0; i < SIDE * SIDE; ++i) {
    int x = (3 * (i % SIDE) + 1) % SIDE, y = i < SIDE ? 1 : SIDE - 1;
    CHECK(fabsf(back[i] - (float)(15 * (y * SIDE + x)) / 255) < 1e-3f);
  }
  step = 1.5f / SIDE; /* between two texels */
  launch("reads_plate", to, &step, 1);
  OK(cuMemcpyDtoH(back, to, sizeof(back)));
  CHECK(fabsf(back[0] - (float)15 * 1.25f / 255) < 1e-3f);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetAddressMode(plate, 0, CU_TR_ADDRESS_MODE_MIRROR));
  OK(cuMemFree(memory));
  OK(cuArrayDestroy(array));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
}

static void slices(CUdeviceptr to) {
  CUtexref cube;
  CUfunction kernel;
  CUarray array;
  CUDA_ARRAY3D_DESCRIPTOR facts = {SIDE, SIDE, 2, CU_AD_FORMAT_SIGNED_INT32, 1, 0};
  CUDA_MEMCPY3D copy;
  int host[2 * SIDE * SIDE], back[2 * SIDE * SIDE], i;
  for (i = 0; i < 2 * SIDE * SIDE; ++i) host[i] = 1000 - i;
  OK(cuArray3DCreate(&array, &facts));
  memset(&copy, 0, sizeof(copy));
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = host;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array;
  copy.WidthInBytes = SIDE * sizeof(int);
  copy.Height = SIDE;
  copy.Depth = 2;
  OK(cuMemcpy3D(&copy));
  OK(cuModuleGetTexRef(&cube, module, "cube"));
  OK(cuTexRefSetArray(cube, array, CU_TRSA_OVERRIDE_FORMAT));
  OK(cuTexRefSetFlags(cube, CU_TRSF_READ_AS_INTEGER));
  OK(cuModuleGetFunction(&kernel, module, "reads_cube"));
  OK(cuParamSetTexRef(kernel, CU_PARAM_TR_DEFAULT, cube));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuParamSetTexRef(kernel, 0, cube));
  launch("reads_cube", to, NULL, 2);
  OK(cuMemcpyDtoH(back, to, sizeof(back)));
  CHECK(memcmp(host, back, sizeof(host)) == 0);
  copy.Depth = 3;
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpy3D(&copy));
  OK(cuArrayDestroy(array));
}

static void one_row(CUdeviceptr memory) {
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR facts = {16, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1}, told;
  unsigned host[16], back[16];
  unsigned i;
  for (i = 0; i < 16; ++i) host[i] = 7 * i;
  OK(cuArrayCreate(&array, &facts));
  OK(cuArrayGetDescriptor(&told, array));
  CHECK(told.Height == 0);
  OK(cuMemcpyHtoA(array, 0, host, sizeof(host)));
  OK(cuMemcpyAtoD(memory, array, 16, 32));
  OK(cuMemcpyDtoA(array, 0, memory, 16));
  OK(cuMemcpyAtoH(back, array, 0, sizeof(back)));
  CHECK(back[0] == 28 && back[3] == 49 && back[4] == 28 && back[15] == 105);
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(array, 4, host, sizeof(host)));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoA(array, 2, host, 4));
  OK(cuArrayDestroy(array));
}

static void errors(void) {
  CUtexref texture;
  CUarray array;
  CUDA_ARRAY_DESCRIPTOR three = {4, 4, CU_AD_FORMAT_FLOAT, 3}, none = {0, 0, CU_AD_FORMAT_FLOAT, 1};
  EXPECT(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&texture, module, "no_texture"));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags((CUtexref)0x1234, 0));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &three));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuArrayCreate(&array, &none));
  OK(cuModuleGetTexRef(&texture, module, "cube"));
  EXPECT(CUDA_ERROR_INVALID_VALUE, cuTexRefSetFormat(texture, CU_AD_FORMAT_FLOAT, 3));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetArray(texture, (CUarray)0x1234, 0));
  OK(cuModuleUnload(module));
  EXPECT(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags(texture, 0));
}

int main(int argc, char** argv) {
  CUcontext context;
  CUdeviceptr to;
  if (argc != 2) return 2;
  OK(cuInit(0));
  OK(cuCtxCreate(&context, 0, 0));
  OK(cuModuleLoad(&module, argv[1]));
  OK(cuMemAlloc(&to, 4096));
  words(to);
  rows(to);
  slices(to);
  one_row(to);
  errors();
  printf("%s\n", failed ? "FAILED" : "PASSED");
  return failed;
}
