// SPDX-License-Identifier: Apache-2.0
// The driver's interface: modules, functions, launches.
#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>

#include "frontend/cuda/include/cuda.h"
#include "frontend/frontend.h"
#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/device_facts.h"
#include "sim/cudart/api/driver_answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

template <typename Handle>
std::size_t number_behind(Handle handle) {
  return std::bit_cast<std::uintptr_t>(handle);
}

cudaError_t load_module(Session& session, CUmodule* handle, Module code) {
  if (handle == nullptr) return cudaErrorInvalidValue;
  auto loaded = std::make_unique<LoadedCode>(std::make_shared<const Module>(std::move(code)), session.heap,
                                             session.device.level());
  *handle = std::bit_cast<CUmodule>(std::uintptr_t{Process::get().driver.add(std::move(loaded))});
  return cudaSuccess;
}

ReadOptions read_options(const Session& session) {
  ReadOptions options;
  options.machine_sm = session.device.level();
  options.machine = session.device.word();
  return options;
}

/// A log has no room when its size is among the options as 0.
bool has_room(unsigned count, const CUjit_option* options, void* const* values, CUjit_option size) {
  const CUjit_option* const found = std::find(options, options + count, size);
  return found == options + count || values[found - options] != nullptr;
}

/// Programs print the logs and the time: logs are empty, since stderr has what is wrong; making code takes no time. The
/// other options choose what PTX is compiled for, which is the machine.
void answer_jit_options(unsigned count, const CUjit_option* options, void** values) {
  constexpr char empty = '\0';
  for (const auto& [log, size] : {std::pair(CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES),
                                  std::pair(CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)}) {
    const bool can_write = has_room(count, options, values, size);
    for (unsigned i = 0; i < count; ++i) {
      if (options[i] == log && can_write) (void)write_host(values[i], &empty, sizeof(empty));
      if (options[i] == size || options[i] == CU_JIT_WALL_TIME) values[i] = nullptr;
    }
  }
}

/// Runs `function` with a function of a module that is there.
template <typename Function>
CUresult with_function(CUfunction handle, Function function) {
  return driver_error(answer([&](Session& session) {
    DriverFunction* found = Process::get().driver.function(number_behind(handle));
    return found != nullptr ? function(session, *found) : cudaErrorInvalidResourceHandle;
  }));
}

CUresult set_parameter(CUfunction handle, int offset, const void* value, std::size_t bytes) {
  constexpr std::size_t most_parameter_bytes = 4096;
  return with_function(handle, [&](Session&, DriverFunction& function) {
    if (offset < 0 || static_cast<std::size_t>(offset) + bytes > most_parameter_bytes) return cudaErrorInvalidValue;
    std::vector<std::uint8_t>& parameters = function.parameters;
    const auto at = static_cast<std::size_t>(offset);
    parameters.resize(std::max(parameters.size(), at + bytes));
    return read_host(parameters.data() + at, value, bytes) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t launch(Session& session, const DriverFunction& function, LaunchShape shape,
                   std::vector<std::uint8_t> parameters) {
  LoadedCode& code = *Process::get().driver.module(function.module);
  parameters.resize(std::max<std::size_t>(parameters.size(), function.kernel->parameter_bytes));
  return session.launch(code, *function.kernel, shape, std::move(parameters),
                        Process::get().driver.textures.bound(function.module, code.module()));
}

/// What follows CU_LAUNCH_PARAM_BUFFER_POINTER in the list of cuLaunchKernel.
std::optional<std::vector<std::uint8_t>> packed_parameters(void** extra) {
  const void* buffer = nullptr;
  std::size_t bytes = 0;
  for (; extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[1];
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const std::size_t*>(extra[1]);
  }
  constexpr std::size_t most_parameter_bytes = 4096;
  std::vector<std::uint8_t> parameters(std::min(bytes, most_parameter_bytes));
  if (bytes > most_parameter_bytes || !read_host(parameters.data(), buffer, bytes)) return std::nullopt;
  return parameters;
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

CUresult cuModuleLoad(CUmodule* module, const char* file) {
  const std::optional<std::string> name = host_text(file);
  std::error_code error;
  if (name && !std::filesystem::exists(*name, error)) return CUDA_ERROR_FILE_NOT_FOUND;
  return driver_error(answer([&](Session& session) {
    const std::optional<std::string> path = host_text(file);
    if (!path) return cudaErrorInvalidValue;
    return load_module(session, module, teslasim::read_module(*path, read_options(session)));
  }));
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  return driver_error(answer([&](Session& session) {
    const std::optional<std::string> bytes = image_bytes(image);
    if (!bytes) return cudaErrorInvalidKernelImage;
    return load_module(session, module, teslasim::read_module_bytes("module", *bytes, read_options(session)));
  }));
}
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                            void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  answer_jit_options(count, options, values);
  return cuModuleLoadData(module, image);
}
CUresult cuModuleUnload(CUmodule module) {
  return driver_error(answer([&](Session&) {
    return Process::get().driver.remove(number_behind(module)) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  }));
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  return driver_error(answer([&](Session&) {
    const std::optional<std::string> wanted = host_text(name);
    if (function == nullptr || !wanted) return cudaErrorInvalidValue;
    if (Process::get().driver.module(number_behind(module)) == nullptr) return cudaErrorInvalidResourceHandle;
    const std::size_t number = Process::get().driver.add_function(number_behind(module), *wanted);
    if (number == 0) return cudaErrorInvalidDeviceFunction;
    *function = std::bit_cast<CUfunction>(std::uintptr_t{number});
    return cudaSuccess;
  }));
}
CUresult cuModuleGetGlobal(CUdeviceptr* pointer, size_t* size, CUmodule module, const char* name) {
  return driver_error(answer([&](Session&) {
    const std::optional<std::string> wanted = host_text(name);
    const LoadedCode* code = Process::get().driver.module(number_behind(module));
    if (code == nullptr) return cudaErrorInvalidResourceHandle;
    if (!wanted) return cudaErrorInvalidValue;
    const SymbolPlace* place = code->symbol(*wanted);
    if (place == nullptr) return cudaErrorInvalidSymbol;
    if (pointer != nullptr) *pointer = place->address;
    if (size != nullptr) *size = place->bytes;
    return cudaSuccess;
  }));
}

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return with_function(function, [&](Session&, DriverFunction& found) {
    found.block = {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
    return cudaSuccess;
  });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned int bytes) {
  return with_function(function, [&](Session&, DriverFunction& found) {
    found.dynamic_shared_bytes = bytes;
    return cudaSuccess;
  });
}
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
  return with_function(function, [&](Session& session, DriverFunction& found) {
    if (value == nullptr) return cudaErrorInvalidValue;
    const teslasim::Kernel& code = *found.kernel->kernel;
    switch (attribute) {
      case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
        *value = max_threads(session.device.spec(), code);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
        *value = static_cast<int>(found.kernel->shared_bytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
        *value = static_cast<int>(code.local_bytes);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_NUM_REGS:
        *value = static_cast<int>(code.registers);
        return cudaSuccess;
      case CU_FUNC_ATTRIBUTE_PTX_VERSION:
      case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
        *value = static_cast<int>(session.device.level());
        return cudaSuccess;
      default:
        return cudaErrorInvalidValue;
    }
  });
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache /*config*/) {
  return with_function(function, [](Session&, DriverFunction&) { return cudaSuccess; });
}

CUresult cuParamSetSize(CUfunction function, unsigned int bytes) {
  constexpr unsigned most_parameter_bytes = 4096;
  return with_function(function, [&](Session&, DriverFunction& found) {
    if (bytes > most_parameter_bytes) return cudaErrorInvalidValue;
    found.parameters.resize(bytes);
    return cudaSuccess;
  });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned int value) {
  return set_parameter(function, offset, &value, sizeof(value));
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_parameter(function, offset, &value, sizeof(value));
}
CUresult cuParamSetv(CUfunction function, int offset, void* value, unsigned int bytes) {
  return set_parameter(function, offset, value, bytes);
}

CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return with_function(function, [&](Session& session, DriverFunction& found) {
    LaunchShape shape;
    shape.grid = {static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), 1};
    shape.block = found.block;
    shape.dynamic_shared_bytes = found.dynamic_shared_bytes;
    shape.stream = stream_of(stream);
    return launch(session, found, shape, found.parameters);
  });
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) {
  return cuLaunchGrid(function, 1, 1);
}
CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream stream, void** parameters, void** extra) {
  return with_function(function, [&](Session& session, DriverFunction& found) {
    const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream_of(stream), {}};
    if (parameters == nullptr && extra == nullptr) return launch(session, found, shape, found.parameters);
    const std::optional<std::vector<std::uint8_t>> given =
        parameters != nullptr ? gathered_parameters(*found.kernel, parameters) : packed_parameters(extra);
    return given ? launch(session, found, shape, *given) : cudaErrorInvalidValue;
  });
}
