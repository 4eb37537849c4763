# SPDX-License-Identifier: Apache-2.0
# Warnings are errors for our own code; third-party headers come in as SYSTEM.
add_library(teslasim_warnings INTERFACE)
target_compile_options(teslasim_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# Bit-exact arithmetic: a host must not fuse a multiply and an add that the simulated chip does separately.
add_library(teslasim_arithmetic INTERFACE)
target_compile_options(teslasim_arithmetic INTERFACE -ffp-contract=off -fno-fast-math)
# g++ 12 warns falsely about operator+(const char*, std::string&&) (GCC bug 105651), and at -O3 about members of strings in
# aggregates that are initialised by name (GCC bug 105562 and relatives). clang and the sanitizers watch both for us.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(teslasim_warnings INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
