# SPDX-License-Identifier: Apache-2.0
# What `teslasim --version`, `doctor` and run.json say about the program itself.
set(TESLASIM_GIT_STATE "unknown")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
                  OUTPUT_VARIABLE git_state OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE git_result)
  if(git_result EQUAL 0 AND git_state)
    set(TESLASIM_GIT_STATE "${git_state}")
  endif()
  # Git writes a line there at each commit and checkout: the program shall not name the commit before.
  execute_process(COMMAND "${GIT_EXECUTABLE}" rev-parse --git-path logs/HEAD WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
                  OUTPUT_VARIABLE git_log OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE git_result)
  cmake_path(ABSOLUTE_PATH git_log BASE_DIRECTORY "${CMAKE_SOURCE_DIR}")
  if(git_result EQUAL 0 AND EXISTS "${git_log}")
    set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${git_log}")
  endif()
endif()
set_source_files_properties("${CMAKE_SOURCE_DIR}/sim/run/version.cpp" PROPERTIES COMPILE_DEFINITIONS
  "TESLASIM_VERSION=\"${PROJECT_VERSION}\";TESLASIM_SYSTEMC=\"${SYSTEMC_PC_VERSION}\";TESLASIM_GIT_STATE=\"${TESLASIM_GIT_STATE}\";TESLASIM_BUILD_TYPE=\"${CMAKE_BUILD_TYPE}\";TESLASIM_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")
