// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "parts.h"

int main() {
  enum { COUNT = 64 };
  int* const words = new_words(COUNT);
  scale_by_first(words, COUNT);
  scale_by_second(words, COUNT);
  int values[COUNT];
  take_back(values, words, COUNT);
  const bool is_right =
      device_facts_in_c() && copied_in_c() && plain_sum(values, COUNT) == 15 * COUNT * (COUNT - 1) / 2;
  std::cout << (is_right ? "PASSED" : "FAILED") << std::endl;
  return is_right ? 0 : 1;
}
