// SPDX-License-Identifier: Apache-2.0
#include "sim/serve/live_session.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <utility>

#include "sim/base/output_file.h"
#include "sim/live/live_json.h"
#include "sim/run/console.h"
#include "sim/run/resident_memory.h"
#include "sim/run/result_parts.h"
#include "sim/run/signals.h"

namespace teslasim {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::milliseconds posting_period{200};

std::string no_snapshots_of(const PreparedRun& prepared, const TimelineRequest& own) {
  // A copy would write into the same file.
  if (own.vcd) return "a run that writes a waveform has no snapshots (leave out --vcd)";
  const bool several = prepared.settings.mode == Mode::functional && prepared.settings.threads > 1;
  return several ? "a functional run on several threads has no snapshots (leave out --threads)" : "";
}

/// The first line of an error, for the page.
std::string words_of(const std::exception& failure) {
  const auto* error = dynamic_cast<const InputError*>(&failure);
  return error != nullptr ? error->diagnostics().front().message : failure.what();
}

}  // namespace

LiveSession::LiveSession(std::optional<unsigned> port, const PreparedRun& prepared, const TimelineRequest& own)
    : prepared_(prepared), most_events_(own.recording.most_events), most_bytes_(own.most_bytes) {
  if (port) server_ = std::make_unique<LiveServer>(board_, *port);
  catch_wishes();
  view_.name = prepared.workload.name;
  view_.machine = prepared.machine.spec.name;
  view_.sms = prepared.machine.spec.sms();
  view_.no_snapshots = no_snapshots_of(prepared, own);
  if (own.any()) view_.no_timelines = "the run records a timeline of its own";
  if (prepared.settings.mode == Mode::functional) view_.no_timelines = "a functional run has no time to record";
}

void LiveSession::begin(LaunchModel& model, const RunDirectory* directory) {
  model_ = &model;
  if (directory != nullptr) {
    view_.directory = directory->path();
    folder_ = directory->file("live");
  } else if (server_) {
    temporary_ = std::make_unique<TemporaryFolder>("live");
    folder_ = temporary_->path();
  }
  post();
  if (server_) print_notice("live view: " + server_->address() + "\n");
}

LiveProgress LiveSession::progress_of(const Moment& moment) const {
  LiveProgress progress;
  progress.launch = moment.launch;
  progress.launches = moment.launches;
  progress.kernel = moment.kernel;
  progress.ctas_done = moment.progress.ctas_done;
  progress.ctas_total = moment.progress.ctas_total;
  progress.cycle = moment.progress.shader_cycles.count();
  progress.warp_instructions = moment.progress.warp_instructions;
  progress.seconds = moment.seconds;
  progress.warp_instr_per_s = moment.warp_instr_per_s;
  progress.eta_seconds = moment.eta_seconds;
  progress.rss_mb = resident_mb();
  return progress;
}

std::optional<LiveCounters> LiveSession::counters() const {
  if (prepared_.settings.mode == Mode::functional) return std::nullopt;
  LaunchLook look = ended_;
  if (const std::optional<LaunchLook> now = model_->look()) look += *now;
  LiveCounters counters;
  counters.slots = look.slots;
  counters.read_bytes = look.read_bytes;
  counters.write_bytes = look.write_bytes;
  counters.transactions = look.transactions;
  counters.seconds = look.seconds;
  const auto add = [&counters](const char* name, const CacheStatistics& cache) {
    if (cache.accesses != 0) counters.caches.push_back({name, cache.hits, cache.misses});
  };
  add("instructions, first level", look.instructions);
  add("constants, first level", look.constants);
  add("textures, first level", look.textures);
  add("textures, second level", look.texture_l2);
  return counters;
}

void LiveSession::post() {
  view_.counters = counters();
  view_.recording.reset();
  if (recording_) view_.recording = recording_->facts;
  board_.post(view_);
}

ProcessSide LiveSession::see(const Moment& moment) {
  if (in_copy()) return ProcessSide::copy;
  if (grant_signals(moment) == ProcessSide::copy) return ProcessSide::copy;
  const Clock::time_point now = Clock::now();
  if (!board_.has_wishes() && (!server_ || now - posted_ < posting_period)) return ProcessSide::original;
  posted_ = now;
  view_.progress = progress_of(moment);
  settle(copies_.collect());
  for (const LiveWish& wish : board_.take_wishes()) {
    if (grant(wish) == ProcessSide::copy) return ProcessSide::copy;
  }
  post();
  return ProcessSide::original;
}

ProcessSide LiveSession::grant_signals(const Moment& moment) {
  if (take_wish(SIGUSR1)) describe(moment);
  if (!take_wish(SIGUSR2)) return ProcessSide::original;
  std::string refusal = view_.no_timelines;
  if (folder_.empty()) refusal = "the run writes no directory";
  if (!refusal.empty()) {
    print_notice("note: no timeline on SIGUSR2: " + refusal + "\n");
    return ProcessSide::original;
  }
  view_.progress = progress_of(moment);
  settle(copies_.collect());
  if (recording_) return save_recording();
  begin_recording(0);
  return ProcessSide::original;
}

/// What cannot be written is said, and no reason to end a run of hours.
void LiveSession::describe(const Moment& moment) {
  std::string text = fmt::format("== snapshot {}: {}\n", ++described_, progress_line(moment));
  text += fmt::format("launch {}, cycle {}\n{}\n", moment.launch, moment.progress.shader_cycles.count(),
                      model_->snapshot());
  if (view_.directory.empty()) return print_notice(text);
  try {
    if (!texts_) texts_ = std::make_unique<OutputFile>(view_.directory + "/snapshots.txt", OutputMode::grow);
    texts_->write(text);
  } catch (const InputError& error) {
    print_notice("note: no snapshot on SIGUSR1: " + words_of(error) + "\n");
  }
}

ProcessSide LiveSession::grant(const LiveWish& wish) {
  switch (wish.action) {
    case LiveAction::stop:
      view_.phase = "stopping";
      std::raise(SIGINT);
      break;
    case LiveAction::snapshot:
      return take_snapshot();
    case LiveAction::begin_timeline:
      begin_recording(wish.sm);
      break;
    case LiveAction::end_timeline:
      return save_recording();
  }
  return ProcessSide::original;
}

LiveProduct& LiveSession::add_product(LiveProduct::Kind kind, std::uint64_t launch, std::uint64_t cycle) {
  LiveProduct product;
  product.kind = kind;
  product.launch = launch;
  product.cycle = cycle;
  for (const LiveProduct& other : view_.products) product.number += other.kind == kind ? 1U : 0U;
  product.path = folder_ + "/" + product_name(product);
  if (kind == LiveProduct::Kind::timeline) product.path += ".pftrace.gz";
  view_.products.push_back(std::move(product));
  return view_.products.back();
}

/// In the copy the run ends here, as by Ctrl-C.
ProcessSide LiveSession::make_copy(LiveProduct& product) {
  try {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) write_error(folder_, error.message());
    in_work_ = static_cast<std::size_t>(&product - view_.products.data());
    if (copies_.make(in_work_) == ProcessSide::original) return ProcessSide::original;
    std::raise(SIGINT);
    return ProcessSide::copy;
  } catch (const InputError& error) {
    product.state = LiveProduct::State::failed;
    product.problem = words_of(error);
    return ProcessSide::original;
  }
}

ProcessSide LiveSession::take_snapshot() {
  return make_copy(add_product(LiveProduct::Kind::snapshot, view_.progress.launch, view_.progress.cycle));
}

void LiveSession::begin_recording(unsigned sm) {
  RecordingOptions options;
  options.sms = {sm};
  options.most_events = most_events_;
  auto recorder = std::make_unique<PipelineRecorder>(options);
  // Between two launches there is nothing to record: the wish waits for the next moment.
  if (!model_->begin_recording(*recorder)) return static_cast<void>(board_.wish({LiveAction::begin_timeline, sm}));
  recording_ = Recording{{sm, view_.progress.launch, view_.progress.cycle}, std::move(recorder)};
}

/// The copy goes on to the end of its launch, which comes at once, and writes there.
ProcessSide LiveSession::save_recording() {
  if (!recording_) return ProcessSide::original;
  const ProcessSide side =
      make_copy(add_product(LiveProduct::Kind::timeline, recording_->facts.launch, recording_->facts.since));
  // When no copy could be made, the recording goes on: nothing is lost, and one may try again.
  if (side == ProcessSide::copy || view_.products.back().state == LiveProduct::State::failed) return side;
  model_->drop_recording();
  recording_.reset();
  return side;
}

void LiveSession::launch_ended(std::uint64_t launch, const LaunchStatistics& statistics) {
  const bool for_timeline = in_copy() && view_.products[in_work_].kind == LiveProduct::Kind::timeline;
  if (for_timeline) write_timeline(statistics);
  if (in_copy()) return;
  ended_ += look_back(statistics);
  if (!recording_) return;
  // The recording ended with the launch; the next one need not wait for the file.
  LiveProduct& product = add_product(LiveProduct::Kind::timeline, launch, recording_->facts.since);
  if (make_copy(product) == ProcessSide::copy) write_timeline(statistics);
  recording_.reset();
}

void LiveSession::write_timeline(const LaunchStatistics& statistics) {
  try {
    const LiveProduct& product = view_.products[in_work_];
    LaunchResult launch;
    launch.statistics = statistics;
    launch.listing = listing_of(prepared_.workload.launches[product.launch].kernel_code());
    const TimelineNote note =
        write_launch_timeline(*recording_->recorder, launch, prepared_.machine.spec, most_bytes_, product.path);
    copies_.end(true, fmt::format("{} {} {}", note.bytes, note.events, note.dropped));
  } catch (const std::exception& failure) {
    end_copy(failure);
  }
}

void LiveSession::end_copy(const std::function<std::string(const std::string& folder)>& write) {
  try {
    const std::string problem = write(view_.products[in_work_].path);
    copies_.end(problem.empty(), problem);
  } catch (const std::exception& failure) {
    end_copy(failure);
  }
}

void LiveSession::end_copy(const std::exception& failure) {
  copies_.end(false, words_of(failure));
}

void LiveSession::settle(const std::vector<EndedCopy>& ended) {
  for (const EndedCopy& copy : ended) {
    LiveProduct& product = view_.products[copy.task];
    product.state = copy.done ? LiveProduct::State::written : LiveProduct::State::failed;
    if (!copy.done) product.problem = copy.words;
    if (!copy.done || product.kind == LiveProduct::Kind::snapshot) continue;
    TimelineNote note;
    note.file = "live/" + fs::path(product.path).filename().string();
    std::istringstream(copy.words) >> note.bytes >> note.events >> note.dropped;
    timelines_.push_back(std::move(note));
  }
}

void LiveSession::show_phase(std::string phase) {
  view_.phase = std::move(phase);
  board_.post(view_);
}

std::vector<TimelineNote> LiveSession::finish(std::string status) {
  settle(copies_.await());
  show_phase(std::move(status));
  for (const LiveProduct& product : view_.products) {
    if (product.state == LiveProduct::State::failed) {
      print_notice(
          fmt::format("note: {} of the live view was not written: {}\n", product_name(product), product.problem));
    } else if (temporary_ == nullptr) {
      print_remark(fmt::format("wrote {}\n", product.path));
    }
  }
  return temporary_ == nullptr ? timelines_ : std::vector<TimelineNote>{};
}

}  // namespace teslasim
