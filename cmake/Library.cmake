# SPDX-License-Identifier: Apache-2.0
# libteslasim.so: a machine within other programs (sim/embed). Everything of ours is in it, and only teslasim::embed can be
# seen, so that a program may have names of any kind. Programs of other projects find it with find_package(teslasim).
if(TESLASIM_SANITIZE)  # programs of others know nothing of the sanitizers
  return()
endif()
add_library(teslasim_library SHARED "${CMAKE_SOURCE_DIR}/sim/embed/main.cpp")
set_target_properties(teslasim_library PROPERTIES OUTPUT_NAME teslasim EXPORT_NAME teslasim
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  LINK_DEPENDS "${CMAKE_SOURCE_DIR}/cmake/libteslasim.map")
target_link_libraries(teslasim_library PRIVATE teslasim_warnings "$<LINK_LIBRARY:WHOLE_ARCHIVE,embed>")
target_link_options(teslasim_library PRIVATE "-Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/libteslasim.map" -Wl,--no-undefined)
target_include_directories(teslasim_library INTERFACE "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/sim/embed/include>"
                           "$<INSTALL_INTERFACE:include>")
target_compile_features(teslasim_library INTERFACE cxx_std_20)
add_library(teslasim::teslasim ALIAS teslasim_library)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_folder "lib/cmake/teslasim")
install(TARGETS teslasim_library EXPORT teslasimTargets LIBRARY DESTINATION lib)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/sim/embed/include/teslasim" DESTINATION include FILES_MATCHING PATTERN "*.h")
install(EXPORT teslasimTargets NAMESPACE teslasim:: DESTINATION "${package_folder}")
configure_package_config_file("${CMAKE_SOURCE_DIR}/cmake/teslasimConfig.cmake.in" "${CMAKE_BINARY_DIR}/teslasimConfig.cmake"
                              INSTALL_DESTINATION "${package_folder}")
# A new minor version may break programs, as long as the first number is 0.
write_basic_package_version_file("${CMAKE_BINARY_DIR}/teslasimConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_BINARY_DIR}/teslasimConfig.cmake" "${CMAKE_BINARY_DIR}/teslasimConfigVersion.cmake"
        DESTINATION "${package_folder}")
