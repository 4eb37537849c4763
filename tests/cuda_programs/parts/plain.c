/* SPDX-License-Identifier: Apache-2.0 */
#include "parts.h"

int plain_sum(const int* values, int count) {
  int sum = 0, i;
  for (i = 0; i < count; ++i) sum += values[i];
  return sum;
}
