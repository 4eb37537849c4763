// SPDX-License-Identifier: Apache-2.0
// ELF cubins: what nvcc wrote from CUDA 3.0 on.
//
// One `.text.K` section per kernel K, whose sh_info holds the registers and whose flags hold the barriers; shared and
// local memory from the sizes of `.nv.shared.K` and `.nv.local.K`; constants from `.nv.constantN.K` (one kernel) and
// `.nv.constantN` (all kernels); parameters from the attributes of `.nv.info.K`: sizes and offsets without names, so
// they are called p0, p1...; device variables from `.nv.global` and `.nv.global.init`, whose addresses the relocations
// of the constant banks ask for; texture names from the attributes. The level is the low byte of e_flags. Not modelled:
// linking of several relocatable objects (relocations that patch code are named in a warning and not applied), debug
// sections. Errors: InputError (exit code `input`) with everything that is wrong in the image, with offsets in the
// file. Sources: cubins of CUDA 3 to 6; the names of attributes and sections as cuobjdump and nvdisasm print them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "frontend/read_options.h"
#include "isa/program.h"

namespace teslasim {

/// True for an ELF image that is GPU code, of any generation.
[[nodiscard]] bool looks_like_elf_cubin(std::string_view bytes);

/// `base` is where the image begins in the file `path`, for messages.
[[nodiscard]] Module read_elf_cubin(const std::string& path, std::string_view bytes, const ReadOptions& options = {},
                                    std::uint64_t base = 0);

/// `bits` is the class, 32 or 64. Throws InputError when an instruction cannot be encoded for the module's level.
[[nodiscard]] std::string write_elf_cubin(const Module& module, unsigned bits = 32);

}  // namespace teslasim
