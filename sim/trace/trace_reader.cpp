// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_parts.h"

namespace teslasim {

using namespace trace;  // NOLINT(google-build-using-namespace): the parts of the file

namespace {

/// Chunks of 1000 warps that replay side by side.
constexpr std::size_t cached_chunks = 512;
constexpr std::size_t fixed_header_bytes = 24;

auto key_of(const SegmentInfo& segment) {
  return std::tuple{segment.launch, segment.block, segment.warp};
}

/// Fills in where each segment of a chunk lies, and checks that they fill the chunk exactly.
void place_segments(std::vector<SegmentInfo>& segments, std::size_t directory, std::uint32_t chunk,
                    std::uint32_t chunk_size) {
  std::uint64_t offset = directory;
  for (SegmentInfo& segment : segments) {
    segment.chunk = chunk;
    segment.offset = static_cast<std::uint32_t>(offset);
    offset += segment.bytes;
  }
  if (offset != chunk_size) throw TraceDamage("the segments do not fill their chunk");
}

/// Bytes of the directory at the start of a chunk.
std::size_t directory_bytes(const std::vector<SegmentInfo>& segments) {
  std::string bytes;
  put_directory(bytes, segments);
  return bytes.size();
}

}  // namespace

bool looks_like_trace(std::string_view bytes) {
  return bytes.starts_with(file_magic);
}

TraceReader::TraceReader(std::string path)
    : path_(std::move(path)), file_(std::make_unique<std::ifstream>(path_, std::ios::binary)) {
  note_input(path_);
  open();
}

TraceReader::TraceReader(std::string path, std::unique_ptr<std::istream> bytes)
    : path_(std::move(path)), file_(std::move(bytes)) {
  open();
}

void TraceReader::open() {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path_, ignored);
  file_->seekg(0, std::ios::end);
  if (!*file_ || folder) {
    Diagnostic problem;
    problem.code = "TRACE-FILE";
    problem.message = "the trace '" + path_ + "' cannot be read" + (folder ? ": it is a directory" : "");
    problem.where.file = path_;
    problem.help = folder ? "give a file, as 'teslasim trace record' writes it" : "check the name";
    throw InputError(ExitCode::input, problem);
  }
  file_bytes_ = static_cast<std::uint64_t>(file_->tellg());
  try {
    read_header();
    read_index();
  } catch (const TraceDamage& damage) {
    damaged(damage.what(), 0);
  }
  order_segments();
}

void TraceReader::damaged(const std::string& what, std::uint64_t offset) const {
  Diagnostic problem;
  problem.code = "TRACE-DAMAGE";
  problem.message = what;
  problem.where.file = path_;
  problem.details.push_back(fmt::format("at file offset {:#x}", offset));
  problem.help = "the trace is damaged: record it again";
  throw InputError(ExitCode::input, problem);
}

std::string TraceReader::read_at(std::uint64_t offset, std::uint64_t bytes) {
  std::string result;
  read_into(result, offset, bytes);
  return result;
}

void TraceReader::read_into(std::string& target, std::uint64_t offset, std::uint64_t bytes) {
  if (offset > file_bytes_ || bytes > file_bytes_ - offset) throw TraceDamage("the file ends too early");
  target.resize(bytes);
  file_->clear();
  file_->seekg(static_cast<std::streamoff>(offset));
  file_->read(target.data(), static_cast<std::streamsize>(bytes));
  if (!*file_) throw TraceDamage("the file cannot be read further");
}

void TraceReader::read_header() {
  const std::string fixed = read_at(0, std::min<std::uint64_t>(fixed_header_bytes, file_bytes_));
  if (!looks_like_trace(fixed)) throw TraceDamage("the file does not begin as a trace does");
  if (get32(fixed, 8) != format_version)
    throw TraceDamage(
        fmt::format("the trace has format version {}, this program reads version {}", get32(fixed, 8), format_version));
  const std::string text = read_at(fixed_header_bytes, get32(fixed, 12));
  if (checksum(text) != get64(fixed, 16)) throw TraceDamage("the header does not match its checksum");
  header_ = header_from(text);
  first_chunk_ = fixed_header_bytes + text.size();
}

void TraceReader::read_index() {
  if (file_bytes_ < first_chunk_ + footer_bytes) return scan_chunks();
  const std::string footer = read_at(file_bytes_ - footer_bytes, footer_bytes);
  if (get32(footer, 12) != end_magic) return scan_chunks();
  const std::uint64_t place = get64(footer, 0);
  const std::string part = read_at(place, part_header_bytes);
  const std::string stored = read_at(place + part_header_bytes, get32(part, 4));
  if (get32(part, 0) != index_magic || checksum(stored) != get64(part, 16) ||
      static_cast<std::uint32_t>(checksum(stored)) != get32(footer, 8))
    damaged("the index does not match its checksum", place);
  const std::string bytes = decompressed(stored, get32(part, 8), largest_part);
  std::size_t offset = 0;
  const std::uint64_t count = get_number(bytes, offset);
  for (std::uint64_t i = 0; i < count; ++i) {
    ChunkInfo chunk;
    chunk.offset = get_number(bytes, offset);
    chunk.stored = static_cast<std::uint32_t>(get_number(bytes, offset));
    chunk.bytes = static_cast<std::uint32_t>(get_number(bytes, offset));
    chunk.checksum = get64(bytes, offset);
    offset += sizeof chunk.checksum;
    chunk.segments = static_cast<std::uint32_t>(get_number(bytes, offset));
    std::vector<SegmentInfo> segments = get_directory(bytes, offset, chunk.segments);
    place_segments(segments, directory_bytes(segments), static_cast<std::uint32_t>(i), chunk.bytes);
    segments_.insert(segments_.end(), segments.begin(), segments.end());
    chunks_.push_back(chunk);
  }
  ordered_loads_ = get_ordered_loads(bytes, offset);
}

/// Without an index: chunk after chunk as long as they are complete.
void TraceReader::scan_chunks() {
  truncated_ = true;
  std::uint64_t place = first_chunk_;
  std::string bytes;
  while (place + part_header_bytes <= file_bytes_) {
    const std::string part = read_at(place, part_header_bytes);
    const ChunkInfo chunk{place, get32(part, 4), get32(part, 8), get64(part, 16), get32(part, 12)};
    if (get32(part, 0) != chunk_magic || chunk.stored > file_bytes_ - place - part_header_bytes) return;
    unpack(chunk, static_cast<std::uint32_t>(chunks_.size()), bytes);
    std::size_t offset = 0;
    std::vector<SegmentInfo> segments = get_directory(bytes, offset, chunk.segments);
    place_segments(segments, offset, static_cast<std::uint32_t>(chunks_.size()), chunk.bytes);
    segments_.insert(segments_.end(), segments.begin(), segments.end());
    chunks_.push_back(chunk);
    place += part_header_bytes + chunk.stored;
  }
}

void TraceReader::order_segments() {
  by_warp_.resize(segments_.size());
  for (std::uint32_t i = 0; i < by_warp_.size(); ++i) by_warp_[i] = i;
  std::stable_sort(by_warp_.begin(), by_warp_.end(), [this](std::uint32_t left, std::uint32_t right) {
    return key_of(segments_[left]) < key_of(segments_[right]);
  });
}

std::span<const std::uint32_t> TraceReader::in_warp_order(std::uint32_t launch) const {
  const auto begins = [this](std::uint32_t position, std::uint32_t wanted) {
    return segments_[position].launch < wanted;
  };
  const auto first = std::lower_bound(by_warp_.begin(), by_warp_.end(), launch, begins);
  const auto last = std::lower_bound(
      first, by_warp_.end(), std::uint64_t{launch} + 1,
      [this](std::uint32_t position, std::uint64_t wanted) { return segments_[position].launch < wanted; });
  return {first, last};
}

std::vector<SegmentInfo> TraceReader::segments_of(std::uint32_t launch, std::uint64_t block, std::uint32_t warp) const {
  const std::tuple wanted{launch, block, warp};
  auto at = std::lower_bound(by_warp_.begin(), by_warp_.end(), wanted,
                             [this](std::uint32_t left, const auto& key) { return key_of(segments_[left]) < key; });
  std::vector<SegmentInfo> found;
  for (; at != by_warp_.end() && key_of(segments_[*at]) == wanted; ++at) found.push_back(segments_[*at]);
  return found;
}

void TraceReader::unpack(const ChunkInfo& chunk, std::uint32_t number, std::string& target) {
  try {
    read_into(stored_, chunk.offset + part_header_bytes, chunk.stored);
    if (checksum(stored_) == chunk.checksum) return decompress_into(target, stored_, chunk.bytes, largest_chunk);
  } catch (const TraceDamage& damage) {
    damaged(fmt::format("chunk {}: {}", number, damage.what()), chunk.offset);
  }
  damaged(fmt::format("chunk {} does not match its checksum", number), chunk.offset);
}

const std::string& TraceReader::chunk(std::uint32_t number) {
  const auto found = cache_.find(number);
  if (found != cache_.end()) {
    found->second.used = ++clock_;
    return found->second.bytes;
  }
  if (cache_.size() >= cached_chunks) {
    const auto oldest = std::min_element(cache_.begin(), cache_.end(), [](const auto& left, const auto& right) {
      return left.second.used < right.second.used;
    });
    auto entry = cache_.extract(oldest);
    unpack(chunks_.at(number), number, entry.mapped().bytes);
    entry.key() = number;
    entry.mapped().used = ++clock_;
    return cache_.insert(std::move(entry)).position->second.bytes;
  }
  CachedChunk fresh{++clock_, {}};
  unpack(chunks_.at(number), number, fresh.bytes);
  return cache_.emplace(number, std::move(fresh)).first->second.bytes;
}

std::string_view TraceReader::bytes_of_segment(const SegmentInfo& segment) {
  return std::string_view(chunk(segment.chunk)).substr(segment.offset, segment.bytes);
}

}  // namespace teslasim
