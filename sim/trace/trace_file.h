// SPDX-License-Identifier: Apache-2.0
// The file of a warp trace: header, chunks of segments, index (docs/trace-format.md).
//
// Writing and reading need memory for a few chunks, however long the trace is. A file whose writer was killed is read
// up to its last complete chunk. Every part has a checksum. Errors: InputError (exit code `input`), codes TRACE-FILE,
// TRACE-FORMAT, TRACE-DAMAGE, with the chunk and its offset.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <istream>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program.h"
#include "sim/base/output_file.h"
#include "sim/base/types.h"
#include "sim/trace/instruction_record.h"

namespace teslasim {

namespace trace {
class Compressor;
}

/// One launch as recorded; everything that a replay needs besides the code.
struct TracedLaunch {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::uint32_t shared_bytes = 0;  ///< static and dynamic
  std::uint32_t parameter_bytes = 0;
};

/// A buffer of device memory when the trace was recorded.
struct TracedBuffer {
  std::string name;
  std::string type;
  std::uint64_t count = 0;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

struct TraceHeader {
  std::string name;       ///< of the input
  std::string generator;  ///< program and version
  std::string machine;    ///< machine whose level and geometry applied while recording
  bool timed = false;     ///< recorded from the timing model, not from the functional one
  /// Made of another program's trace: classes and addresses are right, instructions are stand-ins.
  bool approximate = false;
  std::vector<std::string> sampled;   ///< how the trace is less than the launches, e.g. "blocks 0-3"; empty: it is not
  std::vector<std::string> unmapped;  ///< approximate: opcodes without a counterpart, with how often they came
  std::string code;                   ///< the program as a text cubin
  std::vector<std::string> listing;   ///< the same for people: addresses, words and decuda text
  std::vector<TracedLaunch> launches;
  std::vector<TracedBuffer> buffers;
};

/// How often a load saw values that other warps wrote in the same launch: what it read depends on the order of warps.
struct OrderedLoad {
  std::uint32_t index = 0;        ///< in Kernel::code
  std::uint64_t from_warps = 0;   ///< executions that saw values of another warp of the block
  std::uint64_t from_blocks = 0;  ///< executions that saw values of another block

  friend bool operator==(const OrderedLoad&, const OrderedLoad&) = default;
};

inline constexpr std::uint32_t no_sm = ~std::uint32_t{0};

/// A run of instructions of one warp.
struct SegmentInfo {
  std::uint32_t launch = 0;
  std::uint64_t block = 0;
  std::uint32_t warp = 0;    ///< in its block
  std::uint32_t sm = no_sm;  ///< where it ran; no_sm: recorded without time
  std::uint32_t instructions = 0;
  std::uint32_t bytes = 0;
  std::uint32_t chunk = 0;   ///< where it lies
  std::uint32_t offset = 0;  ///< in the chunk's bytes
};

struct ChunkInfo {
  std::uint64_t offset = 0;  ///< in the file
  std::uint32_t stored = 0;  ///< bytes, compressed
  std::uint32_t bytes = 0;   ///< decompressed
  std::uint64_t checksum = 0;
  std::uint32_t segments = 0;
};

class TraceWriter {
 public:
  /// A trace that grows can be read up to where its writer was killed; it must not exist. Throws InputError
  /// (environment).
  TraceWriter(const std::string& path, const TraceHeader& header, OutputMode mode = OutputMode::grow);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  /// Adds a segment of `where` (launch, block, warp, sm). Segments of a warp must come in their order.
  void add(SegmentInfo where, std::string_view bytes, std::uint32_t instructions);
  /// What the loads of the launches saw, one list per launch of the header, ascending; before `finish`.
  void set_ordered_loads(std::vector<std::vector<OrderedLoad>> loads) { ordered_loads_ = std::move(loads); }
  /// Writes what is left and the index. Without it the file is one whose writer was killed.
  void finish();

  [[nodiscard]] std::uint64_t instructions() const { return instructions_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return written_; }

 private:
  void write(std::string_view bytes);
  void write_chunk();

  OutputFile file_;
  std::vector<SegmentInfo> pending_;
  std::string data_;
  std::string chunk_;  ///< the bytes of one, kept for its memory
  std::unique_ptr<trace::Compressor> compress_;
  std::vector<SegmentInfo> segments_;
  std::vector<ChunkInfo> chunks_;
  std::optional<std::vector<std::vector<OrderedLoad>>> ordered_loads_;
  std::uint64_t written_ = 0;
  std::uint64_t instructions_ = 0;
};

class TraceReader {
 public:
  explicit TraceReader(std::string path);
  /// Reads `bytes`; `path` is for messages.
  TraceReader(std::string path, std::unique_ptr<std::istream> bytes);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const TraceHeader& header() const { return header_; }
  /// No index was found: the writer did not finish.
  [[nodiscard]] bool truncated() const { return truncated_; }
  [[nodiscard]] const std::vector<ChunkInfo>& chunks() const { return chunks_; }
  /// In the order of the file.
  [[nodiscard]] const std::vector<SegmentInfo>& segments() const { return segments_; }
  [[nodiscard]] std::uint64_t file_bytes() const { return file_bytes_; }
  /// One list per launch; none when the writer did not finish or did not look.
  [[nodiscard]] const std::optional<std::vector<std::vector<OrderedLoad>>>& ordered_loads() const {
    return ordered_loads_;
  }

  /// Indices into `segments()` of one launch, sorted by block, warp and order.
  [[nodiscard]] std::span<const std::uint32_t> in_warp_order(std::uint32_t launch) const;
  /// Those of one warp, in order; empty when the trace does not have the warp.
  [[nodiscard]] std::vector<SegmentInfo> segments_of(std::uint32_t launch, std::uint64_t block,
                                                     std::uint32_t warp) const;
  /// Valid until the next call of this or of `chunk`.
  [[nodiscard]] std::string_view bytes_of_segment(const SegmentInfo& segment);

  /// Checks one chunk against its checksum; throws InputError naming it.
  [[nodiscard]] const std::string& chunk(std::uint32_t number);

  [[noreturn]] void damaged(const std::string& what, std::uint64_t offset) const;

 private:
  struct CachedChunk {
    std::uint64_t used = 0;
    std::string bytes;
  };

  void open();
  [[nodiscard]] std::string read_at(std::uint64_t offset, std::uint64_t bytes);
  void read_into(std::string& target, std::uint64_t offset, std::uint64_t bytes);
  void read_header();
  void read_index();
  void scan_chunks();
  void order_segments();
  void unpack(const ChunkInfo& chunk, std::uint32_t number, std::string& target);

  std::string path_;
  std::unique_ptr<std::istream> file_;
  std::uint64_t file_bytes_ = 0;
  std::uint64_t first_chunk_ = 0;
  TraceHeader header_;
  bool truncated_ = false;
  std::vector<ChunkInfo> chunks_;
  std::vector<SegmentInfo> segments_;
  std::optional<std::vector<std::vector<OrderedLoad>>> ordered_loads_;
  std::vector<std::uint32_t> by_warp_;  ///< positions in segments_, sorted by launch, block, warp
  /// A new chunk reuses the memory of the one it replaces: freeing and allocating blocks of slightly different sizes
  /// would fragment the heap.
  std::map<std::uint32_t, CachedChunk> cache_;
  std::string stored_;  ///< a chunk as it is in the file
  std::uint64_t clock_ = 0;
};

/// True for bytes that begin as a trace does.
[[nodiscard]] bool looks_like_trace(std::string_view bytes);

}  // namespace teslasim
