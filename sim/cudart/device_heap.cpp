// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/device_heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/exec/kernel_error.h"

namespace teslasim::cudart {
namespace {

constexpr std::uint64_t alignment = 256;
/// What one buffer of a DeviceMemory can have.
constexpr std::uint64_t most_reached = std::uint64_t{3} << 30U;

std::optional<Address> device_address(const void* pointer) {
  const auto value = std::bit_cast<std::uintptr_t>(pointer);
  if (value > std::numeric_limits<Address>::max()) return std::nullopt;
  return static_cast<Address>(value);
}

}  // namespace

DeviceHeap::DeviceHeap(std::uint64_t capacity, Reach reach) : capacity_(capacity) {
  if (reach == Reach::buffers) return;
  // Programs also read in front of their first buffer.
  constexpr std::uint64_t room_in_front = std::uint64_t{1} << 20U;
  book_.emplace();
  (void)book_->allocate("the room in front of all buffers", "", room_in_front);
  (void)memory_.allocate("memory of the board", "", std::min(2 * capacity, most_reached - alignment * 32));
}

std::optional<Address> DeviceHeap::allocate(std::uint64_t bytes, const char* what, const CallSite& site) {
  if (bytes > capacity_ - used_) return std::nullopt;
  const std::string place = site.text();
  std::string name = place.empty() ? what : fmt::format("{} at {}", what, place);
  used_ += bytes;
  if (const std::optional<Address> gap = take_gap(name, bytes)) return gap;
  try {
    return book().allocate(std::move(name), "", bytes);
  } catch (const InputError&) {  // the address space is full
    used_ -= bytes;
    return std::nullopt;
  }
}

std::optional<Address> DeviceHeap::take_gap(const std::string& name, std::uint64_t bytes) {
  const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [bytes](const Gap& one) { return one.bytes >= bytes; });
  if (gap == gaps_.end()) return std::nullopt;
  const Gap taken = *gap;
  gaps_.erase(gap);
  book().allocate_at(taken.address, name, "", bytes);
  const std::uint64_t end = (std::uint64_t{taken.address} + bytes + alignment - 1) / alignment * alignment + alignment;
  const std::uint64_t gap_end = taken.address + taken.bytes;
  if (end < gap_end) gaps_.push_back({static_cast<Address>(end), gap_end - end});
  return taken.address;
}

bool DeviceHeap::release(Address address) {
  const Buffer* buffer = book().find(address, 0);
  if (buffer == nullptr || buffer->address != address) return false;
  const std::uint64_t bytes = buffer->bytes;
  used_ -= bytes;
  // What is read before it is written is 0, in every run.
  memory_.clear(address, bytes);
  gaps_.push_back({address, bytes});
  (void)book().release(address);
  join_gaps();
  return true;
}

void DeviceHeap::join_gaps() {
  std::sort(gaps_.begin(), gaps_.end(), [](const Gap& a, const Gap& b) { return a.address < b.address; });
  std::vector<Gap> joined;
  for (const Gap& gap : gaps_) {
    const bool touches =
        !joined.empty() &&
        (joined.back().address + joined.back().bytes + alignment - 1) / alignment * alignment + alignment >=
            gap.address;
    if (touches)
      joined.back().bytes = gap.address + gap.bytes - joined.back().address;
    else
      joined.push_back(gap);
  }
  gaps_ = std::move(joined);
}

void DeviceHeap::clear() {
  const std::size_t kept = book_ ? 1 : 0;  // the room in front
  while (book().buffers().size() > kept) (void)release(book().buffers().back().address);
}

std::optional<Address> DeviceHeap::find(const void* pointer, std::uint64_t bytes) const {
  const std::optional<Address> address = device_address(pointer);
  if (!address || book().find(*address, bytes) == nullptr) return std::nullopt;
  return address;
}

std::optional<DeviceHeap::Range> DeviceHeap::range_of(const void* pointer) const {
  const std::optional<Address> address = device_address(pointer);
  const Buffer* buffer = address ? book().find(*address) : nullptr;
  return buffer != nullptr ? std::optional(Range{buffer->address, buffer->bytes}) : std::nullopt;
}

std::string DeviceHeap::describe(const void* pointer) const {
  const std::optional<Address> address = device_address(pointer);
  if (!address) return fmt::format("{} is an address of the host", pointer);
  return fmt::format("{:#010x}: {}", *address, describe_address(book(), *address));
}

}  // namespace teslasim::cudart
