// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_later_instructions.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace teslasim::ptx {
namespace {

struct LaterInstruction {
  std::string_view name;   ///< and modifiers, as far as they matter
  std::string_view since;  ///< compute capability
  std::string_view help;
};

constexpr std::string_view video = "write it with add, min, max and shifts on whole words";
constexpr std::string_view surface = "read through a texture, write to device memory";
constexpr std::string_view shape = "use textures of one to three dimensions, without levels and layers";

// NVIDIA 2013, Parallel thread execution ISA 3.2: what each instruction needs.
constexpr auto later_instructions = std::to_array<LaterInstruction>({
    {"bar.red", "2.0", "vote in each warp, and combine in shared memory"},
    {"brx", "2.0", "compare and branch"},
    {"copysign", "2.0", "and.b32 and or.b32 on the bits"},
    {"isspacep", "2.0", "access one space: ld.global, ld.shared"},
    {"ld.global.nc", "3.5", "leave .nc out, or fetch from a texture"},
    {"prefetchu", "2.0", "leave it out: there is no cache to fill"},
    {"shf", "3.2", "shl, shr and or"},
    {"shfl", "3.0", "exchange values in shared memory"},
    {"suld", "2.0", surface},
    {"suq", "2.0", "give sizes as parameters"},
    {"sured", "2.0", surface},
    {"sust", "2.0", surface},
    {"testp", "2.0", "setp.nan.f32, or compare the bits"},
    {"tex.a1d", "2.0", shape},
    {"tex.a2d", "2.0", shape},
    {"tex.acube", "2.0", shape},
    {"tex.base", "2.0", shape},
    {"tex.cube", "2.0", shape},
    {"tex.grad", "2.0", shape},
    {"tex.level", "2.0", shape},
    {"tld4", "2.0", "fetch four texels with tex"},
    {"txq", "2.0", "give sizes as parameters"},
    {"vabsdiff", "2.0", video},
    {"vabsdiff2", "3.0", video},
    {"vabsdiff4", "3.0", video},
    {"vadd", "2.0", video},
    {"vadd2", "3.0", video},
    {"vadd4", "3.0", video},
    {"vavrg2", "3.0", video},
    {"vavrg4", "3.0", video},
    {"vmad", "2.0", video},
    {"vmax", "2.0", video},
    {"vmax2", "3.0", video},
    {"vmax4", "3.0", video},
    {"vmin", "2.0", video},
    {"vmin2", "3.0", video},
    {"vmin4", "3.0", video},
    {"vset", "2.0", video},
    {"vset2", "3.0", video},
    {"vset4", "3.0", video},
    {"vshl", "2.0", video},
    {"vshr", "2.0", video},
    {"vsub", "2.0", video},
    {"vsub2", "3.0", video},
    {"vsub4", "3.0", video},
});

/// Whether the instruction begins with all words of the name.
bool begins_with(const PtxInstruction& instruction, std::string_view name) {
  std::size_t dot = name.find('.');
  if (name.substr(0, dot) != instruction.opcode) return false;
  for (std::size_t i = 0; dot != std::string_view::npos; ++i) {
    const std::size_t next = name.find('.', dot + 1);
    const std::string_view word = name.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1);
    if (i >= instruction.modifiers.size() || instruction.modifiers[i] != word) return false;
    dot = next;
  }
  return true;
}

}  // namespace

std::optional<PtxMistake> later_instruction(const PtxInstruction& instruction) {
  const auto found = std::find_if(later_instructions.begin(), later_instructions.end(),
                                  [&](const LaterInstruction& one) { return begins_with(instruction, one.name); });
  if (found == later_instructions.end()) return std::nullopt;
  return PtxMistake{instruction.place, "PTX-UNSUPPORTED",
                    "'" + std::string(found->name) + "' needs compute capability " + std::string(found->since),
                    std::string(found->help)};
}

}  // namespace teslasim::ptx
