# SPDX-License-Identifier: Apache-2.0
# For projects with CUDA programs, outside of this one:
#
#   list(APPEND CMAKE_MODULE_PATH "/path/to/teslasim/cmake")
#   include(TeslasimCuda)
#   teslasim_cuda_executable(program main.cu other.cu host.cpp OPTIONS -arch sm_13 -I${CMAKE_SOURCE_DIR}/include)
#
# CMake's own language CUDA looks for files of NVIDIA; this calls teslasim-nvcc as a makefile would.
find_program(TESLASIM_NVCC teslasim-nvcc HINTS "${CMAKE_CURRENT_LIST_DIR}/../build/release" REQUIRED)

function(teslasim_cuda_executable name)
  cmake_parse_arguments(ARG "" "" "OPTIONS" ${ARGN})
  set(objects)
  foreach(source IN LISTS ARG_UNPARSED_ARGUMENTS)
    get_filename_component(path "${source}" ABSOLUTE)
    string(MAKE_C_IDENTIFIER "${source}" object)
    set(object "${CMAKE_CURRENT_BINARY_DIR}/${name}.${object}.o")
    add_custom_command(OUTPUT "${object}" COMMAND "${TESLASIM_NVCC}" ${ARG_OPTIONS} -c "${path}" -o "${object}"
                       DEPENDS "${path}" VERBATIM COMMENT "teslasim-nvcc ${source}")
    list(APPEND objects "${object}")
  endforeach()
  add_custom_command(OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/${name}"
                     COMMAND "${TESLASIM_NVCC}" ${objects} -o "${CMAKE_CURRENT_BINARY_DIR}/${name}"
                     DEPENDS ${objects} VERBATIM COMMENT "Linking ${name} for teslasim")
  add_custom_target(${name} ALL DEPENDS "${CMAKE_CURRENT_BINARY_DIR}/${name}")
endfunction()
