// SPDX-License-Identifier: Apache-2.0
#include "sim/base/diagnostic.h"
#include "sim/trace/trace_file.h"
#include "sim/trace/trace_parts.h"

namespace teslasim {

using namespace trace;  // NOLINT(google-build-using-namespace): the parts of the file

namespace {

std::string part_header(std::uint32_t magic, std::string_view stored, std::size_t bytes, std::size_t segments) {
  std::string header;
  put32(header, magic);
  put32(header, static_cast<std::uint32_t>(stored.size()));
  put32(header, static_cast<std::uint32_t>(bytes));
  put32(header, static_cast<std::uint32_t>(segments));
  put64(header, checksum(stored));
  return header;
}

}  // namespace

TraceWriter::TraceWriter(const std::string& path, const TraceHeader& header, OutputMode mode)
    : file_(path, mode), compress_(std::make_unique<Compressor>()) {
  const std::string text = header_text(header);
  std::string bytes(file_magic);
  put32(bytes, format_version);
  put32(bytes, static_cast<std::uint32_t>(text.size()));
  put64(bytes, checksum(text));
  write(bytes + text);
}

TraceWriter::~TraceWriter() = default;

void TraceWriter::write(std::string_view bytes) {
  file_.write(bytes);
  written_ += bytes.size();
}

void TraceWriter::add(SegmentInfo where, std::string_view bytes, std::uint32_t instructions) {
  constexpr std::size_t directory_entry = 16;  // about
  if (instructions == 0) return;
  where.instructions = instructions;
  where.bytes = static_cast<std::uint32_t>(bytes.size());
  where.chunk = static_cast<std::uint32_t>(chunks_.size());
  where.offset = static_cast<std::uint32_t>(data_.size());
  pending_.push_back(where);
  data_ += bytes;
  instructions_ += instructions;
  if (data_.size() + directory_entry * pending_.size() >= chunk_bytes) write_chunk();
}

void TraceWriter::write_chunk() {
  if (pending_.empty()) return;
  chunk_.clear();
  put_directory(chunk_, pending_);
  for (SegmentInfo& segment : pending_) segment.offset += static_cast<std::uint32_t>(chunk_.size());
  chunk_ += data_;
  const std::string_view stored = (*compress_)(chunk_);
  chunks_.push_back({written_, static_cast<std::uint32_t>(stored.size()), static_cast<std::uint32_t>(chunk_.size()),
                     checksum(stored), static_cast<std::uint32_t>(pending_.size())});
  write(part_header(chunk_magic, stored, chunk_.size(), pending_.size()).append(stored));
  segments_.insert(segments_.end(), pending_.begin(), pending_.end());
  pending_.clear();
  data_.clear();
}

void TraceWriter::finish() {
  write_chunk();
  std::string bytes;
  put_number(bytes, chunks_.size());
  std::size_t next = 0;
  for (const ChunkInfo& chunk : chunks_) {
    put_number(bytes, chunk.offset);
    put_number(bytes, chunk.stored);
    put_number(bytes, chunk.bytes);
    put64(bytes, chunk.checksum);
    put_number(bytes, chunk.segments);
    put_directory(bytes, {segments_.begin() + static_cast<std::ptrdiff_t>(next),
                          segments_.begin() + static_cast<std::ptrdiff_t>(next + chunk.segments)});
    next += chunk.segments;
  }
  put_ordered_loads(bytes, ordered_loads_);
  const std::uint64_t offset = written_;
  const std::string_view stored = (*compress_)(bytes);
  std::string footer;
  put64(footer, offset);
  put32(footer, static_cast<std::uint32_t>(checksum(stored)));
  put32(footer, end_magic);
  write(part_header(index_magic, stored, bytes.size(), segments_.size()).append(stored).append(footer));
  file_.finish();
}

}  // namespace teslasim
