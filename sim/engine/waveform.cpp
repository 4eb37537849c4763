// SPDX-License-Identifier: Apache-2.0
#include "sim/engine/waveform.h"

#include <sysc/tracing/sc_tracing_ids.h>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"

namespace teslasim {
namespace {

constexpr std::string_view ending = ".vcd";
constexpr unsigned edges_between_measurements = 8;

/// SystemC ends the program when it cannot open the file, so that is tried before.
void make_file(const std::string& path) {
  OutputFile(path, OutputMode::grow).finish();
}

/// SystemC does not check whether its writes succeed. A whole file ends at or after the time of the last
/// change.
bool reaches(const std::string& path, std::uint64_t last_change) {
  constexpr std::streamoff tail_bytes = 1 << 16;
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - tail_bytes));
  const std::string tail{std::istreambuf_iterator<char>(in), {}};
  if (tail.empty() || tail.back() != '\n') return false;
  const std::size_t stamp = tail.rfind("\n#");
  if (stamp == std::string::npos) return last_change == 0;
  return std::stoull(tail.substr(stamp + 2)) >= last_change;
}

}  // namespace

Waveform::Waveform(const std::string& path, std::uint64_t most_bytes, const std::string& comment)
    : path_(path), most_bytes_(most_bytes) {
  SIM_CHECK(path.ends_with(ending), "SystemC gives a trace file the ending .vcd");
  make_file(path);
  // A run that ends before its first edge leaves nothing to show: no reason to complain.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_TRACING_CLOSE_EMPTY_FILE_, sc_core::SC_DO_NOTHING);
  file_ = sc_core::sc_create_vcd_trace_file(path.substr(0, path.size() - ending.size()).c_str());
  file_->set_time_unit(1, sc_core::SC_FS);
  file_->write_comment(comment);
}

Waveform::~Waveform() {
  close();
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

void Waveform::close() {
  if (file_ == nullptr) return;
  for (const auto& group : groups_) group->clock->at_each_edge({});
  sc_core::sc_close_vcd_trace_file(std::exchange(file_, nullptr));
  if (reaches(path_, last_change_)) return;
  problem_ = "the waveform was cut off: no space left";
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

Waveform::Group& Waveform::group_of(ClockDomain& clock) {
  for (const auto& group : groups_) {
    if (group->clock == &clock) return *group;
  }
  groups_.push_back(std::make_unique<Group>());
  Group& group = *groups_.back();
  group.clock = &clock;
  clock.at_each_edge([this, &group](Femtoseconds now) { edge(group, now); });
  return group;
}

void Waveform::add(ClockDomain& clock, sc_core::sc_object& root) {
  add_tree(group_of(clock), root);
}

void Waveform::add_tree(Group& group, sc_core::sc_object& object) {
  if (auto* module = dynamic_cast<TracedModule*>(&object)) {
    group.modules.push_back(module);
    module->trace(file_);
  }
  for (sc_core::sc_object* child : object.get_child_objects()) {
    if (dynamic_cast<const Clocked*>(child) == nullptr) add_tree(group, *child);
  }
}

bool Waveform::has_room() {
  if (!full_ && edges_++ % edges_between_measurements == 0) {
    std::error_code problem;
    full_ = std::filesystem::file_size(path_, problem) >= most_bytes_;
  }
  return !full_;
}

void Waveform::edge(Group& group, Femtoseconds now) {
  const bool wanted = window_(now);
  const bool shown = wanted && has_room();
  if (wanted && !shown) ++dropped_;
  if (!shown && !group.shown) return;
  const std::uint64_t before = changes_;
  for (TracedModule* module : group.modules)
    changes_ += shown ? module->sample(now / group.clock->period()) : module->hide();
  group.shown = shown;
  if (changes_ != before) last_change_ = sc_core::sc_time_stamp().value();
}

}  // namespace teslasim
