// SPDX-License-Identifier: Apache-2.0
// Errors, devices, waiting.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/device_facts.h"
#include "sim/cudart/host_memory.h"

using teslasim::cudart::answer;
using teslasim::cudart::answer_anyway;
using teslasim::cudart::HostThread;
using teslasim::cudart::Process;
using teslasim::cudart::Session;

namespace {

template <typename Value>
cudaError_t give(Value* place, Value value) {
  return answer_anyway([&](Process&) {
    if (place == nullptr) return cudaErrorInvalidValue;
    *place = value;
    return cudaSuccess;
  });
}

std::string pci_place(const Session& session) {
  const cudaDeviceProp facts = teslasim::cudart::properties_of(session);
  return fmt::format("{:04x}:{:02x}:{:02x}.0", facts.pciDomainID, facts.pciBusID, facts.pciDeviceID);
}

}  // namespace

cudaError_t cudaGetLastError(void) {
  Process& process = Process::get();
  const std::lock_guard<std::recursive_mutex> lock(process.mutex);
  const cudaError_t error = cudaPeekAtLastError();
  HostThread::get().last_error = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError(void) {
  Process& process = Process::get();
  const std::lock_guard<std::recursive_mutex> lock(process.mutex);
  const Session* session = process.session_if_made();
  return session != nullptr && session->broken() != cudaSuccess ? session->broken() : HostThread::get().last_error;
}

cudaError_t cudaDeviceSynchronize(void) {
  return answer([](Session& session) {
    session.wait_until(session.clock.reached(teslasim::cudart::DeviceClock::null_stream));
    return cudaSuccess;
  });
}
cudaError_t cudaThreadSynchronize(void) {
  return cudaDeviceSynchronize();
}

cudaError_t cudaDeviceReset(void) {
  return answer_anyway([](Process& process) {
    process.reset();
    return cudaSuccess;
  });
}
cudaError_t cudaThreadExit(void) {
  return cudaDeviceReset();
}

cudaError_t cudaGetDeviceCount(int* count) {
  return give(count, 1);
}
cudaError_t cudaSetDevice(int device) {
  return answer_anyway([&](Process&) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; });
}
cudaError_t cudaGetDevice(int* device) {
  return give(device, 0);
}
cudaError_t cudaSetValidDevices(int* devices, int count) {
  return answer_anyway([&](Process&) {
    const bool known = devices == nullptr || count <= 0 || std::find(devices, devices + count, 0) != devices + count;
    return known ? cudaSuccess : cudaErrorInvalidDevice;
  });
}
cudaError_t cudaSetDeviceFlags(unsigned int /*flags*/) {
  return cudaSuccess;  // how the host waits is the host's affair; memory can be mapped without being asked for
}
cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* /*wanted*/) {
  return give(device, 0);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return answer([&](Session& session) {
    if (properties == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    *properties = teslasim::cudart::properties_of(session);
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetPCIBusId(char* name, int size, int device) {
  return answer([&](Session& session) {
    if (device != 0) return cudaErrorInvalidDevice;
    const std::string place = pci_place(session);
    if (name == nullptr || size < 0 || static_cast<std::size_t>(size) <= place.size()) return cudaErrorInvalidValue;
    name[place.copy(name, place.size())] = '\0';
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, char* name) {
  return answer([&](Session& session) {
    if (device == nullptr || teslasim::cudart::host_text(name) != pci_place(session)) return cudaErrorInvalidValue;
    *device = 0;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return device == 0 && peer == 0 ? give(can, 0) : teslasim::cudart::remembered(cudaErrorInvalidDevice);
}
// There is one device, and none is its own peer.
cudaError_t cudaDeviceEnablePeerAccess(int /*peer*/, unsigned int /*flags*/) {
  return teslasim::cudart::remembered(cudaErrorInvalidDevice);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return teslasim::cudart::remembered(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}
cudaError_t cudaDriverGetVersion(int* version) {
  return give(version, CUDART_VERSION);
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return give(version, CUDART_VERSION);
}

// These chips have no caches to configure, no stack and no heap to limit.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache /*config*/) {
  return cudaSuccess;
}
cudaError_t cudaThreadSetCacheConfig(cudaFuncCache /*config*/) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return give(config, cudaFuncCachePreferNone);
}
cudaError_t cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}
// Banks of shared memory are four bytes wide, whatever a program prefers.
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig /*config*/) {
  return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return give(config, cudaSharedMemBankSizeFourByte);
}
// Below compute capability 1.3 memory still holds doubles: kernels convert them where they read and write.
cudaError_t cudaSetDoubleForDevice(double* value) {
  return value != nullptr ? cudaSuccess : teslasim::cudart::remembered(cudaErrorInvalidValue);
}
cudaError_t cudaSetDoubleForHost(double* value) {
  return cudaSetDoubleForDevice(value);
}
cudaError_t cudaDeviceSetLimit(cudaLimit /*limit*/, size_t /*value*/) {
  return answer([](Session&) { return cudaErrorUnsupportedLimit; });
}
cudaError_t cudaDeviceGetLimit(size_t* /*value*/, cudaLimit /*limit*/) {
  return answer([](Session&) { return cudaErrorUnsupportedLimit; });
}
cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t cudaProfilerStart(void) {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop(void) {
  return cudaSuccess;
}
