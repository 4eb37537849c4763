# SPDX-License-Identifier: Apache-2.0
# Time to build. Headers that most files of a layer, or most tests, include are compiled once; layers in which no simulated
# time is spent are optimised less, under the sanitizers not at all. frontend is not one of them: it works out what kernels
# are expected to give, which is counted in the speed of a run. The preset `clang` compiles without precompiled headers
# (CMAKE_DISABLE_PRECOMPILE_HEADERS): clang-tidy reads its commands, which shows that each file includes what it needs.
set(TESLASIM_COLD_LAYERS report validation run serve app)
# Not optimised under the sanitizers either: their tests take moments, and instrumented code takes long to optimise.
set(TESLASIM_BRIEF_LAYERS live cudart embed nvcc database debugger)
set(precompiled_containers <algorithm> <array> <bit> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <span>
    <string> <string_view> <tuple> <utility> <variant> <vector>)
set(precompiled_product ${precompiled_containers} <filesystem> <fstream> <fmt/format.h>)
# Tests see their frameworks too.
set(precompiled_tests "${CMAKE_SOURCE_DIR}/tests/support/places.h" ${precompiled_product} <sstream> <gtest/gtest.h>
    <rapidcheck/gtest.h> <gmock/gmock.h>)
# Which of our own headers a command sees in any case: machines, programs, statistics.
set(precompiled_commands ${precompiled_product} <isa/program.h> <sim/base/diagnostic.h> <sim/base/launch_statistics.h>
    <sim/gpu/machine/gpu_spec.h>)

# ccache stores what was compiled with a precompiled header only when it is told that macros in it may be trusted.
if(CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
# A header that does not fit the options of a file is read as text: slower, never wrong.
set(CMAKE_PCH_WARN_INVALID OFF)

# precompile_headers(NAME LAYER...): the first of the layers that is built in this way owns the headers in ${NAME}; the
# others, whose options are the same, use them.
function(precompile_headers target list)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # g++ takes precompiled system headers for our own code: its false alarms about std::string must not stop a build.
    target_compile_options(${target} PRIVATE -Wno-error=array-bounds -Wno-error=stringop-overflow -Wno-error=stringop-overread)
  endif()
  get_property(owner GLOBAL PROPERTY teslasim_owner_of_${list})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${${list}})
    set_property(GLOBAL PROPERTY teslasim_owner_of_${list} ${target})
  endif()
endfunction()

function(build_fast layer)
  if(TESLASIM_SANITIZE AND layer IN_LIST TESLASIM_BRIEF_LAYERS)
    target_compile_options(${layer} PRIVATE -O0)
  endif()
  if(layer IN_LIST TESLASIM_COLD_LAYERS)
    if(TESLASIM_SANITIZE)
      target_compile_options(${layer} PRIVATE -O0)
    else()
      target_compile_options(${layer} PRIVATE $<$<CONFIG:Release>:-O1>)
    endif()
    if(layer MATCHES "^(app|run|serve|validation)$")
      precompile_headers(${layer} precompiled_commands)
    else()
      precompile_headers(${layer} precompiled_product)
    endif()
  endif()
endfunction()
