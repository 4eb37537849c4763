// SPDX-License-Identifier: Apache-2.0
// Copies between host and device, checked at both ends.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/cudart/session.h"

namespace teslasim::cudart {

/// Whether the host waits for the end of a copy.
enum class Waiting : std::uint8_t { waits, goes_on };

/// A call that copies: what messages say about it, and in which stream it stands.
struct CopyCall {
  const char* name = "cudaMemcpy";
  CallSite site{};
  cudaMemcpyKind kind = cudaMemcpyDefault;
  DeviceClock::Stream stream = DeviceClock::null_stream;
  Waiting waiting = Waiting::waits;
};

/// `rows` rows of `bytes`, so many bytes apart.
struct CopyRows {
  void* to = nullptr;
  std::size_t to_pitch = 0;
  const void* from = nullptr;
  std::size_t from_pitch = 0;
  std::size_t bytes = 0, rows = 1;
};

cudaError_t copy(Session& session, const CopyCall& call, const CopyRows& rows);
/// One row.
cudaError_t copy(Session& session, const CopyCall& call, void* to, const void* from, std::size_t bytes);
/// Sets rows of bytes.
cudaError_t fill(Session& session, const CopyCall& call, const CopyRows& rows, int value);

/// From where to where bytes go: each way has a rate of its own.
enum class Path : std::uint8_t {
  host_to_host,
  pageable_to_device,
  pinned_to_device,
  device_to_pageable,
  device_to_pinned,
  device_to_device,
  device_fill,
};
/// By the keys of `board`: the link starts a copy, then moves bytes at a rate; inside the board the DRAM does.
[[nodiscard]] Femtoseconds copy_duration(const Session& session, Path path, std::uint64_t bytes);
/// Puts a copy of so many bytes into its stream; the host waits for those that end or begin with it.
void take_time(Session& session, const CopyCall& call, Path path, std::uint64_t bytes);

}  // namespace teslasim::cudart
