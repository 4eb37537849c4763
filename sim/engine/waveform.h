// SPDX-License-Identifier: Apache-2.0
// A waveform of modules, written by SystemC's own tracer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "sim/base/types.h"
#include "sim/engine/clock_domain.h"
#include "sim/engine/traced_module.h"

namespace teslasim {

/// A value change dump of `sc_trace`, one time unit a femtosecond. The modules that were added are read at each edge of
/// their clock, behind the units that work there; SystemC's tracer writes what has changed when time goes on. Right
/// only in exact mode with sleeping off: every edge happens, at its own time. Launches follow each other. The tracer
/// cannot be stopped: outside the window, and when the file is full, the values are unknown and nothing is written.
class Waveform {
 public:
  using Window = std::function<bool(Femtoseconds now)>;

  /// Makes the file `path`, which ends in ".vcd", or throws InputError (FILE-WRITE). The head of the file begins with
  /// `comment`.
  Waveform(const std::string& path, std::uint64_t most_bytes, const std::string& comment);
  /// Closes and removes the file; copy it before if it is wanted.
  ~Waveform();
  Waveform(const Waveform&) = delete;
  Waveform& operator=(const Waveform&) = delete;

  /// Before the first edge after the construction: `root`, and what is inside it and has no clock of its own.
  void add(ClockDomain& clock, sc_core::sc_object& root);
  /// Local times at which values are shown.
  void show_in(Window window) { window_ = std::move(window); }
  /// Nothing is read any more; the file is complete. An incomplete one (disk full) is removed.
  void close();
  /// Why the file is not there after `close`; empty: it is.
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] const std::string& path() const { return path_; }
  /// Values that changed.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }
  /// Clock edges in the window that are not in the file because it was full.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  /// The modules that are read at the edges of one clock.
  struct Group {
    ClockDomain* clock = nullptr;
    std::vector<TracedModule*> modules;
    bool shown = false;
  };
  Group& group_of(ClockDomain& clock);
  void add_tree(Group& group, sc_core::sc_object& object);
  void edge(Group& group, Femtoseconds now);
  [[nodiscard]] bool has_room();

  std::string path_;
  std::uint64_t most_bytes_;
  Window window_;
  std::vector<std::unique_ptr<Group>> groups_;
  sc_core::sc_trace_file* file_ = nullptr;
  std::uint64_t changes_ = 0, dropped_ = 0;
  unsigned edges_ = 0;  ///< since the file was measured
  bool full_ = false;
  std::uint64_t last_change_ = 0;  ///< SystemC time
  std::string problem_;
};

}  // namespace teslasim
