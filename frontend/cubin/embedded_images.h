// SPDX-License-Identifier: Apache-2.0
// GPU code inside other files: host executables, objects, libraries, fat binaries.
//
// Whatever the outer file is, its bytes are searched for three things: ELF images of the CUDA machine, text cubins (the
// strings in fat binaries before CUDA 3.0), and the fat binary container of CUDA 4.0 and later, which also tells about
// PTX and compressed images. PTX is named but not read; compressed images are unpacked when the method is known. For
// each kernel the image of the highest level that the machine executes is taken, so a program of several source files,
// each with its images, becomes one Module. Not modelled: compression by zstd, translation of PTX. Errors: InputError
// (exit code `input`), code CUBIN-IMAGE with a list of what was found when nothing can be taken; the errors of the
// readers for the images that are taken. Sources: fat binaries written by nvcc; Eiling 2023 (layout of the container of
// CUDA 4.0 and later).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/read_options.h"
#include "isa/program.h"

namespace teslasim {

struct EmbeddedImage {
  enum class Kind : std::uint8_t { elf_cubin, text_cubin, ptx, compressed };
  Kind kind = Kind::elf_cubin;
  std::uint32_t level = 0;  ///< as the image says it: 10, 20...; 0 = it does not say
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::string unpacked{};  ///< the image itself, when those bytes are compressed
};

/// In the order of the file.
[[nodiscard]] std::vector<EmbeddedImage> find_embedded_images(std::string_view bytes);

/// True when the bytes hold any image, readable or not.
[[nodiscard]] bool has_embedded_images(std::string_view bytes);

[[nodiscard]] Module read_embedded_images(const std::string& path, std::string_view bytes,
                                          const ReadOptions& options = {});

}  // namespace teslasim
