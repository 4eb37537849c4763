// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/compile.h"

#include <algorithm>
#include <map>
#include <utility>

#include "frontend/compiler/address_growth.h"
#include "frontend/compiler/address_motion.h"
#include "frontend/compiler/constant_motion.h"
#include "frontend/compiler/emitter.h"
#include "frontend/compiler/guarded_results.h"
#include "frontend/compiler/machine_cleanup.h"
#include "frontend/compiler/module_layout.h"
#include "frontend/compiler/occupancy_steps.h"
#include "frontend/compiler/passes.h"
#include "frontend/compiler/register_limits.h"
#include "frontend/compiler/routines.h"
#include "frontend/compiler/runtime_library.h"
#include "frontend/compiler/schedule.h"
#include "frontend/compiler/selector.h"
#include "frontend/compiler/translate_function.h"
#include "frontend/ptx/ptx_mistakes.h"

namespace teslasim::compiler {
namespace {

using ptx::PtxMistake;

constexpr std::uint8_t address_bank = 14;

class ModuleCompiler {
 public:
  ModuleCompiler(const ptx::PtxModule& ptx, const std::string& path, const CompileOptions& options,
                 std::string_view text)
      : ptx_(ptx), path_(path), options_(options), text_(text) {}

  Compilation run() {
    Module& module = result_.module;
    module.path = path_;
    module.sm = options_.sm;
    module.container = "PTX";
    module.compiled = true;
    layout_ = lay_out(ptx_, module, mistakes_);
    for (const ptx::PtxFunction& function : ptx_.functions) {
      if (function.entry && function.body) compile(function);
    }
    for (const PtxMistake& warning : warnings_)
      module.warnings.push_back(diagnostic_of(warning, Diagnostic::Severity::warning, path_, text_));
    ptx::throw_mistakes(mistakes_, path_, text_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::uint32_t main_file() const {
    for (const ptx::PtxFile& file : ptx_.files) {
      if (!options_.source_file.empty() && file.name == options_.source_file) return file.number;
    }
    return 0;
  }

  void compile(const ptx::PtxFunction& function) {
    Kernel kernel;
    kernel.name = function.name;
    const TranslationInput input{ptx_, runtime_library(), layout_, options_, main_file()};
    TranslatedKernel translated = translate(input, function, kernel, mistakes_, warnings_);
    if (!mistakes_.empty()) return;
    run_passes(translated.function, {options_, mistakes_, warnings_, result_.printed});
    if (!mistakes_.empty()) return;
    place_addresses(translated.function, kernel);
    kernel.address_slots.insert(kernel.address_slots.end(), layout_.address_slots.begin(), layout_.address_slots.end());
    MachineFunction machine = select_instructions(translated.function, options_);
    add_routines(machine, input);
    remove_unread_results(machine);
    if (options_.optimization != 0) {
      compute_under_guards(machine);
      grow_addresses(machine, options_.sm >= 11);
      hoist_address_registers(machine);
      guard_sources(machine);
    }
    machine.local_bytes = translated.layout.local_bytes;
    const RegisterLimits limits = register_limits(function, options_);
    kernel.most_threads = limits.threads;
    const RegisterAllocation allocation = allocate(machine, limits);
    if (allocation.general_registers > limits.most)
      warnings_.push_back({function.place, "CUDA-REGISTERS",
                           "'" + function.name + "' needs " + std::to_string(allocation.general_registers) +
                               " registers, more than the " + std::to_string(limits.most) + " asked for",
                           ""});
    emit(machine, allocation, {options_.optimization != 0, options_.sm}, kernel);
    kernel.shared_bytes = translated.layout.shared_bytes;
    kernel.local_bytes = machine.local_bytes;
    if (!machine.literals.empty()) kernel.constants.push_back(literal_segment(machine.literals));
    result_.module.kernels.push_back(std::move(kernel));
  }

  /// The code of what the kernel calls.
  void add_routines(MachineFunction& machine, const TranslationInput& input) {
    for (const MachineRoutine& routine : machine.routines) {
      IrFunction function = translate_routine(input, std::string(routine_name(routine.number)),
                                              static_cast<unsigned>(routine.operand.size()));
      run_passes(function, {options_, mistakes_, warnings_, result_.printed});
      select_routine(function, routine, machine, options_);
    }
  }

  [[nodiscard]] RegisterAllocation allocate(MachineFunction& machine, const RegisterLimits& limits) const {
    if (options_.optimization == 0) {
      remove_fences(machine);
      return allocate_registers(machine, limits.most);
    }
    const MachineFunction selected = machine;
    RegisterAllocation usual = schedule_and_allocate(machine, limits.most);
    const unsigned same = registers_of_same_occupancy(usual.general_registers, options_.sm, limits.threads);
    const unsigned most = std::min(limits.most, same);
    if (machine.local_bytes != selected.local_bytes || usual.general_registers > most) return usual;
    // What is live at once is more than the allocator needs: copies become none, an order may need less.
    constexpr unsigned copies = 8;
    for (const unsigned room : {most - usual.general_registers + copies, most - usual.general_registers}) {
      MachineFunction hoisted = selected;
      if (!hoist_constants(hoisted, room)) break;
      RegisterAllocation result = schedule_and_allocate(hoisted, limits.most);
      if (result.general_registers > most || hoisted.local_bytes != selected.local_bytes) continue;
      machine = std::move(hoisted);
      return result;
    }
    return usual;
  }

  static ConstantSegment literal_segment(const std::vector<std::uint32_t>& literals) {
    ConstantSegment segment;
    for (const std::uint32_t literal : literals) {
      for (unsigned byte = 0; byte < 4; ++byte)
        segment.bytes.push_back(static_cast<std::uint8_t>(literal >> (8 * byte)));
    }
    return segment;
  }

  /// Addresses of variables are read from bank 14, where the loader writes them.
  static void place_addresses(IrFunction& function, Kernel& kernel) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> slots;
    for (const IrBlock& block : function.blocks) {
      for (const NodeIndex index : block.nodes) {
        IrNode& node = function.nodes[index];
        if (node.operation != IrOperation::variable_address) continue;
        const auto next = static_cast<std::uint32_t>(4 * slots.size());
        const auto [slot, added] = slots.try_emplace({node.number, node.offset}, next);
        if (added) kernel.address_slots.push_back({address_bank, next, node.number, node.offset});
        node.number = slot->second;
      }
    }
  }

  const ptx::PtxModule& ptx_;
  const std::string& path_;
  const CompileOptions& options_;
  std::string_view text_;
  Compilation result_{};
  ModuleLayout layout_{};
  std::vector<PtxMistake> mistakes_{}, warnings_{};
};

}  // namespace

Compilation compile_ptx(const ptx::PtxModule& ptx, const std::string& path, const CompileOptions& options,
                        std::string_view text) {
  return ModuleCompiler(ptx, path, options, text).run();
}

std::string pass_names() {
  std::string names = "all";
  for (const std::string_view name : names_of_passes()) names += ", " + std::string(name);
  return names;
}

bool is_pass_name(std::string_view name) {
  const auto names = names_of_passes();
  return name == "all" || std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace teslasim::compiler
