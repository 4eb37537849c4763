// SPDX-License-Identifier: Apache-2.0
// From operations to the families that perform them, as the rows of isa/opcodes.def say.
#include <array>
#include <cstddef>

#include "isa/opcode.h"
#include "isa/semantics/families.h"
#include "isa/semantics/lanes.h"

namespace teslasim {

namespace {

using Binder = Semantics (*)(const Instruction&);

/// The family `none`: control and memory have no lane-wise part, sim/exec carries them out.
constexpr Binder bind_none = nullptr;

using namespace semantics;  // NOLINT(google-build-using-namespace): the rows name families only

constexpr std::array<Binder, opcode_count> binders{
#define OPCODE(name, mnemonic, unit, issue_class, first_sm, family, ...) bind_##family,
#include "isa/opcodes.def"
#undef OPCODE
};

}  // namespace

Semantics bind_semantics(const Instruction& instruction) {
  const Binder binder = binders[static_cast<std::size_t>(instruction.opcode)];
  return binder == nullptr ? nullptr : binder(instruction);
}

}  // namespace teslasim
