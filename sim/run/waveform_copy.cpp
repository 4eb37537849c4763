// SPDX-License-Identifier: Apache-2.0
#include "sim/run/waveform_copy.h"

#include <cstddef>
#include <fstream>

#include "sim/run/gzip.h"

namespace teslasim {
namespace {

constexpr std::size_t piece_bytes = 1'000'000;

void cut_date(std::string& head) {
  const std::string_view word = "$date\n", end = "$end\n\n";
  const std::size_t from = head.find(word);
  const std::size_t to = from == std::string::npos ? from : head.find(end, from);
  if (to != std::string::npos) head.erase(from, to + end.size() - from);
}

}  // namespace

std::string compressed_waveform(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  GzipStream out;
  std::string piece;
  for (bool head = true; in; head = false) {
    piece.resize(piece_bytes);
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    piece.resize(static_cast<std::size_t>(in.gcount()));
    if (head) cut_date(piece);
    out.add(piece);
  }
  return out.finish();
}

}  // namespace teslasim
