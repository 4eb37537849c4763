// SPDX-License-Identifier: Apache-2.0
#include "sim/cudart/copies.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

#include "sim/cudart/host_memory.h"

namespace teslasim::cudart {
namespace {

/// One end of a copy.
struct End {
  bool on_device = false;
  const char* role = "";
};

/// Bytes from the first to the last of rows; nothing when they are beyond all memory.
std::optional<std::uint64_t> extent(std::size_t pitch, std::size_t bytes, std::size_t rows) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  if (bytes > most || rows > most || pitch > most) return std::nullopt;
  return (rows - 1) * pitch + bytes;
}

/// Of the DRAM: two transfers in each memory cycle.
double peak_gbs(const MachineSpec& machine) {
  constexpr double bits_per_byte = 8, transfers = 2, mbs_per_gbs = 1000;
  return machine.dram.partitions * machine.dram.bus_width_bits_per_partition / bits_per_byte * transfers *
         machine.clock.memory_mhz / mbs_per_gbs;
}

class Copy {
 public:
  Copy(Session& session, const CopyCall& call, const CopyRows& rows) : session_(session), call_(call), rows_(rows) {}

  cudaError_t run() {
    if (rows_.bytes == 0 || rows_.rows == 0) return cudaSuccess;
    if (call_.kind < cudaMemcpyHostToHost || call_.kind > cudaMemcpyDefault) return refuse_kind();
    if (rows_.bytes > rows_.to_pitch || rows_.bytes > rows_.from_pitch)
      return session_.complain(cudaErrorInvalidPitchValue, call_.name, call_.site, "rows are longer than their pitch");
    const End to{goes_to_device(), "destination"};
    const End from{comes_from_device(), "source"};
    if (to.on_device && !lies_on_device(to, rows_.to, rows_.to_pitch)) return error_;
    if (from.on_device && !lies_on_device(from, rows_.from, rows_.from_pitch)) return error_;
    for (std::size_t row = 0; row < rows_.rows; ++row) {
      if (!move(row, to.on_device, from.on_device)) return refuse_host(to.on_device ? rows_.from : rows_.to);
    }
    take_time(session_, call_, path(to.on_device, from.on_device), std::uint64_t{rows_.bytes} * rows_.rows);
    return cudaSuccess;
  }

 private:
  [[nodiscard]] bool is_device_pointer(const void* pointer) const { return session_.heap.find(pointer, 1).has_value(); }
  [[nodiscard]] bool goes_to_device() const {
    if (call_.kind == cudaMemcpyDefault) return is_device_pointer(rows_.to);
    return call_.kind == cudaMemcpyHostToDevice || call_.kind == cudaMemcpyDeviceToDevice;
  }
  [[nodiscard]] bool comes_from_device() const {
    if (call_.kind == cudaMemcpyDefault) return is_device_pointer(rows_.from);
    return call_.kind == cudaMemcpyDeviceToHost || call_.kind == cudaMemcpyDeviceToDevice;
  }

  [[nodiscard]] Path path(bool to_device, bool from_device) const {
    if (to_device && from_device) return Path::device_to_device;
    if (!to_device && !from_device) return Path::host_to_host;
    const bool pinned = session_.host_buffers.is_pinned(to_device ? rows_.from : rows_.to);
    if (to_device) return pinned ? Path::pinned_to_device : Path::pageable_to_device;
    return pinned ? Path::device_to_pinned : Path::device_to_pageable;
  }

  cudaError_t refuse_kind() {
    return session_.complain(cudaErrorInvalidMemcpyDirection, call_.name, call_.site,
                             fmt::format("there is no kind {}", static_cast<int>(call_.kind)));
  }
  cudaError_t refuse_host(const void* pointer) {
    return session_.complain(cudaErrorInvalidHostPointer, call_.name, call_.site,
                             fmt::format("the host has no {} bytes at {}", rows_.bytes * rows_.rows, pointer));
  }

  bool lies_on_device(const End& end, const void* pointer, std::size_t pitch) {
    const std::optional<std::uint64_t> bytes = extent(pitch, rows_.bytes, rows_.rows);
    if (bytes && session_.heap.find(pointer, *bytes)) return true;
    const bool begins = is_device_pointer(pointer);
    const std::string wanted = bytes ? fmt::format("{} bytes", *bytes) : "more bytes than there are";
    error_ = session_.complain(
        begins ? cudaErrorInvalidValue : cudaErrorInvalidDevicePointer, call_.name, call_.site,
        fmt::format("the {} is no device memory of {}: {}", end.role, wanted, session_.heap.describe(pointer)));
    return false;
  }

  bool move(std::size_t row, bool to_device, bool from_device) {
    auto* to = static_cast<std::byte*>(rows_.to) + row * rows_.to_pitch;
    const auto* from = static_cast<const std::byte*>(rows_.from) + row * rows_.from_pitch;
    if (to_device) to = session_.heap.at(*session_.heap.find(to, rows_.bytes));
    if (from_device) from = session_.heap.at(*session_.heap.find(from, rows_.bytes));
    if (to_device && from_device) {
      std::memmove(to, from, rows_.bytes);
      return true;
    }
    if (to_device) return read_host(to, from, rows_.bytes);
    if (from_device) session_.record.add_result(from, rows_.bytes);
    return write_host(to, from, rows_.bytes);
  }

  Session& session_;
  const CopyCall& call_;
  const CopyRows& rows_;
  cudaError_t error_ = cudaSuccess;
};

}  // namespace

Femtoseconds copy_duration(const Session& session, Path path, std::uint64_t bytes) {
  if (!session.control.copies_take_time) return 0;
  constexpr double femtoseconds_per_us = 1e9;
  constexpr double bytes_per_us_of_one_gbs = 1e3;
  const BoardSpec& board = session.board;
  const double within_board = peak_gbs(session.device.spec()) * board.device_copy_share;
  double gbs = 0, start_us = board.copy_us;
  switch (path) {
    case Path::host_to_host:
      return 0;
    case Path::pageable_to_device:
      gbs = board.pageable_to_device_gbs;
      break;
    case Path::pinned_to_device:
      gbs = board.pinned_to_device_gbs;
      break;
    case Path::device_to_pageable:
      gbs = board.pageable_to_host_gbs;
      break;
    case Path::device_to_pinned:
      gbs = board.pinned_to_host_gbs;
      break;
    case Path::device_to_device:
      gbs = within_board / 2;  // each byte is read and written
      start_us = 0;
      break;
    case Path::device_fill:
      gbs = within_board;
      start_us = 0;
      break;
  }
  return Femtoseconds((start_us + static_cast<double>(bytes) / (gbs * bytes_per_us_of_one_gbs)) * femtoseconds_per_us);
}

cudaError_t copy(Session& session, const CopyCall& call, const CopyRows& rows) {
  return Copy(session, call, rows).run();
}

cudaError_t copy(Session& session, const CopyCall& call, void* to, const void* from, std::size_t bytes) {
  return copy(session, call, CopyRows{to, bytes, from, bytes, bytes, 1});
}

cudaError_t fill(Session& session, const CopyCall& call, const CopyRows& rows, int value) {
  if (rows.bytes == 0 || rows.rows == 0) return cudaSuccess;
  if (rows.bytes > rows.to_pitch)
    return session.complain(cudaErrorInvalidPitchValue, call.name, call.site, "rows are longer than their pitch");
  const std::optional<std::uint64_t> bytes = extent(rows.to_pitch, rows.bytes, rows.rows);
  const std::optional<Address> address = bytes ? session.heap.find(rows.to, *bytes) : std::nullopt;
  if (!address)
    return session.complain(cudaErrorInvalidDevicePointer, call.name, call.site,
                            fmt::format("{} bytes of device memory are not there: {}", rows.bytes * rows.rows,
                                        session.heap.describe(rows.to)));
  for (std::size_t row = 0; row < rows.rows; ++row)
    std::memset(session.heap.at(*address) + row * rows.to_pitch, value, rows.bytes);
  take_time(session, call, Path::device_fill, std::uint64_t{rows.bytes} * rows.rows);
  return cudaSuccess;
}

void take_time(Session& session, const CopyCall& call, Path path, std::uint64_t bytes) {
  if (path == Path::host_to_host) return;
  const TimeSpan span = session.clock.run(call.stream, Engine::copies, copy_duration(session, path, bytes));
  session.record.add_copy(call.name, span, bytes);
  if (call.waiting == Waiting::waits && path != Path::device_to_device) session.wait_until(span.end);
}

}  // namespace teslasim::cudart
