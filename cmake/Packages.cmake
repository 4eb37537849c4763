# SPDX-License-Identifier: Apache-2.0
# Debian 12 packages only. What is not packaged there: Charts.cmake.
find_package(PkgConfig REQUIRED)
find_package(Boost 1.74 REQUIRED COMPONENTS program_options)
find_package(spdlog REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_path(PROTOZERO_INCLUDE_DIR protozero/pbf_writer.hpp REQUIRED)
add_library(protozero INTERFACE)
target_include_directories(protozero SYSTEM INTERFACE ${PROTOZERO_INCLUDE_DIR})
pkg_check_modules(XXHASH REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(ZSTD REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(LZ4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(LIBELF REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(SYSTEMC_PC REQUIRED IMPORTED_TARGET systemc)

# Debian's libsystemc exports its version symbol for C++17 only; SC_CPLUSPLUS makes C++20 code ask for that one.
add_library(teslasim_systemc INTERFACE)
target_include_directories(teslasim_systemc SYSTEM INTERFACE ${SYSTEMC_PC_INCLUDE_DIRS})
target_compile_definitions(teslasim_systemc INTERFACE SC_CPLUSPLUS=201703L)
target_link_libraries(teslasim_systemc INTERFACE PkgConfig::SYSTEMC_PC)

if(TESLASIM_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
