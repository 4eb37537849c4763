// SPDX-License-Identifier: Apache-2.0
// Building blocks of the trace file: numbers, headers of parts, compression, the header as JSON.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/trace/trace_file.h"

namespace teslasim::trace {

inline constexpr std::string_view file_magic = "TESLATRC";
inline constexpr std::uint32_t format_version = 2;
inline constexpr std::uint32_t chunk_magic = 0x4b4e4843;  ///< "CHNK"
inline constexpr std::uint32_t index_magic = 0x58444e49;  ///< "INDX"
inline constexpr std::uint32_t end_magic = 0x444e4554;    ///< "TEND"
inline constexpr std::size_t part_header_bytes = 24;      ///< magic, stored, bytes, segments, checksum
inline constexpr std::size_t footer_bytes = 16;           ///< offset of the index, its checksum's low half, magic
inline constexpr std::uint32_t largest_part = 256U << 20U;
inline constexpr std::uint32_t largest_chunk = 4U << 20U;
inline constexpr std::size_t chunk_bytes = 128U << 10U;  ///< of segments and directory, before compression

void put32(std::string& bytes, std::uint32_t value);
void put64(std::string& bytes, std::uint64_t value);
void put_number(std::string& bytes, std::uint64_t value);
[[nodiscard]] std::uint32_t get32(std::string_view bytes, std::size_t offset);
[[nodiscard]] std::uint64_t get64(std::string_view bytes, std::size_t offset);
/// Throws TraceDamage at the end of the bytes.
[[nodiscard]] std::uint64_t get_number(std::string_view bytes, std::size_t& offset);

[[nodiscard]] std::uint64_t checksum(std::string_view bytes);
/// Makes independent zstd frames and reuses the memory of zstd between them.
class Compressor {
 public:
  Compressor();
  ~Compressor();
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;
  /// Valid until the next call.
  [[nodiscard]] std::string_view operator()(std::string_view bytes);

 private:
  struct State;
  std::unique_ptr<State> state_;
  std::string result_;
};
/// One frame; for more use a Compressor.
[[nodiscard]] std::string compressed(std::string_view bytes);
/// Throws TraceDamage when the bytes are no zstd frame of exactly `size` bytes, or `size` is beyond `most`.
[[nodiscard]] std::string decompressed(std::string_view bytes, std::uint32_t size, std::uint32_t most);
/// The same, reusing the memory of `result`.
void decompress_into(std::string& result, std::string_view bytes, std::uint32_t size, std::uint32_t most);

[[nodiscard]] std::string header_text(const TraceHeader& header);
/// Throws TraceDamage.
[[nodiscard]] TraceHeader header_from(std::string_view text);

/// The directory at the start of a chunk's bytes, and of the index: launch, block, warp, SM + 1, instructions, bytes
/// per segment.
void put_directory(std::string& bytes, const std::vector<SegmentInfo>& segments);
[[nodiscard]] std::vector<SegmentInfo> get_directory(std::string_view bytes, std::size_t& offset, std::uint32_t count);

/// The end of the index.
void put_ordered_loads(std::string& bytes, const std::optional<std::vector<std::vector<OrderedLoad>>>& launches);
[[nodiscard]] std::optional<std::vector<std::vector<OrderedLoad>>> get_ordered_loads(std::string_view bytes,
                                                                                     std::size_t& offset);

}  // namespace teslasim::trace
