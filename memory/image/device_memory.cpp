// SPDX-License-Identifier: Apache-2.0
#include "memory/image/device_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/diagnostic.h"

namespace teslasim {

namespace {

constexpr std::uint64_t address_space_bytes = std::uint64_t{1} << 32;
/// Mapped behind the last address so that a wide access at the end of the space stays inside the mapping.
constexpr std::uint64_t guard_bytes = 4096;
constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t page_bytes = 4096;
/// The first page stays free: address 0 is the null pointer of kernels.
constexpr std::uint64_t first_address = 4096;
/// The top of the space is kept for the address ranges of local memory (see sim/exec).
constexpr std::uint64_t allocation_limit = address_space_bytes - (std::uint64_t{1} << 30);

std::uint64_t round_up(std::uint64_t value) {
  return (value + alignment - 1) / alignment * alignment;
}

Diagnostic environment_error(std::string message, std::string help) {
  Diagnostic diagnostic;
  diagnostic.code = "ENV-MEMORY";
  diagnostic.message = std::move(message);
  diagnostic.help = std::move(help);
  return diagnostic;
}

}  // namespace

DeviceMemory::DeviceMemory() : next_(first_address) {
  void* const mapping = mmap(nullptr, address_space_bytes + guard_bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    throw InputError(ExitCode::environment,
                     environment_error(std::string("cannot reserve 4 GiB of address space for device memory: ") +
                                           std::strerror(errno),
                                       "raise the limit of virtual memory (ulimit -v unlimited)"));
  }
  base_ = static_cast<std::byte*>(mapping);
}

DeviceMemory::~DeviceMemory() {
  munmap(base_, address_space_bytes + guard_bytes);
}

Address DeviceMemory::allocate(std::string name, std::string element_type, std::uint64_t bytes) {
  const std::uint64_t address = next_;
  if (bytes > allocation_limit || address + bytes > allocation_limit) {
    throw InputError(ExitCode::input, environment_error("buffer '" + name + "' of " + std::to_string(bytes) +
                                                            " bytes does not fit in device memory",
                                                        "buffers of one workload may take up to 3 GiB together"));
  }
  next_ = round_up(address + bytes) + alignment;
  buffers_.push_back({std::move(name), std::move(element_type), static_cast<Address>(address), bytes});
  return static_cast<Address>(address);
}

void DeviceMemory::allocate_at(Address address, std::string name, std::string element_type, std::uint64_t bytes) {
  const auto next = std::find_if(buffers_.begin(), buffers_.end(),
                                 [address](const Buffer& buffer) { return buffer.address > address; });
  SIM_CHECK(next == buffers_.end() || address + bytes <= next->address, "a buffer lies in the way of another");
  buffers_.insert(next, {std::move(name), std::move(element_type), address, bytes});
}

bool DeviceMemory::release(Address address) {
  const auto buffer =
      std::find_if(buffers_.begin(), buffers_.end(), [address](const Buffer& one) { return one.address == address; });
  if (buffer == buffers_.end()) return false;
  buffers_.erase(buffer);
  return true;
}

void DeviceMemory::clear(Address address, std::uint64_t bytes) {
  const std::uint64_t end = address + bytes;
  const std::uint64_t first_page = std::min<std::uint64_t>((address + page_bytes - 1) / page_bytes * page_bytes, end);
  const std::uint64_t last_page = std::max(end / page_bytes * page_bytes, first_page);
  std::memset(base_ + address, 0, first_page - address);
  std::memset(base_ + last_page, 0, end - last_page);
  if (last_page > first_page && madvise(base_ + first_page, last_page - first_page, MADV_DONTNEED) != 0)
    std::memset(base_ + first_page, 0, last_page - first_page);
}

const Buffer* DeviceMemory::find(Address address, std::uint64_t bytes) const {
  auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                [](Address value, const Buffer& buffer) { return value < buffer.address; });
  if (after == buffers_.begin()) return nullptr;
  const Buffer& candidate = *std::prev(after);
  const std::uint64_t end = candidate.address + candidate.bytes;
  return std::uint64_t{address} + bytes <= end ? &candidate : nullptr;
}

const Buffer* DeviceMemory::likely(Address address) const {
  if (buffers_.empty()) return nullptr;
  const auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                      [](Address value, const Buffer& buffer) { return value < buffer.address; });
  return after == buffers_.begin() ? &buffers_.front() : &*std::prev(after);
}

}  // namespace teslasim
