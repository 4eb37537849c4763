// SPDX-License-Identifier: Apache-2.0
// replay_seeds TARGET FILE...: feeds the files to a fuzz target: the seeds as a regression test, without a fuzzer. Each
// file is also given cut short and with single bytes changed, so that the error paths run in every build.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/replay_targets.h"

namespace {

using teslasim::test::ReplayTarget;
using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t variants_per_file = 16;

Bytes read_file(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

void feed(const ReplayTarget& target, const Bytes& bytes) {
  target.take(bytes.data(), bytes.size());
}

void feed_variants(const ReplayTarget& target, const Bytes& bytes) {
  for (std::size_t i = 0; i < variants_per_file && !bytes.empty(); ++i) {
    const std::size_t place = bytes.size() * i / variants_per_file;
    feed(target, Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(place)));
    Bytes changed = bytes;
    changed[place] = static_cast<std::uint8_t>(changed[place] ^ (1U << (i % 8)));
    feed(target, changed);
  }
}

}  // namespace

int main(int count, char** words) {
  const std::span<const ReplayTarget> targets = teslasim::test::replay_targets();
  const std::string name = count > 1 ? words[1] : "";
  const auto target =
      std::find_if(targets.begin(), targets.end(), [&](const ReplayTarget& each) { return each.name == name; });
  if (target == targets.end() || count < 3) {
    std::fputs("usage: replay_seeds TARGET FILE...\n", stderr);
    return 2;
  }
  for (const char* path : std::span<char*>(words, static_cast<std::size_t>(count)).subspan(2)) {
    const Bytes bytes = read_file(path);
    feed(*target, bytes);
    feed_variants(*target, bytes);
  }
  std::printf("%d files\n", count - 2);
  return 0;
}
