// SPDX-License-Identifier: Apache-2.0
// How the samples of CUDA 4 say whether they are right.
#pragma once

#include "shrUtils.h"

enum { QA_FAILED = 0, QA_PASSED = 1, QA_WAIVED = 2 };

inline const char* teslasim_verdict(int verdict) {
  return verdict == QA_PASSED ? "PASSED" : verdict == QA_WAIVED ? "WAIVED" : "FAILED";
}
inline void shrQAStart(int /*count*/, char** words) {
  printf("[%s] starting...\n", words[0]);
}
inline void shrQAFinish(int /*count*/, const char** words, int verdict) {
  printf("[%s] test results...\n%s\n", words[0], teslasim_verdict(verdict));
}
inline void shrQAFinishExit(int count, const char** words, int verdict) {
  shrQAFinish(count, words, verdict);
  exit(verdict == QA_FAILED ? EXIT_FAILURE : EXIT_SUCCESS);
}
