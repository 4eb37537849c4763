// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/passes.h"

#include <array>

#include "frontend/compiler/access_alignment.h"
#include "frontend/compiler/address_steps.h"
#include "frontend/compiler/after_loops.h"
#include "frontend/compiler/common_subexpressions.h"
#include "frontend/compiler/control_flow.h"
#include "frontend/compiler/counter_sums.h"
#include "frontend/compiler/dead_code.h"
#include "frontend/compiler/edges.h"
#include "frontend/compiler/if_conversion.h"
#include "frontend/compiler/joins.h"
#include "frontend/compiler/loop_ends.h"
#include "frontend/compiler/loop_frame.h"
#include "frontend/compiler/loop_halving.h"
#include "frontend/compiler/loop_invariants.h"
#include "frontend/compiler/loop_products.h"
#include "frontend/compiler/loop_shapes.h"
#include "frontend/compiler/lower_addresses.h"
#include "frontend/compiler/lower_products.h"
#include "frontend/compiler/lower_wide.h"
#include "frontend/compiler/simplify.h"
#include "frontend/compiler/tails.h"

namespace teslasim::compiler {
namespace {

constexpr unsigned most_rounds = 12;

void remove_dead_code(IrFunction& function, const PassContext&) {
  simplify_control_flow(function);
  eliminate_dead_code(function);
}

/// Until nothing changes. Without optimisation once: what follows relies on constants being where they are used.
void optimise(IrFunction& function, const PassContext& context) {
  for (unsigned round = 0; round < (context.options.optimization == 0 ? 2 : most_rounds); ++round) {
    bool changed = simplify(function);
    if (context.options.optimization != 0) changed = eliminate_common_subexpressions(function) || changed;
    changed = simplify_control_flow(function) || changed;
    eliminate_dead_code(function);
    if (!changed) return;
  }
}

void lower_memory(IrFunction& function, const PassContext& context) {
  lower_addresses(function, context.options.sm, context.mistakes, context.warnings);
}

void lower_words(IrFunction& function, const PassContext&) {
  lower_wide(function);
}

void reduce_strength(IrFunction& function, const PassContext& context) {
  if (context.options.optimization == 0) return;
  // Ten registers a thread leave room for three blocks of 256 on the smallest chips.
  constexpr std::size_t most_of_8192_registers = 7;
  const std::size_t most = context.options.sm < 12 ? most_of_8192_registers : most_carried;
  if (write_counter_sums(function)) optimise(function, context);
  if (reduce_loop_products(function, most)) optimise(function, context);
  if (step_addresses(function)) optimise(function, context);
}

void lower_multiplications(IrFunction& function, const PassContext&) {
  lower_products(function);
}

void fuse(IrFunction& function, const PassContext& context) {
  fuse_products(function, context.options.contract);
  eliminate_dead_code(function);
}

void convert(IrFunction& function, const PassContext& context) {
  if (context.options.optimization == 0) return;
  give_cycles_one_entry(function);
  for (unsigned round = 0; round < most_rounds && convert_branches(function); ++round) optimise(function, context);
  if (copy_tails(function)) optimise(function, context);
}

void hoist(IrFunction& function, const PassContext& context) {
  if (context.options.optimization == 0) return;
  (void)hoist_invariants(function);
  if (compute_behind_loops(function)) eliminate_dead_code(function);
}

void shape_loops(IrFunction& function, const PassContext&) {
  give_cycles_one_entry(function);
  separate_nested_loops(function);
}

void join(IrFunction& function, const PassContext&) {
  announce_joins(function);
}

void end_loops(IrFunction& function, const PassContext& context) {
  if (context.options.optimization == 0) return;
  const bool halved = halve_at_loop_ends(function);
  if (replace_loop_ends(function) || halved) eliminate_dead_code(function);
}

void split(IrFunction& function, const PassContext&) {
  split_critical_edges(function);
}

void check(IrFunction& function, const PassContext& context) {
  check_alignment(function, context.mistakes);
}

struct Pass {
  std::string_view name;
  void (*run)(IrFunction&, const PassContext&);
};
constexpr auto passes = std::to_array<Pass>({{"dead-code", remove_dead_code},
                                             {"addresses", lower_memory},
                                             {"words", lower_words},
                                             {"optimise", optimise},
                                             {"strength", reduce_strength},
                                             {"products", lower_multiplications},
                                             {"optimise-again", optimise},
                                             {"fuse", fuse},
                                             {"branches", convert},
                                             {"invariants", hoist},
                                             {"loops", shape_loops},
                                             {"joins", join},
                                             {"ends", end_loops},
                                             {"edges", split},
                                             {"alignment", check}});

void print(const IrFunction& function, std::string_view name, const PassContext& context) {
  if (context.options.print_after != name && context.options.print_after != "all") return;
  context.printed += "after " + std::string(name) + ": " + print_ir(function) + "\n";
}

}  // namespace

void run_passes(IrFunction& function, const PassContext& context) {
  verify_ir(function, "translate");
  print(function, "translate", context);
  for (const Pass& pass : passes) {
    pass.run(function, context);
    verify_ir(function, pass.name);
    print(function, pass.name, context);
  }
}

std::vector<std::string_view> names_of_passes() {
  std::vector<std::string_view> names{"translate"};
  for (const Pass& pass : passes) names.push_back(pass.name);
  return names;
}

}  // namespace teslasim::compiler
