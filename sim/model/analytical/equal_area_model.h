// SPDX-License-Identifier: Apache-2.0
// Ye 2009, section 5.2: the performance of a fixed area divided between processing elements, scratchpad and registers.
// Used by the model `equal-area` and by `teslasim dse`.
#pragma once

namespace teslasim {

/// Areas in mm2 of one SM of the reference design.
struct AreaTable {
  double total = 118.88;         ///< for all SMs
  double fixed_per_sm = 3.99;    ///< what every SM has whatever the design
  double scratchpad_word = 0.0;  ///< one 32-bit word
  double register_word = 0.0;    ///< one 32-bit register
};

struct AreaWorkload {
  double registers_per_thread = 10.0;
  double working_set_words = 3.0;
  double bytes_per_thread = 4.0;
  double memory_cycles = 400.0;
  double cpi = 1.0;
  double clock_ghz = 1.5;
  double bandwidth_gbs = 104.0;
};

struct AreaPoint {
  bool feasible = false;
  double sms = 0.0;
  double scratchpad_words_per_sm = 0.0;  ///< what is left of the area (eq. 39 with the fixed area subtracted)
  double threads_by_scratchpad = 0.0;    ///< eq. 37
  double threads_by_bandwidth = 0.0;     ///< eq. 38, 40
  double utilisation = 0.0;              ///< eq. 35
  double gops = 0.0;                     ///< eq. 34
};

/// Eq. 34-41 for a design of `pes` processing elements, eight per SM, and `threads` threads. Infeasible when SMs and
/// registers leave no area for a scratchpad.
[[nodiscard]] AreaPoint equal_area_point(const AreaTable& area, const AreaWorkload& work, double pes, double threads);

}  // namespace teslasim
