// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/absent_names.h"

#include <gtest/gtest.h>

namespace teslasim::cuda {
namespace {

TEST(AbsentNames, say_from_which_level_on_they_exist) {
  EXPECT_EQ(absent_name("__ballot")->message, "'__ballot' needs compute capability 2.0");
  // Without the mask it would be __ballot, which is not there either.
  EXPECT_EQ(absent_name("__ballot_sync")->help, absent_name("__ballot")->help);
  EXPECT_EQ(absent_name("__syncthreads_or")->message, "'__syncthreads_or' needs compute capability 2.0");
  EXPECT_EQ(absent_name("__shfl_down_sync")->message, "'__shfl_down_sync' needs compute capability 3.0");
  EXPECT_EQ(absent_name("cudaTextureType2DLayered")->message,
            "'cudaTextureType2DLayered' needs compute capability 2.0");
  EXPECT_EQ(absent_name("__ll2double_rz")->message, "'__ll2double_rz' needs compute capability 1.3");
  EXPECT_EQ(absent_name("__assert_fail")->message, "'assert' needs compute capability 2.0");
  EXPECT_NE(absent_name("printf")->help.find("teslasim debug"), std::string::npos);
}

TEST(AbsentNames, are_no_others) {
  for (const char* const name :
       {"", "k", "atomicAdd", "__syncthreads", "ballot", "clock", "j10", "surface_of", "__shf", "printf_s"})
    EXPECT_FALSE(absent_name(name)) << name;
  for (const char* const name : {"stdio.h", "cuda.h", "cutil.h", "my_cufft.h", "thrust"})
    EXPECT_FALSE(absent_header(name)) << name;
}

TEST(AbsentNames, of_headers_tell_libraries_from_levels) {
  EXPECT_NE(absent_header("cublas_v2.h")->message.find("not part of teslasim"), std::string::npos);
  EXPECT_NE(absent_header("thrust/device_vector.h")->help.find("kernels"), std::string::npos);
  EXPECT_EQ(absent_header("cuda_fp16.h")->message, "'cuda_fp16.h' needs compute capability 5.3");
}

TEST(AbsentNames, of_atomic_functions_depend_on_the_type) {
  EXPECT_EQ(absent_atomic("atomicAdd", "float")->message, "'atomicAdd' on float needs compute capability 2.0");
  EXPECT_EQ(absent_atomic("atomicMin", "unsigned long long")->message,
            "'atomicMin' on unsigned long long needs compute capability 3.5");
  EXPECT_NE(absent_atomic("atomicAdd", "long long")->help.find("cast"), std::string::npos);
  EXPECT_FALSE(absent_atomic("atomicAdd", "short"));
  EXPECT_FALSE(absent_atomic("mine", "float"));
}

}  // namespace
}  // namespace teslasim::cuda
