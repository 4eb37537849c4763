// SPDX-License-Identifier: Apache-2.0
// Variables and constants of device code, and what kernels need.
#include <algorithm>
#include <bit>

#include "sim/cudart/api/answer.h"
#include "sim/cudart/api/device_facts.h"
#include "sim/cudart/api/handles.h"
#include "sim/cudart/copies.h"
#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

void* pointer_to(const SymbolPlace& place, std::size_t offset) {
  return std::bit_cast<void*>(std::uintptr_t{place.address} + offset);
}

std::string no_variable(const char* symbol) {
  const std::optional<std::string> name = host_text(symbol);
  constexpr std::size_t longest = 60;
  const bool is_name =
      name && !name->empty() && name->size() < longest &&
      std::all_of(name->begin(), name->end(), [](unsigned char one) { return one > ' ' && one < 127; });
  return is_name ? "there is no variable '" + *name + "'" : "there is no such variable";
}

/// Runs `function` with the place of a symbol: one variable, not several of that name.
template <typename Function>
cudaError_t with_place(Session& session, const CopyCall& call, const char* symbol, Function function) {
  const std::vector<SymbolPlace> places = Process::get().code.symbols(symbol, session.heap, session.device.level());
  if (places.empty()) return session.complain(cudaErrorInvalidSymbol, call.name, call.site, no_variable(symbol));
  if (places.size() == 1) return function(places.front());
  return session.complain(cudaErrorDuplicateVariableName, call.name, call.site,
                          "several files of the program have a variable '" + host_text(symbol).value_or("") +
                              "': give the variable itself");
}

/// Runs `function` with the address of a part of a symbol.
template <typename Function>
cudaError_t with_symbol(const CopyCall& call, const char* symbol, std::size_t offset, std::size_t size,
                        Function function) {
  return answer([&](Session& session) {
    return with_place(session, call, symbol, [&](const SymbolPlace& place) {
      if (offset > place.bytes || size > place.bytes - offset)
        return session.complain(cudaErrorInvalidValue, call.name, call.site, "the variable has fewer bytes");
      return function(session, pointer_to(place, offset));
    });
  });
}

cudaError_t copy_to(const CopyCall& call, const char* symbol, const void* from, std::size_t size, std::size_t offset) {
  return with_symbol(call, symbol, offset, size,
                     [&](Session& session, void* to) { return copy(session, call, to, from, size); });
}

cudaError_t copy_from(const CopyCall& call, void* to, const char* symbol, std::size_t size, std::size_t offset) {
  return with_symbol(call, symbol, offset, size,
                     [&](Session& session, void* from) { return copy(session, call, to, from, size); });
}

}  // namespace
}  // namespace teslasim::cudart

using namespace teslasim::cudart;  // NOLINT(google-build-using-namespace): the names of CUDA's functions are global

cudaError_t cudaMemcpyToSymbol(const char* symbol, const void* from, size_t size, size_t offset, cudaMemcpyKind kind,
                               const char* file, int line) {
  return copy_to(CopyCall{"cudaMemcpyToSymbol", CallSite{file, line}, kind}, symbol, from, size, offset);
}
cudaError_t cudaMemcpyFromSymbol(void* to, const char* symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                 const char* file, int line) {
  return copy_from(CopyCall{"cudaMemcpyFromSymbol", CallSite{file, line}, kind}, to, symbol, size, offset);
}
cudaError_t cudaMemcpyToSymbolAsync(const char* symbol, const void* from, size_t size, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  const CopyCall call{"cudaMemcpyToSymbolAsync", {}, kind, stream_of(stream), Waiting::goes_on};
  return copy_to(call, symbol, from, size, offset);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const char* symbol, size_t size, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  const CopyCall call{"cudaMemcpyFromSymbolAsync", {}, kind, stream_of(stream), Waiting::goes_on};
  return copy_from(call, to, symbol, size, offset);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const char* symbol) {
  return with_symbol(CopyCall{"cudaGetSymbolAddress"}, symbol, 0, 0, [&](Session&, void* place) {
    if (pointer == nullptr) return cudaErrorInvalidValue;
    *pointer = place;
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* size, const char* symbol) {
  return answer([&](Session& session) {
    return with_place(session, CopyCall{"cudaGetSymbolSize"}, symbol, [&](const SymbolPlace& place) {
      if (size == nullptr) return cudaErrorInvalidValue;
      *size = place.bytes;
      return cudaSuccess;
    });
  });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const char* kernel) {
  return answer([&](Session& session) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    const ProgramCode::Function* function = Process::get().code.function(kernel, session.heap, session.device.level());
    if (function == nullptr || function->kernel == nullptr)
      return session.complain(cudaErrorInvalidDeviceFunction, "cudaFuncGetAttributes", {}, "there is no such kernel");
    const teslasim::Kernel& code = *function->kernel->kernel;
    const teslasim::Module& module = function->image->loaded->module();
    *attributes = {};
    attributes->sharedSizeBytes = function->kernel->shared_bytes;
    attributes->localSizeBytes = code.local_bytes;
    for (const teslasim::ConstantSegment& segment : module.constants)
      attributes->constSizeBytes = std::max(attributes->constSizeBytes, segment.offset + segment.bytes.size());
    attributes->numRegs = static_cast<int>(code.registers);
    attributes->maxThreadsPerBlock = max_threads(session.device.spec(), code);
    attributes->ptxVersion = attributes->binaryVersion = module.sm;
    return cudaSuccess;
  });
}
cudaError_t cudaFuncSetCacheConfig(const char* /*kernel*/, cudaFuncCache /*config*/) {
  return answer([](Session&) { return cudaSuccess; });  // these chips have nothing to configure
}
cudaError_t cudaFuncSetSharedMemConfig(const char* /*kernel*/, cudaSharedMemConfig /*config*/) {
  return answer([](Session&) { return cudaSuccess; });
}
