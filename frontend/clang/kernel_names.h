// SPDX-License-Identifier: Apache-2.0
// Names as the source has them: kernels without what C++ adds to them, parameters, which PTX has no names for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program.h"

namespace teslasim::cuda {

/// `vecadd` for `_Z6vecaddPKfS0_Pfi`, `image::blur` for one in a namespace, `fill<float>` for an instance of a
/// template; other names stay as they are.
[[nodiscard]] std::string plain_kernel_name(const std::string& linker_name);

/// The same with the types of parameters, which kernels of one name differ by: `scale(float*, int)`.
[[nodiscard]] std::string kernel_signature(const std::string& linker_name);

/// The same for variables too, of which those within functions have their last name: `tile` for `_ZZ1kPfE4tile`.
[[nodiscard]] std::string source_name(const std::string& linker_name);

/// A message with the names of the source in place of quoted ones of linkers.
[[nodiscard]] std::string with_source_names(std::string_view message);

/// What to call a kernel in tables and messages: its plain name where no other kernel of the module has it, else with
/// types.
[[nodiscard]] std::string shown_kernel_name(const Module& module, const Kernel& kernel);

/// The module with kernels that are called so.
[[nodiscard]] Module with_shown_names(Module module);

/// Whether `name` means the kernel: as it is called, by its plain name, or by that of the template it is an instance
/// of.
[[nodiscard]] bool is_called(const std::string& kernel, std::string_view name);

/// The kernel that a user means: by its name, with or without types, or by its plain name where one kernel alone has
/// it; nullptr for none.
[[nodiscard]] const Kernel* find_kernel(const Module& module, const std::string& name);

/// Function -> names of its parameters ("" for one without), from LLVM's intermediate language as text.
[[nodiscard]] std::map<std::string, std::vector<std::string>, std::less<>> parameter_names(std::string_view text);

/// Gives the module's kernels their plain names, where two of them would not be called the same, and their parameters
/// those of the source.
void name_as_in_source(Module& module, const std::map<std::string, std::vector<std::string>, std::less<>>& parameters);

}  // namespace teslasim::cuda
