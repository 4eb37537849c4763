// SPDX-License-Identifier: Apache-2.0
// What clang is told for the host side of a program.
#include <array>

#include "frontend/clang/clang_tools.h"

namespace teslasim::cuda {

std::vector<std::string> words_of_missing(unsigned sm) {
  struct Missing {
    unsigned first_level;
    const char* word;
  };
  constexpr std::array each{Missing{11, "-DCUDA_NO_SM_11_ATOMIC_INTRINSICS"},
                            Missing{12, "-DCUDA_NO_SM_12_ATOMIC_INTRINSICS"},
                            Missing{13, "-DCUDA_NO_SM_13_DOUBLE_INTRINSICS"}};
  std::vector<std::string> words;
  for (const Missing& missing : each) {
    if (sm < missing.first_level) words.emplace_back(missing.word);
  }
  return words;
}

std::vector<std::string> host_command(const ClangTools& tools, const std::string& headers) {
  return {tools.clang,
          "-x",
          "cuda",
          "--cuda-host-only",
          "--cuda-path=/nonexistent",
          "--cuda-gpu-arch=sm_20",
          "-nocudainc",
          "-nocudalib",
          "-std=gnu++14",
          "-fno-finite-loops",
          "-fno-delete-null-pointer-checks",
          "-fPIC",
          "-Wno-unknown-cuda-version",
          "-Wno-c++11-narrowing",
          "-Wno-reserved-user-defined-literal",
          "-Wno-null-dereference",
          "-Wno-writable-strings",
          "-Xclang",
          "-target-sdk-version=9.2",
          "-isystem",
          headers,
          "-include",
          "cuda_runtime.h"};
}

}  // namespace teslasim::cuda
