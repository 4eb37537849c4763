// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/host_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace teslasim::cudart {
namespace {

using Transfer = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long, unsigned long);

/// Bytes copied between `here` and `there` by the kernel, which checks `there`; it moves at most 2 GiB at once.
std::size_t transfer(Transfer call, std::byte* here, std::byte* there, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 30U;
  std::size_t done = 0;
  while (done < bytes) {
    const std::size_t part = std::min(most, bytes - done);
    const iovec local{here + done, part};
    const iovec remote{there + done, part};
    const ssize_t moved = call(getpid(), &local, 1, &remote, 1, 0);
    if (moved <= 0) return done;
    done += static_cast<std::size_t>(moved);
  }
  return done;
}

/// Some containers forbid the call: then pointers are trusted, as the real library does.
bool is_allowed() {
  static const bool allowed = [] {
    std::byte from{1}, to{};
    return transfer(process_vm_readv, &to, &from, 1) == 1;
  }();
  return allowed;
}

template <typename Byte>
std::byte* bytes_at(Byte* pointer) {
  return static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(pointer)));
}

}  // namespace

bool read_host(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return true;
  if (is_allowed()) return transfer(process_vm_readv, bytes_at(to), bytes_at(from), bytes) == bytes;
  std::memcpy(to, from, bytes);
  return true;
}

bool write_host(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return true;
  if (is_allowed()) return transfer(process_vm_writev, bytes_at(from), bytes_at(to), bytes) == bytes;
  std::memcpy(to, from, bytes);
  return true;
}

std::optional<std::string> host_text(const void* pointer) {
  constexpr std::size_t most = 1024;
  std::string text;
  for (const std::byte* from = bytes_at(pointer); text.size() < most; ++from) {
    char next = 0;
    if (!read_host(&next, from, 1)) return std::nullopt;
    if (next == '\0') return text;
    text += next;
  }
  return std::nullopt;
}

}  // namespace teslasim::cudart
