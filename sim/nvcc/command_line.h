// SPDX-License-Identifier: Apache-2.0
// The command line of nvcc, as makefiles write it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/clang/cuda_options.h"

namespace teslasim::nvcc {

enum class Action : std::uint8_t { link, object, archive, ptx, cubin, preprocess, dependencies, version, help };

struct Input {
  enum class Kind : std::uint8_t { cuda, cpp, c, object };
  std::string path;
  Kind kind = Kind::object;
};

struct Request {
  Action action = Action::link;
  std::vector<Input> inputs;
  std::string output;                   ///< empty: as nvcc names it
  cuda::CudaOptions device;             ///< without the level
  std::vector<std::uint8_t> levels;     ///< 10..13, ascending; never empty
  std::vector<std::string> host_words;  ///< for the compilers of the host side: -D, -I, -O, -g, -Xcompiler...
  std::vector<std::string> link_words;  ///< -L, -l, -Xlinker..., in order
  std::string host_compiler;            ///< -ccbin; empty: g++
  std::string folder;                   ///< -odir: where what has no name of its own is written; empty: here
  std::string keep_folder;              ///< -keep-dir; empty: here
  std::vector<std::string> run_words;   ///< for the program that -run starts
  bool to_file = false;                 ///< preprocess: to FILE.cu.cpp.ii rather than stdout
  bool shared = false;                  ///< a shared library
  bool keeps = false;                   ///< PTX and cubin of each file stay
  bool runs = false;                    ///< the program, once it is linked
  bool cleans = false;                  ///< removes what would be written, and nothing else
  bool warns = true;
  bool verbose = false;              ///< commands on stderr before they run
  bool dry_run = false;              ///< commands on stderr instead
  bool resource_usage = false;       ///< registers and memory of each kernel on stderr
  std::vector<std::string> notices;  ///< what was taken differently from what was asked
};

/// Throws InputError (usage) with all that is wrong: CLI-VALUE, CLI-OPTION, CUDA-UNSUPPORTED.
[[nodiscard]] Request read_command_line(const std::vector<std::string>& words);

/// The page of --help.
[[nodiscard]] std::string help_text();

}  // namespace teslasim::nvcc
