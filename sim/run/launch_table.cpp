// SPDX-License-Identifier: Apache-2.0
#include "sim/run/launch_table.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sim/base/csv.h"
#include "sim/report/result/result.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr mode_t file_mode = 0666;
constexpr std::size_t largest_piece = std::size_t{1} << 16U;
constexpr std::chrono::seconds longest_wait{1};
constexpr double femtoseconds_per_millisecond = 1e12;

std::uint64_t moved_bytes(const LaunchStatistics& launch) {
  std::uint64_t bytes = 0;
  for (const PartitionStatistics& partition : launch.partitions) bytes += partition.read_bytes + partition.write_bytes;
  return bytes;
}

}  // namespace

LaunchTable::LaunchTable(std::string path)
    : path_(std::move(path)),
      waiting_(csv_row({"launch", "kernel", "grid_x", "grid_y", "block_x", "block_y", "block_z", "status", "ctas_done",
                        "cycles", "ms", "warp_instructions", "thread_instructions", "issued_pct", "dram_bytes",
                        "digest", "extrapolated_ms", "bound_ms"})),
      file_(open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, file_mode)),
      written_(Clock::now()) {
  if (file_ < 0) problem_ = "cannot write '" + path_ + "': " + std::strerror(errno);
  write_out();
}

LaunchTable::~LaunchTable() {
  finish();
}

void LaunchTable::add(std::uint64_t number, const LaunchStatistics& launch, const BlockSample* sample, RunStatus status,
                      std::uint64_t digest) {
  const auto extrapolated = [sample](Femtoseconds BlockSample::*time) {
    return sample == nullptr ? ""
                             : fmt::format("{}", static_cast<double>(sample->*time) / femtoseconds_per_millisecond);
  };
  const auto timed = [&launch](std::string text) { return launch.timed ? std::move(text) : std::string(); };
  const auto slots = static_cast<double>(launch.slots.sum());
  const auto issued = static_cast<double>(launch.slots[SlotReason::issued]);
  waiting_ += csv_row({std::to_string(number), launch.kernel, std::to_string(launch.grid[0]),
                       std::to_string(launch.grid[1]), std::to_string(launch.block[0]), std::to_string(launch.block[1]),
                       std::to_string(launch.block[2]), std::string(name_of(status)), std::to_string(launch.ctas_done),
                       timed(std::to_string(launch.shader_cycles.count())),
                       timed(fmt::format("{}", static_cast<double>(launch.duration) / femtoseconds_per_millisecond)),
                       std::to_string(launch.warp_instructions), std::to_string(launch.thread_instructions),
                       slots > 0.0 ? fmt::format("{:.4f}", 100.0 * issued / slots) : "",
                       timed(std::to_string(moved_bytes(launch))), digest_text(digest),
                       extrapolated(&BlockSample::time), extrapolated(&BlockSample::bound)});
  if (waiting_.size() >= largest_piece || Clock::now() - written_ >= longest_wait) write_out();
}

/// After a failure nothing more is written; its last line may be a part of one.
void LaunchTable::write_out() {
  written_ = Clock::now();
  std::string_view rest = waiting_;
  while (problem_.empty() && file_ >= 0 && !rest.empty()) {
    const ssize_t length = write(file_, rest.data(), rest.size());
    if (length < 0) problem_ = "cannot write '" + path_ + "': " + std::strerror(errno);
    if (length > 0) rest.remove_prefix(static_cast<std::size_t>(length));
  }
  waiting_.clear();
}

void LaunchTable::finish() {
  if (file_ < 0) return;
  write_out();
  if (close(file_) != 0 && problem_.empty()) problem_ = "cannot write '" + path_ + "': " + std::strerror(errno);
  file_ = -1;
}

}  // namespace teslasim
