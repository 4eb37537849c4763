// SPDX-License-Identifier: Apache-2.0
#include "tests/support/places.h"

namespace teslasim::test {

const char* source_directory() {
  return TESLASIM_SOURCE_PLACE;
}
const char* binary_directory() {
  return TESLASIM_BINARY_PLACE;
}

}  // namespace teslasim::test
