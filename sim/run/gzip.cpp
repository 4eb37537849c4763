// SPDX-License-Identifier: Apache-2.0
#include "sim/run/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <utility>

namespace teslasim {
namespace {

// At level 6 files are a seventh smaller (Perfetto) or a fifth (Konata) and take more than twice the time.
constexpr int level = 2, gzip_format = 15 + 16, memory_level = 8;
constexpr std::size_t most_at_once = std::size_t{1} << 30U;  ///< zlib counts in 32 bits
constexpr std::size_t room = std::size_t{256} << 10U;

}  // namespace

struct GzipStream::State {
  z_stream stream{};
};

GzipStream::GzipStream() : state_(std::make_unique<State>()) {
  if (deflateInit2(&state_->stream, level, Z_DEFLATED, gzip_format, memory_level, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

GzipStream::~GzipStream() {
  deflateEnd(&state_->stream);
}

void GzipStream::add(std::string_view piece) {
  for (; !piece.empty(); piece.remove_prefix(std::min(piece.size(), most_at_once))) {
    compress(piece.substr(0, most_at_once), Z_NO_FLUSH);
  }
}

std::string GzipStream::finish() {
  compress({}, Z_FINISH);
  return std::move(out_);
}

void GzipStream::compress(std::string_view piece, int flush) {
  z_stream& stream = state_->stream;
  // zlib does not write to its input, but its interface is older than const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
  stream.avail_in = static_cast<uInt>(piece.size());
  do {
    const std::size_t used = out_.size();
    out_.resize(used + room);
    stream.next_out = reinterpret_cast<Bytef*>(out_.data() + used);
    stream.avail_out = static_cast<uInt>(room);
    deflate(&stream, flush);
    out_.resize(used + room - stream.avail_out);
  } while (stream.avail_out == 0);
}

std::optional<std::string> gzip_content(std::string_view file, std::size_t largest) {
  z_stream stream{};
  if (inflateInit2(&stream, gzip_format) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&inflateEnd)> end(&stream, inflateEnd);
  std::string content;
  int status = Z_OK;
  while (status == Z_OK && content.size() <= largest) {
    if (stream.avail_in == 0) {
      const std::string_view piece = file.substr(0, most_at_once);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(piece.data()));
      stream.avail_in = static_cast<uInt>(piece.size());
      file.remove_prefix(piece.size());
    }
    const std::size_t used = content.size();
    content.resize(used + room);
    stream.next_out = reinterpret_cast<Bytef*>(content.data() + used);
    stream.avail_out = static_cast<uInt>(room);
    status = inflate(&stream, Z_NO_FLUSH);
    content.resize(used + room - stream.avail_out);
  }
  if (status != Z_STREAM_END || content.size() > largest) return std::nullopt;
  return content;
}

}  // namespace teslasim
