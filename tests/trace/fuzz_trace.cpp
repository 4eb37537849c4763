// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a trace, and as each of its parts behind right checksums: refused or read.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "sim/base/diagnostic.h"
#include "sim/trace/instruction_record.h"
#include "sim/trace/trace_parts.h"

namespace {

teslasim::Kernel kernel() {
  constexpr std::uint32_t instructions = 40, long_bytes = 8;
  teslasim::Kernel kernel;
  kernel.code.resize(instructions);
  for (std::uint32_t i = 0; i < instructions; ++i) {
    kernel.code[i].pc = long_bytes * i;
    if (i % 5 == 0) kernel.code[i].opcode = teslasim::Opcode::bra;
  }
  teslasim::finish_kernel(kernel);
  return kernel;
}

template <typename Read>
void attempt(Read read) {
  try {
    read();
  } catch (const teslasim::TraceDamage&) {
    return;  // a refusal is a good answer
  } catch (const teslasim::InputError&) {
    return;
  }
}

/// A whole file: opened, and every segment decoded.
void read_file(const std::string& bytes, const teslasim::Kernel& code) {
  teslasim::TraceReader reader("fuzz", std::make_unique<std::istringstream>(bytes));
  teslasim::InstructionRecord record;
  for (const teslasim::SegmentInfo& segment : reader.segments()) {
    teslasim::SegmentDecoder decoder(code);
    decoder.open(reader.bytes_of_segment(segment), segment.instructions);
    while (!decoder.at_end()) decoder.next(record);
  }
}

std::string part(std::uint32_t magic, const std::string& content, std::uint32_t count) {
  using namespace teslasim::trace;
  const std::string stored = compressed(content);
  std::string bytes;
  put32(bytes, magic);
  put32(bytes, static_cast<std::uint32_t>(stored.size()));
  put32(bytes, static_cast<std::uint32_t>(content.size()));
  put32(bytes, count);
  put64(bytes, checksum(stored));
  return bytes + stored;
}

/// The bytes as the content of a chunk, and as that of an index, in a file that is otherwise right.
std::string file_around(const std::string& content, std::uint32_t magic) {
  using namespace teslasim::trace;
  const std::string text = header_text({});
  std::string bytes(file_magic);
  put32(bytes, format_version);
  put32(bytes, static_cast<std::uint32_t>(text.size()));
  put64(bytes, checksum(text));
  bytes += text;
  const std::uint64_t place = bytes.size();
  const std::string stored = part(magic, content, 2);
  bytes += stored;
  if (magic != index_magic) return bytes;
  put64(bytes, place);
  put32(bytes, static_cast<std::uint32_t>(checksum(stored.substr(part_header_bytes))));
  put32(bytes, end_magic);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace teslasim;
  static const Kernel code = kernel();
  constexpr std::uint32_t instructions = 1000, segments = 100, part_bytes = 4096, most_bytes = 65536;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  attempt([&] {
    SegmentDecoder decoder(code);
    decoder.open(std::string(bytes), instructions);
    InstructionRecord record;
    while (!decoder.at_end()) decoder.next(record);
  });
  attempt([&] { (void)trace::header_from(bytes); });
  attempt([&] {
    std::size_t offset = 0;
    (void)trace::get_directory(bytes, offset, segments);
  });
  attempt([&] { (void)trace::decompressed(bytes, part_bytes, most_bytes); });
  attempt([&] { read_file(std::string(bytes), code); });
  attempt([&] { read_file(file_around(std::string(bytes), trace::chunk_magic), code); });
  attempt([&] { read_file(file_around(std::string(bytes), trace::index_magic), code); });
  return 0;
}
