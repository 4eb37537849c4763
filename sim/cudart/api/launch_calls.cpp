// SPDX-License-Identifier: Apache-2.0
// What clang's constructors register, and launches: those that it makes of <<<...>>>, and those by hand.
#include <algorithm>
#include <utility>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

/// What clang puts into the segment .nvFatBinSegment.
struct FatBinaryWrapper {
  std::int32_t magic = 0, version = 0;
  const char* data = nullptr;
  void* rest = nullptr;
};

LaunchShape shape_of(const dim3& grid, const dim3& block, std::size_t shared, cudaStream_t stream, CallSite site) {
  return {{grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, stream_of(stream), site};
}

std::vector<Texture> textures_of(const ProgramCode::Function& function, const LoadedCode& code) {
  std::vector<Texture> textures;
  for (const TextureReference& reference : code.module().textures) {
    textures.resize(std::max<std::size_t>(textures.size(), reference.slot + std::size_t{1}));
    const auto state = function.image->textures.find(reference.name);
    if (state != function.image->textures.end()) textures[reference.slot] = state->second->bound;
    textures[reference.slot].name = reference.name;
  }
  return textures;
}

cudaError_t launch(Session& session, const void* stub, const LaunchShape& shape, std::vector<std::uint8_t> parameters) {
  ProgramCode::Function* function = Process::get().code.function(stub, session.heap, session.device.level());
  if (function == nullptr || function->kernel == nullptr)
    return session.complain(cudaErrorInvalidDeviceFunction, "launch", shape.site, "there is no such kernel");
  LoadedCode& code = *function->image->loaded;
  parameters.resize(std::max<std::size_t>(parameters.size(), function->kernel->parameter_bytes));
  return session.launch(code, *function->kernel, shape, std::move(parameters), textures_of(*function, code));
}

}  // namespace
}  // namespace teslasim::cudart

using teslasim::cudart::answer;
using teslasim::cudart::answer_anyway;
using teslasim::cudart::CallSite;
using teslasim::cudart::HostThread;
using teslasim::cudart::LaunchShape;
using teslasim::cudart::Process;
using teslasim::cudart::ProgramCode;
using teslasim::cudart::Session;

namespace {

ProgramCode::Image* image_of(void** handle) {
  return static_cast<ProgramCode::Image*>(static_cast<void*>(handle));
}

}  // namespace

// clang calls these by their reserved names.
// NOLINTBEGIN(bugprone-reserved-identifier)
TESLASIM_EXPORTED void** __cudaRegisterFatBinary(void* wrapper) {
  const char* data = static_cast<const teslasim::cudart::FatBinaryWrapper*>(wrapper)->data;
  return static_cast<void**>(static_cast<void*>(Process::get().code.add_image(data)));
}
TESLASIM_EXPORTED void __cudaRegisterFatBinaryEnd(void** /*image*/) {}
TESLASIM_EXPORTED void __cudaUnregisterFatBinary(void** image) {
  Process::get().code.remove_image(image_of(image));
}
TESLASIM_EXPORTED int __cudaRegisterFunction(void** image, const void* stub, char* /*host_name*/, const char* name,
                                             int /*threads*/, void* /*tid*/, void* /*bid*/, void* /*block*/,
                                             void* /*grid*/, int* /*warp*/) {
  Process::get().code.add_function(image_of(image), stub, name);
  return 0;
}
TESLASIM_EXPORTED void __cudaRegisterVar(void** image, void* host, char* /*host_name*/, const char* name,
                                         int /*external*/, std::size_t /*bytes*/, int /*constant*/, int /*global*/) {
  Process::get().code.add_variable(image_of(image), host, name);
}
TESLASIM_EXPORTED void __cudaRegisterTexture(void** image, const void* host, const void** /*device*/, const char* name,
                                             int /*dimensions*/, int normalised, int /*external*/) {
  Process::get().code.add_texture(image_of(image), host, name, normalised != 0);
}
// NOLINTEND(bugprone-reserved-identifier)

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream, const char* file,
                                         int line) {
  const cudaError_t error = answer_anyway([&](Process&) {
    HostThread& thread = HostThread::get();
    thread.configured.push_back(teslasim::cudart::shape_of(grid, block, shared, stream, CallSite{file, line}));
    return cudaSuccess;
  });
  return error == cudaSuccess ? 0 : 1;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  return answer_anyway([&](Process&) {
    HostThread& thread = HostThread::get();
    if (thread.configured.empty()) return cudaErrorMissingConfiguration;
    const LaunchShape& shape = thread.configured.back();
    *grid = dim3(shape.grid[0], shape.grid[1], shape.grid[2]);
    *block = dim3(shape.block[0], shape.block[1], shape.block[2]);
    *shared = shape.dynamic_shared_bytes;
    *static_cast<cudaStream_t*>(stream) = teslasim::cudart::handle_of(shape.stream);
    thread.site = shape.site;
    thread.configured.pop_back();
    return cudaSuccess;
  });
}

cudaError_t cudaLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return answer([&](Session& session) {
    Process& process = Process::get();
    HostThread& thread = HostThread::get();
    const LaunchShape shape =
        teslasim::cudart::shape_of(grid, block, shared, stream, std::exchange(thread.site, CallSite{}));
    const ProgramCode::Function* function = process.code.function(kernel, session.heap, session.device.level());
    if (function == nullptr || function->kernel == nullptr)
      return teslasim::cudart::launch(session, kernel, shape, {});  // which says what is wrong
    auto parameters = teslasim::cudart::gathered_parameters(*function->kernel, arguments);
    if (!parameters) return cudaErrorInvalidValue;
    return teslasim::cudart::launch(session, kernel, shape, std::move(*parameters));
  });
}

cudaError_t cudaConfigureCall(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const char* file, int line) {
  return answer_anyway([&](Process&) {
    HostThread& thread = HostThread::get();
    thread.configured.push_back(teslasim::cudart::shape_of(grid, block, shared, stream, CallSite{file, line}));
    thread.arguments.clear();
    return cudaSuccess;
  });
}

cudaError_t cudaSetupArgument(const void* argument, size_t size, size_t offset) {
  constexpr std::size_t most_parameter_bytes = 4096;
  return answer_anyway([&](Process&) {
    HostThread& thread = HostThread::get();
    if (offset > most_parameter_bytes || size > most_parameter_bytes) return cudaErrorInvalidValue;
    thread.arguments.resize(std::max(thread.arguments.size(), offset + size));
    const bool readable = teslasim::cudart::read_host(thread.arguments.data() + offset, argument, size);
    return readable ? cudaSuccess : cudaErrorInvalidHostPointer;
  });
}

cudaError_t cudaLaunch(const char* kernel) {
  return answer([&](Session& session) {
    HostThread& thread = HostThread::get();
    if (thread.configured.empty())
      return session.complain(cudaErrorMissingConfiguration, "cudaLaunch", {}, "no cudaConfigureCall came before it");
    const LaunchShape shape = thread.configured.back();
    thread.configured.pop_back();
    return teslasim::cudart::launch(session, kernel, shape, std::exchange(thread.arguments, {}));
  });
}
