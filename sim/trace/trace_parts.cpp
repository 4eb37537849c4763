// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/trace_parts.h"
#include "sim/base/json_text.h"

#include <xxhash.h>
#include <zstd.h>

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"

namespace teslasim::trace {
namespace {

using Json = nlohmann::json;

/// Measured on traces of gather, histogram, matmul_tiled, spmv and vecadd: against level 1 the sizes differ by -1 to
/// +13 % and packed addresses, on which recording spends most of its time, take a third less time.
constexpr int compression_level = -1;

std::uint64_t get_little(std::string_view bytes, std::size_t offset, unsigned size) {
  if (bytes.size() < size || offset > bytes.size() - size) throw TraceDamage("a part of the trace is cut short");
  std::uint64_t value = 0;
  for (unsigned i = 0; i < size; ++i) value |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
  return value;
}

}  // namespace

void put32(std::string& bytes, std::uint32_t value) {
  for (unsigned i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8 * i));
}
void put64(std::string& bytes, std::uint64_t value) {
  for (unsigned i = 0; i < sizeof value; ++i) bytes += static_cast<char>(value >> (8 * i));
}
void put_number(std::string& bytes, std::uint64_t value) {
  constexpr unsigned more = 0x80;
  for (; value >= more; value >>= 7U) bytes += static_cast<char>(value | more);
  bytes += static_cast<char>(value);
}
std::uint32_t get32(std::string_view bytes, std::size_t offset) {
  return static_cast<std::uint32_t>(get_little(bytes, offset, sizeof(std::uint32_t)));
}
std::uint64_t get64(std::string_view bytes, std::size_t offset) {
  return get_little(bytes, offset, sizeof(std::uint64_t));
}
std::uint64_t get_number(std::string_view bytes, std::size_t& offset) {
  constexpr unsigned last_shift = 63;
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift <= last_shift; shift += 7) {
    const std::uint64_t next = get_little(bytes, offset++, 1);
    value |= (next & 0x7fU) << shift;
    if (next < 0x80U) return value;
  }
  throw TraceDamage("a number is longer than 64 bits");
}

std::uint64_t checksum(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

struct Compressor::State {
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context{ZSTD_createCCtx(), &ZSTD_freeCCtx};
};

Compressor::Compressor() : state_(std::make_unique<State>()) {
  SIM_CHECK(state_->context != nullptr, "zstd has no memory");
}
Compressor::~Compressor() = default;

std::string_view Compressor::operator()(std::string_view bytes) {
  const std::size_t bound = ZSTD_compressBound(bytes.size());
  if (result_.size() < bound) result_.resize(bound);
  const std::size_t size = ZSTD_compressCCtx(state_->context.get(), result_.data(), result_.size(), bytes.data(),
                                             bytes.size(), compression_level);
  SIM_CHECK(ZSTD_isError(size) == 0, "a buffer of the bound's size is enough for zstd");
  return std::string_view(result_).substr(0, size);
}

std::string compressed(std::string_view bytes) {
  return std::string(Compressor()(bytes));
}

std::string decompressed(std::string_view bytes, std::uint32_t size, std::uint32_t most) {
  std::string result;
  decompress_into(result, bytes, size, most);
  return result;
}

void decompress_into(std::string& result, std::string_view bytes, std::uint32_t size, std::uint32_t most) {
  if (size > most) throw TraceDamage("a part of the trace is larger than any writer makes it");
  if (ZSTD_getFrameContentSize(bytes.data(), bytes.size()) != size)
    throw TraceDamage("the compressed bytes are damaged");
  if (size > result.capacity()) {
    // Growing by itself, a string would take twice what it has.
    constexpr std::size_t spare = 8;
    result = std::string();
    result.reserve(size + size / spare);
  }
  result.resize(size);
  const std::size_t got = ZSTD_decompress(result.data(), result.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) != 0 || got != size) throw TraceDamage("the compressed bytes are damaged");
}

std::string header_text(const TraceHeader& header) {
  Json json;
  json["schema"] = "teslasim.trace/2";
  json["name"] = header.name;
  json["generator"] = header.generator;
  json["machine"] = header.machine;
  json["timed"] = header.timed;
  json["approximate"] = header.approximate;
  json["sampled"] = header.sampled;
  json["unmapped"] = header.unmapped;
  json["code"] = header.code;
  json["listing"] = header.listing;
  json["launches"] = Json::array();
  for (const TracedLaunch& launch : header.launches)
    json["launches"].push_back({{"kernel", launch.kernel},
                                {"grid", launch.grid},
                                {"block", launch.block},
                                {"shared_bytes", launch.shared_bytes},
                                {"parameter_bytes", launch.parameter_bytes}});
  json["buffers"] = Json::array();
  for (const TracedBuffer& buffer : header.buffers)
    json["buffers"].push_back({{"name", buffer.name},
                               {"type", buffer.type},
                               {"count", buffer.count},
                               {"address", buffer.address},
                               {"bytes", buffer.bytes}});
  return json_text(json);
}

TraceHeader header_from(std::string_view text) {
  try {
    const Json json = Json::parse(shallow_json(text));
    if (json.at("schema") != "teslasim.trace/2") throw TraceDamage("the trace has another schema");
    TraceHeader header;
    header.name = json.at("name");
    header.generator = json.at("generator");
    header.machine = json.at("machine");
    header.timed = json.at("timed");
    header.approximate = json.at("approximate");
    header.sampled = json.at("sampled");
    header.unmapped = json.at("unmapped");
    header.code = json.at("code");
    header.listing = json.at("listing");
    for (const Json& launch : json.at("launches"))
      header.launches.push_back({launch.at("kernel"), launch.at("grid"), launch.at("block"), launch.at("shared_bytes"),
                                 launch.at("parameter_bytes")});
    for (const Json& buffer : json.at("buffers"))
      header.buffers.push_back(
          {buffer.at("name"), buffer.at("type"), buffer.at("count"), buffer.at("address"), buffer.at("bytes")});
    return header;
  } catch (const Json::exception& error) {
    throw TraceDamage(std::string("the header is not what it should be: ") + error.what());
  }
}

void put_directory(std::string& bytes, const std::vector<SegmentInfo>& segments) {
  for (const SegmentInfo& segment : segments) {
    put_number(bytes, segment.launch);
    put_number(bytes, segment.block);
    put_number(bytes, segment.warp);
    put_number(bytes, std::uint32_t{segment.sm + 1});
    put_number(bytes, segment.instructions);
    put_number(bytes, segment.bytes);
  }
}

std::vector<SegmentInfo> get_directory(std::string_view bytes, std::size_t& offset, std::uint32_t count) {
  std::vector<SegmentInfo> segments;
  for (std::uint32_t i = 0; i < count; ++i) {
    SegmentInfo segment;
    segment.launch = static_cast<std::uint32_t>(get_number(bytes, offset));
    segment.block = get_number(bytes, offset);
    segment.warp = static_cast<std::uint32_t>(get_number(bytes, offset));
    segment.sm = static_cast<std::uint32_t>(get_number(bytes, offset)) - 1;
    segment.instructions = static_cast<std::uint32_t>(get_number(bytes, offset));
    segment.bytes = static_cast<std::uint32_t>(get_number(bytes, offset));
    segments.push_back(segment);
  }
  return segments;
}

void put_ordered_loads(std::string& bytes, const std::optional<std::vector<std::vector<OrderedLoad>>>& launches) {
  put_number(bytes, launches ? 1 : 0);
  if (!launches) return;
  put_number(bytes, launches->size());
  for (const std::vector<OrderedLoad>& loads : *launches) {
    put_number(bytes, loads.size());
    for (const OrderedLoad& load : loads) {
      put_number(bytes, load.index);
      put_number(bytes, load.from_warps);
      put_number(bytes, load.from_blocks);
    }
  }
}

std::optional<std::vector<std::vector<OrderedLoad>>> get_ordered_loads(std::string_view bytes, std::size_t& offset) {
  if (get_number(bytes, offset) == 0) return std::nullopt;
  std::vector<std::vector<OrderedLoad>> launches;
  for (std::uint64_t left = get_number(bytes, offset); left != 0; --left) {
    std::vector<OrderedLoad>& loads = launches.emplace_back();
    for (std::uint64_t more = get_number(bytes, offset); more != 0; --more) {
      OrderedLoad load;
      load.index = static_cast<std::uint32_t>(get_number(bytes, offset));
      load.from_warps = get_number(bytes, offset);
      load.from_blocks = get_number(bytes, offset);
      loads.push_back(load);
    }
  }
  return launches;
}

}  // namespace teslasim::trace
