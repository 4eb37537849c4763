// SPDX-License-Identifier: Apache-2.0
// How every function of the runtime is answered: one caller at a time, no exception leaves, the last error is kept.
#pragma once

#include <exception>
#include <mutex>
#include <new>

#include "frontend/cuda/include/cuda_runtime_api.h"
#include "sim/cudart/session.h"
#include "sim/run/signals.h"

#if defined(__GNUC__)
#define TESLASIM_EXPORTED extern "C" __attribute__((visibility("default")))
#endif

namespace teslasim::cudart {

[[nodiscard]] cudaError_t error_of(const InputError& error);
[[nodiscard]] cudaError_t internal_error(const char* what);

/// Keeps what cudaGetLastError answers.
inline cudaError_t remembered(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady) HostThread::get().last_error = error;
  return error;
}

/// Runs `function` with the process locked.
template <typename Function>
cudaError_t answer_anyway(Function function) noexcept {
  Process& process = Process::get();
  const std::lock_guard<std::recursive_mutex> lock(process.mutex);
  if (caught_signal() != 0 && process.session_if_made() != nullptr) process.end_by_signal();
  try {
    return remembered(function(process));
  } catch (const InputError& error) {
    return remembered(error_of(error));
  } catch (const std::bad_alloc&) {
    return remembered(cudaErrorMemoryAllocation);
  } catch (const std::exception& error) {
    return remembered(internal_error(error.what()));
  }
}

/// The same for what needs the device, which a kernel may have broken.
template <typename Function>
cudaError_t answer(Function function) noexcept {
  return answer_anyway([&function](Process& process) {
    Session& session = process.session();
    return session.broken() != cudaSuccess ? session.broken() : function(session);
  });
}

}  // namespace teslasim::cudart
