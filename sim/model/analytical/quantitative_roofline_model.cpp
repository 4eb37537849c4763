// SPDX-License-Identifier: Apache-2.0
// Konstantinidis' quantitative roofline: a roofline whose compute roof is lowered by what the instructions of the
// kernel cost on this machine, measured with micro-benchmarks.
#include <algorithm>
#include <string>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

constexpr double giga = 1e9;
constexpr double bytes_per_transaction = 32.0;
constexpr double warp_lanes = 32.0;

enum class Kind : std::uint8_t { fp32, fp64, integer };

/// Eq. 4.1-4.8: what the kernel is, whatever the machine.
struct KernelParameters {
  Kind kind = Kind::fp32;
  double work = 0.0, traffic = 0.0, mix = 0.0;
  double operations = 0.0, ldst = 0.0, other = 0.0;  ///< densities
};

struct Weights {
  double operation = 1.0, ldst = 1.0, other = 1.0;
};

Kind kind_of(Evaluation& e) {
  if (e.has("kernel_type")) {
    const std::string word = e.word("kernel_type");
    return word == "fp64" ? Kind::fp64 : word == "int" ? Kind::integer : Kind::fp32;
  }
  e.require({"fp32_instructions", "fp64_instructions", "int_instructions"});
  if (e.need("fp64_instructions") > 0.0) return Kind::fp64;
  return e.need("fp32_instructions") > 0.0 ? Kind::fp32 : Kind::integer;
}

void count_parameters(Evaluation& e, KernelParameters& kernel) {
  e.require({"warp_instructions", "ldst_instructions", "dram_transactions"});
  double instructions = 0.0, multiply_adds = 0.0;
  if (kernel.kind == Kind::integer) {
    instructions = e.need("int_instructions");
  } else {
    const bool single = kernel.kind == Kind::fp32;
    instructions = e.need(single ? "fp32_instructions" : "fp64_instructions");
    multiply_adds = e.need(single ? "fma32_instructions" : "fma64_instructions");
  }
  if (instructions <= 0.0) e.refuse("the launch has no instruction that counts as work");
  const double iterations = e.has("iterations") ? e.need("iterations") : 1.0;
  const double total = warp_lanes * e.need("warp_instructions");
  if (total <= 0.0) e.refuse("the launch has no instructions");
  kernel.work = iterations * (instructions + multiply_adds);
  kernel.traffic = iterations * bytes_per_transaction * e.need("dram_transactions");
  kernel.mix = (instructions + multiply_adds) / (2.0 * instructions);
  kernel.operations = instructions / total;
  kernel.ldst = e.need("ldst_instructions") / total;
}

KernelParameters kernel_parameters(Evaluation& e) {
  KernelParameters kernel;
  if (e.has_all({"work_operations", "work_bytes"}) && !e.has("mix_efficiency")) {
    kernel.work = e.need("work_operations");
    kernel.traffic = e.need("work_bytes");
  } else {
    kernel.kind = kind_of(e);
    if (e.has("mix_efficiency")) {
      e.require({"work_operations", "work_bytes", "density_operations", "density_ldst"});
      kernel = {kernel.kind,
                e.need("work_operations"),
                e.need("work_bytes"),
                e.need("mix_efficiency"),
                e.need("density_operations"),
                e.need("density_ldst"),
                0.0};
    } else {
      count_parameters(e, kernel);
    }
    kernel.other = 1.0 - kernel.operations - kernel.ldst;
    e.term("mix_efficiency_pct", 100.0 * kernel.mix, "%", "E_mix: operations per instruction, of two (eq. 4.3)");
    e.term("density_operations_pct", 100.0 * kernel.operations, "%", "D_ops (eq. 4.6)");
    e.term("density_ldst_pct", 100.0 * kernel.ldst, "%", "D_ldst (eq. 4.7)");
    e.term("density_other_pct", 100.0 * kernel.other, "%", "D_other (eq. 4.8)");
  }
  e.term("work", kernel.work, "operations", "W_comp (eq. 4.1)");
  e.term("traffic", kernel.traffic, "bytes", "W_traf (eq. 4.2)");
  if (e.has("measured_ms"))
    e.term("measured_gops", kernel.work / e.need("measured_ms") / 1e6, "Gop/s", "work over the measured time");
  if (kernel.traffic > 0.0) e.term("kernel_intensity", kernel.work / kernel.traffic, "op/B", "O_krn");
  return kernel;
}

/// Eq. 4.10-4.12: cost of an instruction relative to a single-precision multiply-add.
Weights weights(Evaluation& e, Kind kind) {
  e.require({"t_sp", "t_int", "t_add", "t_ldst"});
  const double single = e.need("t_sp");
  const double integer_weight = single / e.need("t_int");
  double double_weight = 0.0;
  if (e.has("t_dp") && e.need("t_dp") > 0.0) {
    double_weight = single / e.need("t_dp");
    e.term("weight_fp64", double_weight, "", "W_op of double precision (eq. 4.10)");
  }
  Weights weight;
  weight.ldst = single / 2.0 / e.need("t_ldst");
  weight.other = single / 2.0 / e.need("t_add");
  e.term("weight_int", integer_weight, "", "W_op of integers (eq. 4.10)");
  e.term("weight_ldst", weight.ldst, "", "W_ldst (eq. 4.11)");
  e.term("weight_other", weight.other, "", "W_other (eq. 4.12)");
  if (kind == Kind::integer) weight.operation = integer_weight;
  if (kind == Kind::fp64) weight.operation = double_weight;
  return weight;
}

double peak_of(Evaluation& e, Kind kind) {
  if (kind == Kind::integer) return e.need("t_int");
  return e.need(kind == Kind::fp64 ? "t_dp" : "t_sp");
}

}  // namespace

void evaluate_quantitative_roofline(Evaluation& e) {
  refuse_one_block(e);
  const bool machine_only = !e.has("warp_instructions") && !e.has("work_operations");
  if (machine_only) (void)weights(e, Kind::fp32);
  const KernelParameters kernel = kernel_parameters(e);
  const Weights weight = weights(e, kernel.kind);
  const double peak = peak_of(e, kernel.kind);
  if (peak <= 0.0) e.refuse("the machine has no unit for the operations of this launch");
  if (kernel.operations <= 0.0) e.refuse("it needs the densities of the instruction classes");
  const double operation = kernel.operations * weight.operation;
  const double ldst = kernel.ldst * weight.ldst;
  const double other = kernel.other * weight.other;
  e.term("cost_operations", operation, "", "C_op (eq. 4.13)");
  e.term("cost_ldst", ldst, "", "C_ldst (eq. 4.14)");
  e.term("cost_other", other, "", "C_other (eq. 4.15)");
  const double efficiency = operation / (operation + ldst + other);
  e.term("instruction_efficiency_pct", 100.0 * efficiency, "%", "E_instr (eq. 4.16)");
  const double roof = kernel.mix * efficiency * peak;
  const double bandwidth = e.need("b_mem");
  e.term("effective_peak_gops", roof, "Gop/s", "T'_op: the lowered compute roof (eq. 4.17)");
  e.term("device_intensity", roof / bandwidth, "op/B", "O_dev with that roof");
  const bool memory = kernel.work * bandwidth <= roof * kernel.traffic;
  const double predicted = memory ? kernel.work / kernel.traffic * bandwidth : roof;
  e.term("predicted_gops", predicted, "Gop/s", "T_pred (eq. 4.18)");
  e.bound(memory ? "memory" : "compute");
  e.seconds(kernel.work / (predicted * giga));
}

}  // namespace teslasim
