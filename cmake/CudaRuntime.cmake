# SPDX-License-Identifier: Apache-2.0
# The library with which CUDA programs are linked, and teslasim-nvcc, which compiles them.
#
# libteslasim_cudart.a is one object with everything of ours in it; only the functions of CUDA can be seen from outside, so
# that a program may have names of any kind. libteslasim_cudart.so is a script for linkers, which adds the libraries of
# others that it needs: `-lteslasim_cudart` is enough.
add_library(cudart_main OBJECT "${CMAKE_SOURCE_DIR}/sim/cudart/main.cpp")
target_link_libraries(cudart_main PRIVATE teslasim_warnings)
set(cudart_layers run trace report model frontend gpu sm memory memory_image exec isa engine base)
set(cudart_archives)
foreach(layer IN LISTS cudart_layers)
  list(APPEND cudart_archives $<TARGET_FILE:${layer}>)
endforeach()
set(cudart_names --keep-global-symbol=cuda* --keep-global-symbol=__cuda* --keep-global-symbol=cu[A-Z]*
    --keep-global-symbol=teslasim_cu* --keep-global-symbol=sc_main)
set(cudart_object "${CMAKE_BINARY_DIR}/teslasim_cudart.o")
# What g++ makes unique in a whole process (statics of inline functions, the C++ library's among them) stays global whatever
# objcopy is told, unless it is weak. The list has a first line because objcopy takes no empty one.
set(cudart_unique "${CMAKE_BINARY_DIR}/teslasim_cudart.unique")
add_custom_command(OUTPUT "${CMAKE_BINARY_DIR}/libteslasim_cudart.a"
  COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o "${cudart_object}" $<TARGET_OBJECTS:cudart_main>
          --whole-archive $<TARGET_FILE:cudart> --no-whole-archive --start-group ${cudart_archives} --end-group
  COMMAND ${CMAKE_OBJCOPY} --strip-debug -R ".gnu.lto_*" -R ".gnu.debuglto_*" "${cudart_object}"
  COMMAND sh -c "${CMAKE_NM} -g '${cudart_object}' | awk 'BEGIN { print \"none\" } $2 == \"u\" { print $3 }' > '${cudart_unique}'"
  COMMAND ${CMAKE_OBJCOPY} "--weaken-symbols=${cudart_unique}" "${cudart_object}"
  COMMAND ${CMAKE_OBJCOPY} --wildcard ${cudart_names} "${cudart_object}"
  COMMAND ${CMAKE_COMMAND} -E rm -f "${CMAKE_BINARY_DIR}/libteslasim_cudart.a"
  COMMAND ${CMAKE_AR} qcs "${CMAKE_BINARY_DIR}/libteslasim_cudart.a" "${cudart_object}"
  COMMAND ${CMAKE_COMMAND} -E rm -f "${cudart_object}" "${cudart_unique}"
  DEPENDS cudart_main cudart ${cudart_layers} $<TARGET_OBJECTS:cudart_main>
  COMMAND_EXPAND_LISTS VERBATIM COMMENT "Joining libteslasim_cudart.a")
set(cudart_libraries "-lsystemc -lfmt -lspdlog -ltomlplusplus -lxxhash -lz -lzstd -llz4 -lelf -lstdc++ -lm -lpthread")
set(cudart_comment "/* GNU ld script: see cmake/CudaRuntime.cmake */")
# By its name alone: both files can be moved together.
file(WRITE "${CMAKE_BINARY_DIR}/libteslasim_cudart.so"
  "${cudart_comment}\nINPUT(libteslasim_cudart.a ${cudart_libraries})\n")
# For makefiles that want the folder of a toolkit: make CUDA_DIR=.../cuda.
foreach(folder bin lib lib64)
  file(MAKE_DIRECTORY "${CMAKE_BINARY_DIR}/cuda/${folder}")
endforeach()
foreach(library lib/libcudart lib/libcuda lib64/libcudart lib64/libcuda)
  file(WRITE "${CMAKE_BINARY_DIR}/cuda/${library}.so"
    "${cudart_comment}\nINPUT(${CMAKE_BINARY_DIR}/libteslasim_cudart.a ${cudart_libraries})\n")
endforeach()
file(CREATE_LINK "${CMAKE_BINARY_DIR}/teslasim-nvcc" "${CMAKE_BINARY_DIR}/cuda/bin/nvcc" SYMBOLIC)
file(CREATE_LINK "${CMAKE_SOURCE_DIR}/frontend/cuda/include" "${CMAKE_BINARY_DIR}/cuda/include" SYMBOLIC)
# Programs are linked by g++, which knows nothing of the runtime of clang's sanitizers.
if(NOT TESLASIM_SANITIZE)
  add_program(teslasim-nvcc sim/nvcc/main.cpp nvcc)
  add_custom_target(teslasim_cudart ALL DEPENDS "${CMAKE_BINARY_DIR}/libteslasim_cudart.a")
  add_dependencies(teslasim-nvcc teslasim_cudart)
endif()
