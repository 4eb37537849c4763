# SPDX-License-Identifier: Apache-2.0
# One compiler run for several sources: two to three times as fast for a whole build, slower after a change of one file.
# ./check and ./quickstart build so. Files whose names would be taken for others are kept apart: see together.py.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/together.py")
option(TESLASIM_TOGETHER "Compile sources that share headers in one go" OFF)
set(TESLASIM_TOGETHER_MOST 16)
if(TESLASIM_TOGETHER)
  find_package(Python3 3.9 REQUIRED COMPONENTS Interpreter)
endif()

# compile_together(target source...)
function(compile_together target)
  if(NOT TESLASIM_TOGETHER)
    return()
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} -B "${CMAKE_SOURCE_DIR}/cmake/together.py" ${TESLASIM_TOGETHER_MOST} ${ARGN}
                  OUTPUT_VARIABLE lines OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" "|" lines "${lines}")
  string(REPLACE ";" "=" lines "${lines}")
  string(REPLACE "|" ";" lines "${lines}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^([0-9]+)=(.*)$" line "${line}")
    set_source_files_properties("${CMAKE_MATCH_2}" PROPERTIES UNITY_GROUP "group_${CMAKE_MATCH_1}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()
