// SPDX-License-Identifier: Apache-2.0
// Handles that programs hold are numbers, so that none of them can lead to memory that is not there.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "frontend/cuda/include/driver_types.h"
#include "sim/cudart/device_clock.h"

namespace teslasim::cudart {

[[nodiscard]] inline DeviceClock::Stream stream_of(cudaStream_t stream) {
  return std::bit_cast<std::uintptr_t>(stream);
}
[[nodiscard]] inline cudaStream_t handle_of(DeviceClock::Stream stream) {
  return std::bit_cast<cudaStream_t>(std::uintptr_t{stream});
}
[[nodiscard]] inline std::size_t number_of(cudaEvent_t event) {
  return std::bit_cast<std::uintptr_t>(event);
}
[[nodiscard]] inline cudaEvent_t event_handle_of(std::size_t number) {
  return std::bit_cast<cudaEvent_t>(std::uintptr_t{number});
}
[[nodiscard]] inline std::size_t number_of(const cudaArray* array) {
  return std::bit_cast<std::uintptr_t>(array);
}
[[nodiscard]] inline cudaArray* array_handle_of(std::size_t number) {
  return std::bit_cast<cudaArray*>(std::uintptr_t{number});
}

}  // namespace teslasim::cudart
