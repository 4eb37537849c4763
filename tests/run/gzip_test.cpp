// SPDX-License-Identifier: Apache-2.0
#include "sim/run/gzip.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <initializer_list>
#include <numeric>
#include <random>

namespace teslasim {
namespace {

std::string compressed(std::string_view text, std::size_t piece = ~std::size_t{0}) {
  GzipStream stream;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) stream.add(text.substr(0, piece));
  return stream.finish();
}

/// Fails when anything follows the file.
std::string unpacked(const std::string& file, std::size_t expected) {
  z_stream stream{};
  constexpr int gzip = 15 + 16;
  EXPECT_EQ(inflateInit2(&stream, gzip), Z_OK);
  std::string text(expected + 1, '\0'), input = file;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(text.data());
  stream.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  EXPECT_EQ(stream.avail_in, 0U);
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

void expect_unchanged(const std::string& text) {
  EXPECT_TRUE(unpacked(compressed(text), text.size()) == text) << text.size() << " bytes";
}

/// Lines like those of a log: repetitive, with numbers that grow.
std::string lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i)
    text += "S\t" + std::to_string(i / 3) + "\t" + (i % 7 == 0 ? "X1" : "Mg") + "\n";
  return text;
}

TEST(Gzip, unpacks_to_what_was_added) {
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 2, 3, 4, 5, 7, 8, 257, 258, 259, 65537}) {
    expect_unchanged(std::string(size, 'a'));
    expect_unchanged(lines(size).substr(0, size));
  }
}

TEST(Gzip, unpacks_across_blocks_and_windows) {
  constexpr std::size_t block = 131072;
  const std::string text = lines(100000);
  ASSERT_GT(text.size(), 8 * block);
  expect_unchanged(text);
  for (const std::size_t size : {block - 1, block, block + 1, 2 * block, 5 * block + 3}) {
    expect_unchanged(text.substr(0, size));
    expect_unchanged(std::string(size, '\0'));
  }
}

TEST(Gzip, unpacks_what_cannot_be_compressed) {
  std::mt19937 random(1);
  std::string text(500000, '\0');
  for (char& byte : text) byte = static_cast<char>(random());
  expect_unchanged(text);
  // The same again at every distance up to the window and one beyond it.
  const std::string word = text.substr(0, 40);
  for (const std::size_t distance : std::initializer_list<std::size_t>{40, 41, 4096, 32767, 32768, 32769}) {
    expect_unchanged(word + text.substr(100, distance - word.size()) + word);
  }
}

TEST(Gzip, logs_become_small) {
  const std::string text = lines(50000);
  EXPECT_LT(compressed(text).size() * 5, text.size());
}

TEST(Gzip, pieces_do_not_matter) {
  const std::string text = lines(40000), whole = compressed(text);
  for (const std::size_t piece : std::initializer_list<std::size_t>{1, 1000, 131072, 131073})
    EXPECT_TRUE(compressed(text, piece) == whole) << piece;
}

RC_GTEST_PROP(Gzip, unpacks_anything, (const std::string& part)) {
  const std::string text = part + lines(part.size()) + part;
  RC_ASSERT(unpacked(compressed(text), text.size()) == text);
}

TEST(Gzip, its_files_are_read_back) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{60'000}}) {
    const std::string text = lines(count);
    EXPECT_TRUE(gzip_content(compressed(text), text.size()) == text) << count;
  }
}

TEST(Gzip, what_is_no_file_of_it_has_no_content) {
  const std::string text = lines(60'000), file = compressed(text);
  EXPECT_FALSE(gzip_content(file, text.size() - 1)) << "too large";
  EXPECT_FALSE(gzip_content(file.substr(0, file.size() - 9), text.size())) << "cut off";
  EXPECT_FALSE(gzip_content("", 10));
  EXPECT_FALSE(gzip_content("sm,warp\n", 10));
}

}  // namespace
}  // namespace teslasim
