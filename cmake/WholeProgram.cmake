# SPDX-License-Identifier: Apache-2.0
# The simulation itself is optimised across files when the program is linked: some 7 % fewer host instructions per run. Objects
# hold ordinary code besides, with which tests link as fast as ever.
set(whole_program OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT TESLASIM_SANITIZE)
  set(whole_program ON)
endif()
option(TESLASIM_WHOLE_PROGRAM "Optimise across files (g++)" ${whole_program})
# The layers in which simulated time is spent; the others would only cost linking time.
set(TESLASIM_WHOLE_PROGRAM_LAYERS base isa memory_image exec memory sm engine gpu)
# Functions that g++ leaves alone at its usual limits: 1 % fewer host instructions. Far larger limits make it worse again.
set(inlining --param=inline-unit-growth=100 --param=large-function-growth=400 --param=max-inline-insns-auto=50)

function(compile_for_whole_program layer)
  if(TESLASIM_WHOLE_PROGRAM AND layer IN_LIST TESLASIM_WHOLE_PROGRAM_LAYERS)
    target_compile_options(${layer} PRIVATE -flto -ffat-lto-objects ${inlining})
  endif()
endfunction()

function(optimize_whole_program program)
  if(TESLASIM_WHOLE_PROGRAM)
    target_link_options(${program} PRIVATE -flto=auto)
  endif()
endfunction()

# Turns link-time optimisation off for programs added after this call: tests and benchmarks link faster without it.
macro(link_ordinary_code)
  if(TESLASIM_WHOLE_PROGRAM)
    add_link_options(-fno-lto)
  endif()
endmacro()
