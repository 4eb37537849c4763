// SPDX-License-Identifier: Apache-2.0
// Page-locked and mapped memory of the host.
#include <bit>

#include "sim/cudart/api/answer.h"

using teslasim::cudart::answer;
using teslasim::cudart::answer_anyway;
using teslasim::cudart::Process;
using teslasim::cudart::Session;

cudaError_t cudaHostAlloc(void** pointer, size_t size, unsigned int flags) {
  return answer([&](Session& session) {
    constexpr unsigned known = cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined;
    if (pointer == nullptr || (flags & ~known) != 0) return cudaErrorInvalidValue;
    *pointer = size == 0 ? nullptr : session.host_buffers.allocate(size, flags);
    return *pointer == nullptr && size != 0 ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** pointer, size_t size) {
  return cudaHostAlloc(pointer, size, cudaHostAllocDefault);
}

cudaError_t cudaFreeHost(void* pointer) {
  return answer_anyway([&](Process& process) {
    Session& session = process.session();
    const bool known = pointer == nullptr || session.host_buffers.release(pointer, session.heap);
    if (known) return cudaSuccess;
    return session.complain(cudaErrorInvalidHostPointer, "cudaFreeHost", {},
                            "no page-locked memory of cudaMallocHost or cudaHostAlloc begins there");
  });
}

cudaError_t cudaHostRegister(void* pointer, size_t size, unsigned int flags) {
  return answer([&](Session& session) {
    if (pointer == nullptr || size == 0) return cudaErrorInvalidValue;
    return session.host_buffers.add(pointer, size, flags) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}
cudaError_t cudaHostUnregister(void* pointer) {
  return answer([&](Session& session) {
    return session.host_buffers.remove(pointer, session.heap) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  return answer([&](Session& session) {
    const std::optional<unsigned> known = session.host_buffers.flags(host);
    if (flags == nullptr || !known) return cudaErrorInvalidValue;
    *flags = *known;
    return cudaSuccess;
  });
}

cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  return answer([&](Session& session) {
    if (device == nullptr || flags != 0) return cudaErrorInvalidValue;
    const std::optional<unsigned> known = session.host_buffers.flags(host);
    if (!known || (*known & cudaHostAllocMapped) == 0) return cudaErrorInvalidValue;
    const std::optional<teslasim::Address> address = session.host_buffers.device_address(host, session.heap, {});
    if (!address) return cudaErrorMemoryAllocation;
    *device = std::bit_cast<void*>(std::uintptr_t{*address});
    return cudaSuccess;
  });
}
