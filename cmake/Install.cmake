# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts where, and the Debian package that CPack makes of it:
#
#   cmake --install build/release --prefix ~/.local
#   (cd build/release && SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) cpack)
#
# Programs have machines, headers of CUDA and pages within themselves; they run from wherever they are put. teslasim-nvcc
# finds libteslasim_cudart in the lib beside its folder.
include(GNUInstallDirs)
set(share "${CMAKE_INSTALL_DATADIR}/teslasim")
set(documents "${CMAKE_INSTALL_DATADIR}/doc/teslasim")

install(TARGETS teslasim)
if(TARGET teslasim-nvcc)
  install(TARGETS teslasim-nvcc)
  install(FILES "${CMAKE_BINARY_DIR}/libteslasim_cudart.a" "${CMAKE_BINARY_DIR}/libteslasim_cudart.so" DESTINATION lib)
  install(FILES "${CMAKE_SOURCE_DIR}/cmake/TeslasimCuda.cmake" DESTINATION "${share}/cmake")
  # share/teslasim/cuda is for makefiles that want the folder of a toolkit: four folders below the prefix are bin and lib.
  set(toolkit "${CMAKE_BINARY_DIR}/toolkit")
  file(MAKE_DIRECTORY "${toolkit}/bin" "${toolkit}/lib" "${toolkit}/lib64")
  file(CREATE_LINK "../../../../bin/teslasim-nvcc" "${toolkit}/bin/nvcc" SYMBOLIC)
  foreach(folder lib lib64)
    file(CREATE_LINK "../../../../lib/libteslasim_cudart.a" "${toolkit}/${folder}/libteslasim_cudart.a" SYMBOLIC)
    foreach(library libcudart libcuda)
      configure_file("${CMAKE_BINARY_DIR}/libteslasim_cudart.so" "${toolkit}/${folder}/${library}.so" COPYONLY)
    endforeach()
  endforeach()
  install(DIRECTORY "${toolkit}/" DESTINATION "${share}/cuda")
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/frontend/cuda/" DESTINATION "${share}/cuda" FILES_MATCHING PATTERN "*.h")
endif()
install(DIRECTORY "${CMAKE_SOURCE_DIR}/traces" "${CMAKE_SOURCE_DIR}/configs" DESTINATION "${share}")
# Beside the README, as in the sources: its links work, and the index of the pages has a place of its own.
install(DIRECTORY "${CMAKE_SOURCE_DIR}/docs" DESTINATION "${documents}" PATTERN "*.py" EXCLUDE
        REGEX "/labs/[^/]+/(teacher|.*[.](asm|toml|txt|sh))$" EXCLUDE)  # `teslasim new --lab` has them
install(FILES "${CMAKE_SOURCE_DIR}/README.md" DESTINATION "${documents}")

# Manual pages and completions are the program's own words.
set(made "${CMAKE_BINARY_DIR}/installed")
install(CODE "
  set(program \"${CMAKE_BINARY_DIR}/teslasim\")
  set(made \"${made}\")
  file(REMOVE_RECURSE \"\${made}\")
  function(say result)
    execute_process(COMMAND \"\${program}\" \${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    set(\${result} \"\${text}\" PARENT_SCOPE)
  endfunction()
  function(manual name)
    say(page man \${ARGN})
    file(WRITE \"\${made}/man/\${name}.1\" \"\${page}\")
    execute_process(COMMAND gzip -9 -n -f \"\${made}/man/\${name}.1\" COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  say(words completion bash)
  file(WRITE \"\${made}/bash/teslasim\" \"\${words}\")
  say(words completion zsh)
  file(WRITE \"\${made}/zsh/_teslasim\" \"\${words}\")
  manual(teslasim)
  set(nvcc \"${CMAKE_BINARY_DIR}/teslasim-nvcc\")
  if(EXISTS \"\${nvcc}\")
    execute_process(COMMAND \"\${nvcc}\" --help OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
    string(REPLACE \"\\\\\" \"\\\\e\" text \"\${text}\")
    string(REPLACE \"-\" \"\\\\-\" text \"\${text}\")
    string(REGEX REPLACE \"(^|\n)([.'])\" \"\\\\1\\\\\\\\&\\\\2\" text \"\${text}\")
    file(WRITE \"\${made}/man/teslasim-nvcc.1\" \".TH teslasim\\\\-nvcc 1 \\\"\\\" \\\"teslasim ${PROJECT_VERSION}\\\" \\\"User commands\\\"
.SH NAME
teslasim\\\\-nvcc \\\\- compiles CUDA programs for simulated GPUs
.SH DESCRIPTION
.nf
\${text}.fi
.SH SEE ALSO
teslasim(1), teslasim\\\\-cuda(1)
\")
    execute_process(COMMAND gzip -9 -n -f \"\${made}/man/teslasim-nvcc.1\" COMMAND_ERROR_IS_FATAL ANY)
  endif()
  say(help --help)
  string(REGEX MATCHALL \"\\n  [a-z]+ +[a-z0-9A-Z]\" lines \"\${help}\")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE \"^\\n  ([a-z]+) .*\" \"\\\\1\" command \"\${line}\")
    if(NOT command STREQUAL \"teslasim\")
      manual(\"teslasim-\${command}\" \"\${command}\")
    endif()
  endforeach()")
install(DIRECTORY "${made}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(DIRECTORY "${made}/bash/" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
install(DIRECTORY "${made}/zsh/" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME teslasim)
set(CPACK_PACKAGE_VENDOR "the maintainers of teslasim")
set(CPACK_PACKAGE_CONTACT "teslasim maintainers <teslasim@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "cycle-level simulator of NVIDIA Tesla-class GPUs")
set(CPACK_PACKAGE_DESCRIPTION "Runs kernels (assembly, cubins, PTX, CUDA C) on a configured G80, G92 or
GT200, says where every issue slot and warp cycle went, and holds the
simulation against analytical models and published measurements.")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${CMAKE_BINARY_DIR}")
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${CMAKE_SOURCE_DIR}/cmake/debian/prerm" "${CMAKE_SOURCE_DIR}/cmake/debian/triggers")
if(TARGET teslasim_python)
  set(CPACK_DEBIAN_PACKAGE_DEPENDS python3)
endif()
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy, clang-14, llvm-14, g++, libsystemc-dev, libfmt-dev, libspdlog-dev, libtomlplusplus-dev, libxxhash-dev, zlib1g-dev, libzstd-dev, liblz4-dev, libelf-dev")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
configure_file("${CMAKE_SOURCE_DIR}/cmake/debian/copyright" "${CMAKE_BINARY_DIR}/debian/copyright" COPYONLY)
execute_process(COMMAND gzip -9 -n -c "${CMAKE_SOURCE_DIR}/cmake/debian/changelog"
                OUTPUT_FILE "${CMAKE_BINARY_DIR}/debian/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
install(FILES "${CMAKE_BINARY_DIR}/debian/copyright" "${CMAKE_BINARY_DIR}/debian/changelog.gz" DESTINATION "${documents}")
install(FILES "${CMAKE_SOURCE_DIR}/cmake/debian/lintian-overrides" DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides"
        RENAME teslasim)
include(CPack)
