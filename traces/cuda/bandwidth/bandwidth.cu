// SPDX-License-Identifier: Apache-2.0
// How fast memory is copied: from the host, to the host (each from ordinary and from pinned memory) and within the device,
// which reads and writes every byte. The times are those of the device's events.
#include "program.h"

#include <vector>

struct Copy {
  const char* name;
  bool is_pinned;
  cudaMemcpyKind kind;
};

static const Copy copies[] = {
    {"host to device, pageable", false, cudaMemcpyHostToDevice},
    {"device to host, pageable", false, cudaMemcpyDeviceToHost},
    {"host to device, pinned", true, cudaMemcpyHostToDevice},
    {"device to host, pinned", true, cudaMemcpyDeviceToHost},
    {"device to device", false, cudaMemcpyDeviceToDevice},
};

static float milliseconds_of(const Copy& copy, void* to, const void* from, size_t bytes, int repeats) {
  DeviceTimer timer;
  timer.start();
  for (int i = 0; i < repeats; ++i) {
    // Only pinned memory is copied while the host does something else.
    if (copy.is_pinned) {
      CHECK(cudaMemcpyAsync(to, from, bytes, copy.kind, 0));
    } else {
      CHECK(cudaMemcpy(to, from, bytes, copy.kind));
    }
  }
  return timer.stop_in_milliseconds();
}

int main(int argc, char** argv) {
  no_other_options(argc, argv, "size repeats");
  const int bytes = option(argc, argv, "size", 32 << 20);
  const int repeats = option(argc, argv, "repeats", 2);
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  printf("%s, compute capability %d.%d, %d bytes a copy\n", device.name, device.major, device.minor, bytes);

  std::vector<unsigned char> pageable(bytes);
  unsigned char *pinned, *device_a, *device_b;
  CHECK(cudaMallocHost((void**)&pinned, bytes));
  CHECK(cudaMalloc((void**)&device_a, bytes));
  CHECK(cudaMalloc((void**)&device_b, bytes));
  RandomNumbers random(11);
  for (int i = 0; i < bytes; ++i) pageable[i] = (unsigned char)random.next();
  const std::vector<unsigned char> original = pageable;

  for (int i = 0; i < (int)(sizeof(copies) / sizeof(copies[0])); ++i) {
    const Copy& copy = copies[i];
    unsigned char* const host = copy.is_pinned ? pinned : &pageable[0];
    const bool is_to_host = copy.kind == cudaMemcpyDeviceToHost;
    const bool is_on_device = copy.kind == cudaMemcpyDeviceToDevice;
    void* const to = is_to_host ? host : is_on_device ? device_b : device_a;
    const void* const from = is_to_host || is_on_device ? device_a : host;
    if (copy.is_pinned && !is_to_host) memcpy(pinned, &original[0], bytes);
    if (is_to_host) memset(host, 0, bytes);
    const float milliseconds = milliseconds_of(copy, to, from, bytes, repeats);
    const double moved = (is_on_device ? 2.0 : 1.0) * bytes * repeats;
    printf("%-26s %8.3f ms  %7.2f GB/s\n", copy.name, milliseconds, 1e-6 * moved / milliseconds);
  }

  // Every copy passed on what the first brought.
  CHECK(cudaMemcpy(&pageable[0], device_b, bytes, cudaMemcpyDeviceToHost));
  const bool is_right = pageable == original && memcmp(pinned, &original[0], bytes) == 0;
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  return verdict(is_right);
}
