// SPDX-License-Identifier: Apache-2.0
// Experiments that tell apart how mechanisms meet (decisions 0072 to 0077). Nothing was published for most of them: the
// plots say what the machines do, and what to measure on a board.
#include "sim/validation/sweeps.h"

namespace teslasim {
namespace {

std::vector<Sweep> instruction_mixtures() {
  const std::vector<double> others{1, 2, 3, 4, 6, 8, 12};
  const auto group = "SP cycles / group";
  return {
      {"e31-multiplications",
       "E31",
       "One multiply-add and multiplications",
       "multiplications in a group",
       group,
       false,
       {0, 1, 2, 3, 4, 6, 8},
       {{"8800 GTX", "8800gtx", "throughput step=mad_among_muls COUNT=8 OTHERS={x}"},
        {"9800 GX2", "9800gx2", "throughput step=mad_among_muls COUNT=8 OTHERS={x}"},
        {"GTX 280", "gtx280", "throughput step=mad_among_muls COUNT=8 OTHERS={x}"}},
       {}},
      {"e31-branches",
       "E31",
       "One branch and multiply-adds",
       "multiply-adds in a group",
       group,
       false,
       others,
       {{"8800 GTX", "8800gtx", "throughput step=branch_among_mads COUNT=8 OTHERS={x}"},
        {"GTX 280", "gtx280", "throughput step=branch_among_mads COUNT=8 OTHERS={x}"}},
       {}},
      {"e31-barriers",
       "E31",
       "One barrier and multiply-adds",
       "multiply-adds in a group",
       group,
       false,
       others,
       {{"8800 GTX", "8800gtx", "throughput step=barrier_among_mads COUNT=8 OTHERS={x}"},
        {"GTX 280", "gtx280", "throughput step=barrier_among_mads COUNT=8 OTHERS={x}"}},
       {}},
      {"e31-dropped",
       "E31",
       "One dropped multiply-add and others that execute",
       "others in a group",
       group,
       false,
       others,
       {{"8800 GTX", "8800gtx", "throughput step=dropped_among_mads COUNT=8 OTHERS={x}"},
        {"GTX 280", "gtx280", "throughput step=dropped_among_mads COUNT=8 OTHERS={x}"}},
       {}},
      {"e31-shared",
       "E31",
       "One addition with an operand in shared memory and additions of registers",
       "additions of registers in a group",
       group,
       false,
       {0, 1, 2, 3, 4, 6, 8},
       {{"8800 GTX", "8800gtx", "throughput file=shared step=shared_among_adds COUNT=8 OTHERS={x}"},
        {"GTX 280", "gtx280", "throughput file=shared step=shared_among_adds COUNT=8 OTHERS={x}"}},
       {}},
  };
}

std::vector<Sweep> traffic_mixtures() {
  return {
      {"e31-writes",
       "E31",
       "Reads and writes: four reads in a round, and writes",
       "writes in a round",
       "GB/s",
       false,
       {0, 1, 2, 3, 4, 6, 8},
       {{"C1060", "c1060", "traffic_bandwidth stores={x}"},
        {"GTX 280", "gtx280", "traffic_bandwidth stores={x}"},
        {"8800 GTX", "8800gtx", "traffic_bandwidth stores={x}"}},
       {}},
      {"e31-write-only",
       "E31",
       "Writes alone",
       "writes of a thread in a round",
       "GB/s",
       false,
       {1, 2, 4, 8},
       {{"C1060", "c1060", "traffic_bandwidth loads=0 stores={x}"},
        {"GTX 280", "gtx280", "traffic_bandwidth loads=0 stores={x}"},
        {"8800 GTX", "8800gtx", "traffic_bandwidth loads=0 stores={x}"}},
       {{"SHOC-WRITE", 4}}},
      {"e31-strides",
       "E31",
       "Writes of single words: at 11 and more all threads of a half-warp write to one partition",
       "log2 of the bytes between neighbouring threads",
       "GB/s used",
       false,
       {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12},
       {{"GTX 280", "gtx280", "traffic_bandwidth loads=0 stores=1 log_spread={x}"}},
       {}},
  };
}

}  // namespace

std::vector<Sweep> mixture_sweeps() {
  std::vector<Sweep> list = instruction_mixtures();
  for (const Sweep& sweep : traffic_mixtures()) list.push_back(sweep);
  return list;
}

}  // namespace teslasim
