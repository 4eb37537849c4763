// SPDX-License-Identifier: Apache-2.0
// What the user asks of a CUDA program's run, outside the program: environment variables, which `teslasim cuda` sets.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/base/types.h"
#include "sim/cudart/sample_request.h"
#include "sim/run/run_settings.h"
#include "sim/trace/trace_selection.h"

namespace teslasim::cudart {

/// Which launches run in time; the others run by function alone.
struct ModeChoice {
  enum class Kind : std::uint8_t { functional, timing, every, launches, kernels };
  Kind kind = Kind::timing;
  std::uint64_t every = 1;           ///< every: launches 0, N, 2N...
  NumberRanges launches{};           ///< launches: numbers, counted from 0
  std::vector<std::string> kernels;  ///< kernels: names as the source has them, of templates too

  [[nodiscard]] Mode mode_of(std::uint64_t launch, const std::string& kernel) const;
  /// "functional", "timing", "timing:every=10", "timing:launches=0-3,7", "timing:kernels=scan,add"; throws InputError
  /// (usage, CLI-VALUE).
  static ModeChoice parse(const std::string& text);
};

struct Control {
  std::vector<std::string> machines;       ///< TESLASIM_MACHINE: presets or files, separated by blanks
  std::vector<std::string> sets;           ///< TESLASIM_SET: KEY=VALUE, separated by blanks
  ModeChoice mode;                         ///< TESLASIM_MODE
  std::string out;                         ///< TESLASIM_OUT: folder, "none", or empty for runs/NNN-program-machine
  std::string runs = "runs";               ///< TESLASIM_RUNS: where numbered folders are made
  std::string record;                      ///< TESLASIM_RECORD: folder for traces, empty for none
  std::uint64_t max_instructions = never;  ///< TESLASIM_MAX_INSTRUCTIONS: warp instructions of one launch
  SpCycle max_cycles = never;              ///< TESLASIM_MAX_CYCLES: SP cycles of one launch in timing mode
  double max_seconds = 0.0;                ///< TESLASIM_MAX_SECONDS: of the host, for one launch; 0: none
  unsigned threads = 1;                    ///< TESLASIM_THREADS: of the host, that simulate
  SampleRequest sample{};                  ///< TESLASIM_SAMPLE: "3,20", "blocks=8": what runs in time
  bool quiet = false;                      ///< TESLASIM_QUIET: only errors on stderr
  bool only_buffers = true;                ///< TESLASIM_BOUNDS: "buffers" or "board": what kernels reach
  bool copies_take_time = true;            ///< TESLASIM_COPIES: "timed" or "free"
};

/// `variable`: the value of an environment variable, null when it is not set. Throws InputError (usage, CLI-VALUE) with
/// all values that cannot be.
[[nodiscard]] Control read_control(const std::function<const char*(const char*)>& variable);

}  // namespace teslasim::cudart
