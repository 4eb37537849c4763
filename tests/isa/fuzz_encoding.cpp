// SPDX-License-Identifier: Apache-2.0
// Arbitrary words as instructions: refused, or decoded and encoded to the same words, at every level.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "isa/encoding/encoding.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::uint32_t words[2] = {0, 0};
  if (size < sizeof words) return 0;
  std::memcpy(words, data, sizeof words);
  for (std::uint8_t sm = teslasim::lowest_sm; sm <= teslasim::highest_sm; ++sm) {
    const auto instruction = teslasim::decode(words[0], words[1], sm);
    if (!instruction) continue;
    const teslasim::Encoding encoding = teslasim::encode(*instruction, sm);
    if (!encoding.words || encoding.words->first != words[0]) std::abort();
    if (encoding.words->bytes > 4 && encoding.words->second != words[1]) std::abort();
  }
  return 0;
}
