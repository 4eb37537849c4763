// SPDX-License-Identifier: Apache-2.0
#include "sim/run/zstd_stream.h"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>
#include <zstd.h>

#include <algorithm>
#include <initializer_list>

namespace teslasim {
namespace {

std::string zstd_of(std::string_view text, std::size_t piece = ~std::size_t{0}) {
  ZstdStream stream;
  for (; !text.empty(); text.remove_prefix(std::min(piece, text.size()))) stream.add(text.substr(0, piece));
  return stream.finish();
}

/// Fails unless the file is exactly one frame of `expected` bytes.
std::string frame_content(const std::string& file, std::size_t expected) {
  EXPECT_EQ(ZSTD_findFrameCompressedSize(file.data(), file.size()), file.size());
  std::string text(expected + 1, '\0');
  const std::size_t size = ZSTD_decompress(text.data(), text.size(), file.data(), file.size());
  EXPECT_FALSE(ZSTD_isError(size)) << ZSTD_getErrorName(size);
  text.resize(std::min(size, text.size()));
  return text;
}

std::string numbered_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += std::to_string(i / 3) + (i % 7 == 0 ? " sched\n" : " isa\n");
  return text;
}

TEST(Zstd, unpacks_to_what_was_added_however_it_was_cut) {
  for (const std::size_t lines : std::initializer_list<std::size_t>{0, 1, 1000, 300000}) {
    const std::string text = numbered_lines(lines), whole = zstd_of(text);
    EXPECT_TRUE(frame_content(whole, text.size()) == text) << lines;
    EXPECT_TRUE(zstd_of(text, 100000) == whole) << lines;
  }
}

TEST(Zstd, logs_become_small) {
  const std::string text = numbered_lines(50000);
  EXPECT_LT(zstd_of(text).size() * 5, text.size());
}

RC_GTEST_PROP(Zstd, unpacks_anything, (const std::string& part)) {
  const std::string text = part + numbered_lines(part.size()) + part;
  RC_ASSERT(frame_content(zstd_of(text, 7), text.size()) == text);
}

}  // namespace
}  // namespace teslasim
