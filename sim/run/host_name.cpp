// SPDX-License-Identifier: Apache-2.0
#include "sim/run/host_name.h"

#include <unistd.h>

#include <array>

namespace teslasim {

std::string host_name() {
  constexpr std::size_t longest = 256;
  std::array<char, longest> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace teslasim
