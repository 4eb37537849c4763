// SPDX-License-Identifier: Apache-2.0
// Feeds every file named on the command line to a fuzz target: the seeds as a regression test, without a fuzzer. Each
// file is also given cut short and with single bytes changed, so that the error paths run in every build.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t variants_per_file = 16;

Bytes read_file(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
}

void feed(const Bytes& bytes) {
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
}

void feed_variants(const Bytes& bytes) {
  for (std::size_t i = 0; i < variants_per_file && !bytes.empty(); ++i) {
    const std::size_t place = bytes.size() * i / variants_per_file;
    feed(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(place)));
    Bytes changed = bytes;
    changed[place] = static_cast<std::uint8_t>(changed[place] ^ (1U << (i % 8)));
    feed(changed);
  }
}

}  // namespace

int main(int count, char** paths) {
  for (int i = 1; i < count; ++i) {
    const Bytes bytes = read_file(paths[i]);
    feed(bytes);
    feed_variants(bytes);
  }
  std::printf("%d files\n", count - 1);
  return count > 1 ? 0 : 1;
}
