# SPDX-License-Identifier: Apache-2.0
set(TESLASIM_SANITIZE "" CACHE STRING "Sanitizers, e.g. address,undefined")
if(TESLASIM_SANITIZE)
  add_compile_options(-fsanitize=${TESLASIM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${TESLASIM_SANITIZE})
endif()
# Coverage for the fuzzers, in every layer that they drive.
if(TESLASIM_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
