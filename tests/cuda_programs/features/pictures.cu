// SPDX-License-Identifier: Apache-2.0
// Pictures as samples read and write them: found by name, filtered through a texture, saved and compared.
#include <cutil_inline.h>
#include <helper_functions.h>
#include <shrUtils.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WIDTH = 20, HEIGHT = 12, PIXELS = WIDTH * HEIGHT };

static bool all_right = true;

static void expect(bool is_right, const char* what) {
  if (!is_right) printf("wrong: %s\n", what);
  all_right = all_right && is_right;
}

texture<unsigned char, 2, cudaReadModeNormalizedFloat> picture;

__global__ void mirror(float* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) to[y * width + x] = tex2D(picture, width - 1 - x + 0.5f, y + 0.5f);
}
__global__ void exchange(uchar4* pixels, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) pixels[i] = make_uchar4(pixels[i].z, pixels[i].y, pixels[i].x, 0);
}

static unsigned char grey(unsigned int x, unsigned int y) {
  return (unsigned char)(x * 11 + y * 17);
}

/// A file with remarks, as painting programs write them.
static void write_grey(const char* name) {
  FILE* file = fopen(name, "wb");
  fprintf(file, "P5\n# made by hand\n%d %d\n# 8 bits\n255\n", WIDTH, HEIGHT);
  for (int i = 0; i < PIXELS; ++i) putc(grey(i % WIDTH, i / WIDTH), file);
  fclose(file);
}

static void check_grey(const char* program) {
  mkdir("data", 0700);
  write_grey("data/grey.pgm");
  char* path = cutFindFilePath("grey.pgm", program);
  expect(path != 0 && strcmp(path, "data/grey.pgm") == 0, "a file in the folder of data");
  expect(shrFindFilePath("no_such.pgm", program) == 0 && sdkFindFilePath("grey.pgm", 0) != 0,
         "a file that is not there");
  unsigned char* bytes = NULL;
  unsigned int width = 0, height = 0;
  cutilCheckError(cutLoadPGMub(path, &bytes, &width, &height));
  expect(width == WIDTH && height == HEIGHT && bytes[WIDTH + 2] == grey(2, 1), "bytes of a picture");
  cudaArray* array;
  cutilSafeCall(cudaMallocArray(&array, &picture.channelDesc, width, height));
  cutilSafeCall(cudaMemcpyToArray(array, 0, 0, bytes, width * height, cudaMemcpyHostToDevice));
  cutilSafeCall(cudaBindTextureToArray(picture, array));
  float *device, mirrored[PIXELS], *again = NULL, *wanted = mirrored;
  cutilSafeCall(cudaMalloc((void**)&device, sizeof(mirrored)));
  mirror<<<dim3(2, 2), dim3(16, 8)>>>(device, width, height);
  cutilSafeCall(cutilDeviceSynchronize());
  cutilSafeCall(cudaMemcpy(mirrored, device, sizeof(mirrored), cudaMemcpyDeviceToHost));
  for (int i = 0; i < PIXELS; ++i)
    expect((unsigned char)(mirrored[i] * 255.0f + 0.5f) == grey(WIDTH - 1 - i % WIDTH, i / WIDTH), "a mirrored pixel");
  cutilCheckError(cutSavePGMf("mirrored.pgm", mirrored, width, height));
  cutilCheckError(cutLoadPGMf("mirrored.pgm", &again, &width, &height));
  expect(cutComparefe(again, mirrored, PIXELS, 1.01f / 255.0f) == CUTTrue, "floats that were saved and read");
  expect(sdkLoadPGM("mirrored.pgm", &wanted, &width, &height), "a picture into memory that is there");
  width = WIDTH + 1;
  expect(!sdkLoadPGM("mirrored.pgm", &wanted, &width, &height), "a picture of another size");
  cutFree(bytes);
  cutFree(again);
  free(path);
}

static void check_colours() {
  unsigned char colours[PIXELS * 4], *read = NULL, *three = NULL;
  for (int i = 0; i < PIXELS * 4; ++i) colours[i] = (unsigned char)(i % 4 == 3 ? 255 : i * 7);
  unsigned int width = 0, height = 0;
  cutilCheckError(cutSavePPM4ub("colours.ppm", colours, WIDTH, HEIGHT));
  cutilCheckError(cutLoadPPM4ub("colours.ppm", &read, &width, &height));
  cutilCheckError(cutLoadPPMub("colours.ppm", &three, &width, &height));
  expect(width == WIDTH && height == HEIGHT && read[3] == 0 && read[5] == colours[5] && three[4] == colours[5],
         "colours");
  uchar4* device;
  cutilSafeCall(cudaMalloc((void**)&device, sizeof(colours)));
  cutilSafeCall(cudaMemcpy(device, read, sizeof(colours), cudaMemcpyHostToDevice));
  exchange<<<2, 128>>>(device, PIXELS);
  cutilSafeCall(cudaMemcpy(read, device, sizeof(colours), cudaMemcpyDeviceToHost));
  expect(sdkSavePPM4ub("exchanged.ppm", read, WIDTH, HEIGHT), "colours that are written");
  expect(sdkLoadPPM4ub("exchanged.ppm", &read, &width, &height) && read[4] == colours[6] && read[6] == colours[4],
         "red and blue");
  unsigned short* wrong = NULL;
  expect(cutLoadPGMs("colours.ppm", &wrong, &width, &height) == CUTFalse && wrong == NULL, "colours are no greys");
  FILE* file = fopen("short.ppm", "wb");
  fprintf(file, "P6 4 4 255\nabc");
  fclose(file);
  unsigned char* cut = NULL;
  expect(!sdkLoadPPM4ub("short.ppm", &cut, &width, &height) && cut == NULL, "a file that ends early");
  expect(!sdkSavePPMub("no/folder/here.ppm", three, 1, 1), "a folder that is not there");
  cutFree(read);
  cutFree(three);
}

int main(int, char** argv) {
  check_grey(argv[0]);
  check_colours();
  expect(cutilDeviceReset() == cudaSuccess, "a device that is given back");
  printf(all_right ? "PASSED\n" : "FAILED\n");
  return all_right ? 0 : 1;
}
