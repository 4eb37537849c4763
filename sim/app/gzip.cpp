// SPDX-License-Identifier: Apache-2.0
#include "sim/app/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <utility>

#include "sim/app/huffman.h"

namespace teslasim {
namespace {

constexpr std::size_t hashed_bytes = 5, most_match = 258;
constexpr std::uint32_t match_flag = std::uint32_t{1} << 31U;
constexpr unsigned end_of_block = 256, first_length = 257, symbol_count = 286, distance_count = 30;

std::uint32_t word_at(const char* place) {
  std::uint32_t word = 0;
  std::memcpy(&word, place, sizeof word);
  return word;
}

/// Where the last place that began with the same five bytes is noted; 8 bytes are read.
std::size_t hash_at(const char* place, unsigned bits) {
  std::uint64_t word = 0;
  std::memcpy(&word, place, sizeof word);
  constexpr std::uint64_t golden_ratio = 0x9e3779b185ebca87;
  return (word << 24U) * golden_ratio >> (64 - bits);
}

/// How many bytes are equal, at most `most`; both places may be read 8 bytes beyond.
std::size_t equal_bytes(const char* a, const char* b, std::size_t most) {
  for (std::size_t n = 0; n < most; n += 8) {
    std::uint64_t left = 0, right = 0;
    std::memcpy(&left, a + n, sizeof left);
    std::memcpy(&right, b + n, sizeof right);
    if (left != right) return std::min(most, n + static_cast<std::size_t>(std::countr_zero(left ^ right)) / 8);
  }
  return most;
}

/// Lengths and distances have classes, each with bits that tell its members apart (RFC 1951, 3.2.5).
struct Class {
  unsigned number = 0, extra_bits = 0;
  std::uint32_t extra = 0;
};

constexpr Class class_of_length(std::uint32_t length_less_3) {
  if (length_less_3 < 4) return {length_less_3, 0, 0};
  if (length_less_3 == most_match - 3) return {28, 0, 0};
  const auto bits = static_cast<unsigned>(std::bit_width(length_less_3)) - 3;
  return {4 * (bits + 1) + (length_less_3 >> bits & 3U), bits, length_less_3 & ((1U << bits) - 1)};
}

constexpr Class class_of_distance(std::uint32_t distance_less_1) {
  if (distance_less_1 < 2) return {distance_less_1, 0, 0};
  const auto bits = static_cast<unsigned>(std::bit_width(distance_less_1)) - 2;
  return {2 * (bits + 1) + (distance_less_1 >> bits & 1U), bits, distance_less_1 & ((1U << bits) - 1)};
}

static_assert(class_of_length(0).number == 0 && class_of_length(8).number == 8 && class_of_length(254).number == 27);
static_assert(class_of_length(254).extra == 30 && class_of_length(255).number == 28);
static_assert(class_of_distance(32767).number == 29 && class_of_distance(32767).extra_bits == 13);

}  // namespace

GzipStream::GzipStream() : input_(window + block + slack), last_place_(std::size_t{1} << hash_bits, nowhere) {
  constexpr std::array<unsigned char, 10> header{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff};  // deflate, no name, no time
  for (const unsigned char byte : header) out_ += static_cast<char>(byte);
  tokens_.reserve(block);
}

void GzipStream::add(std::string_view piece) {
  check_ = crc32_z(check_, reinterpret_cast<const Bytef*>(piece.data()), piece.size());
  length_ += static_cast<std::uint32_t>(piece.size());
  while (!piece.empty()) {
    const std::size_t count = std::min(piece.size(), begin_ + block - end_);
    std::memcpy(input_.data() + end_, piece.data(), count);
    end_ += count;
    piece.remove_prefix(count);
    if (end_ == begin_ + block) compress(false);
  }
}

std::string GzipStream::finish() {
  compress(true);
  for (const std::uint32_t word : {static_cast<std::uint32_t>(check_), length_}) {
    for (unsigned byte = 0; byte < 4; ++byte) out_ += static_cast<char>(word >> (8 * byte));
  }
  return std::move(out_);
}

void GzipStream::compress(bool last) {
  tokens_.clear();
  symbols_.fill(0);
  distances_.fill(0);
  find_repetitions();
  write_tokens(last);
  slide();
}

void GzipStream::find_repetitions() {
  const char* const data = input_.data();
  const auto literal = [this](char byte) {
    const auto value = static_cast<unsigned char>(byte);
    tokens_.push_back(value);
    ++symbols_[value];
  };
  std::size_t here = begin_;
  while (here + hashed_bytes <= end_) {
    const std::uint32_t word = word_at(data + here);
    std::int32_t& place = last_place_[hash_at(data + here, hash_bits)];
    const std::int32_t before = std::exchange(place, static_cast<std::int32_t>(here));
    const std::size_t distance = here - static_cast<std::size_t>(before);
    if (before == nowhere || distance > window || word_at(data + before) != word) {
      literal(data[here++]);
      continue;
    }
    const std::size_t length = equal_bytes(data + here, data + before, std::min(most_match, end_ - here));
    const auto length_less_3 = static_cast<std::uint32_t>(length - 3);
    const auto distance_less_1 = static_cast<std::uint32_t>(distance - 1);
    tokens_.push_back(match_flag | length_less_3 << 16U | distance_less_1);
    ++symbols_[first_length + class_of_length(length_less_3).number];
    ++distances_[class_of_distance(distance_less_1).number];
    here += length;
    last_place_[hash_at(data + here - 1, hash_bits)] = static_cast<std::int32_t>(here - 1);
  }
  while (here < end_) literal(data[here++]);
}

/// What was compressed last stays, to be repeated.
void GzipStream::slide() {
  const std::size_t keep = std::min(end_, window), shift = end_ - keep;
  std::memmove(input_.data(), input_.data() + shift, keep);
  const auto moved = static_cast<std::int32_t>(shift);
  for (std::int32_t& place : last_place_) place = place >= moved ? place - moved : nowhere;
  begin_ = end_ = keep;
}

void GzipStream::write_tokens(bool last) {
  ++symbols_[end_of_block];
  const HuffmanCode symbols({symbols_.data(), symbol_count}, most_code_bits);
  const HuffmanCode distances({distances_.data(), distance_count}, most_code_bits);
  BitWriter writer(out_, bits_, bit_count_);
  writer.put(last ? 1 : 0, 1);
  writer.put(2, 2);  // codes of its own
  write_codes(writer, symbols, distances);
  std::array<BitText, 256> lengths{};  // code and extra bits in one
  for (std::uint32_t i = 0; i < lengths.size(); ++i) {
    const Class one = class_of_length(i);
    const BitText code = symbols[first_length + one.number];
    lengths[i] = {code.bits | one.extra << code.count, code.count + one.extra_bits};
  }
  writer.reserve(8 * tokens_.size() + 8);
  for (const std::uint32_t token : tokens_) {
    if ((token & match_flag) == 0) {
      writer.put(symbols[token]);
      continue;
    }
    writer.put(lengths[token >> 16U & 0xffU]);
    const Class distance = class_of_distance(token & 0x7fffU);
    const BitText code = distances[distance.number];
    writer.put({code.bits | distance.extra << code.count, code.count + distance.extra_bits});
  }
  writer.put(symbols[end_of_block]);
  if (last) writer.fill_byte();
  writer.store(bits_, bit_count_);
}

}  // namespace teslasim
