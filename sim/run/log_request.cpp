// SPDX-License-Identifier: Apache-2.0
#include "sim/run/log_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/base/diagnostic.h"
#include "sim/base/option_mistake.h"
#include "sim/base/output_file.h"
#include "sim/run/gzip.h"
#include "sim/run/sm_choice.h"
#include "sim/run/timelines.h"
#include "sim/run/usage_error.h"
#include "sim/run/zstd_stream.h"

namespace teslasim {
namespace {

struct LogCategory {
  std::string_view name;
  bool LogCategories::*flag;
};
constexpr std::array<LogCategory, 5> log_categories{{{"isa", &LogCategories::isa},
                                                     {"issue", &LogCategories::issue},
                                                     {"mem", &LogCategories::mem},
                                                     {"sched", &LogCategories::sched},
                                                     {"barrier", &LogCategories::barrier}}};

[[noreturn]] void refuse_category(const std::string& text, std::size_t begin, const std::string& word) {
  std::vector<std::string> names;
  std::string all;
  for (const LogCategory& category : log_categories) {
    names.emplace_back(category.name);
    all += (all.empty() ? "" : ", ") + names.back();
  }
  const std::string near = nearest_word(word, names);
  refuse_option("CLI-VALUE", {"--log", text, begin, word.size()},
                word.empty() ? "--log: a category is missing" : "--log: unknown category '" + word + "'",
                near.empty() ? "some of " + all + ", parted by commas" : "did you mean '" + near + "'?");
}

LogCategories parse_categories(const std::string& text) {
  LogCategories categories;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    const auto found = std::find_if(log_categories.begin(), log_categories.end(),
                                    [&word](const LogCategory& category) { return category.name == word; });
    if (found == log_categories.end()) refuse_category(text, begin, word);
    categories.*(found->flag) = true;
    begin = end + 1;
  }
  return categories;
}

SpCycle parse_cycle(const char* option, const std::string& text) {
  const std::optional<std::uint64_t> cycle = whole_number(text);
  if (!cycle)
    usage_error("CLI-VALUE", fmt::format("{} takes a cycle, got '{}'", option, text),
                "SP cycles of a launch, for example --log-from 18204 --log-to 21204");
  return *cycle;
}

RecordingWindow log_window(const LogWords& words) {
  RecordingWindow window;
  window.kind = RecordingWindow::Kind::cycles;
  const SpCycle from = words.from.empty() ? SpCycle{0} : parse_cycle("--log-from", words.from.front());
  window.begin = whole_sm_cycles(from);
  window.length = never - window.begin;
  if (words.to.empty()) return window;
  const SpCycle to = parse_cycle("--log-to", words.to.front());
  if (to <= from)
    usage_error("CLI-VALUE", fmt::format("--log-to {} is not behind --log-from {}", to.count(), from.count()),
                "the log ends before the cycle of --log-to");
  window.length = whole_sm_cycles(to + 1) - window.begin;
  return window;
}

void refuse_without_log(const LogWords& words) {
  const std::array<std::pair<const char*, bool>, 4> others{{{"--log-sms", !words.sms.empty()},
                                                            {"--log-from", !words.from.empty()},
                                                            {"--log-to", !words.to.empty()},
                                                            {"--log-file", !words.file.empty()}}};
  for (const auto& [option, given] : others) {
    if (given)
      usage_error("CLI-VALUE", fmt::format("{} is about a log, and none is written", option),
                  "add for example --log isa,mem");
  }
}

template <typename Stream>
PackedLog streamed_log(const Timeline& timeline, const LogRequest& request) {
  Stream stream;
  const TimelineFile content =
      instruction_log(timeline, request.categories, [&stream](std::string_view piece) { stream.add(piece); });
  return {stream.finish(), content};
}

/// Not compressed.
class PlainStream {
 public:
  void add(std::string_view piece) { text_ += piece; }
  [[nodiscard]] std::string finish() { return std::move(text_); }

 private:
  std::string text_;
};

}  // namespace

LogRequest log_request(const LogWords& words, std::uint64_t most_events) {
  LogRequest request;
  if (words.categories.empty()) {
    refuse_without_log(words);
    return request;
  }
  request.wanted = true;
  request.categories = parse_categories(words.categories.front());
  if (!words.file.empty()) request.file = words.file.front();
  RecordingOptions& recording = request.recording;
  if (!words.sms.empty()) recording.sms = sm_list("log-sms", words.sms.front());
  recording.window = log_window(words);
  recording.every_launch = true;
  recording.most_events = most_events;
  const LogCategories& wanted = request.categories;
  recording.events = {wanted.isa || wanted.issue || wanted.mem || wanted.barrier, false, wanted.sched, false,
                      wanted.isa || wanted.mem};
  return request;
}

void refuse_existing_log(const LogRequest& request) {
  if (!request.file.empty() && request.file != "-") refuse_existing_file(request.file);
}

PackedLog packed_log(const Timeline& timeline, const LogRequest& request) {
  const std::string name = request.file.empty() ? LogRequest::usual_file : request.file;
  if (name.ends_with(".zst")) return streamed_log<ZstdStream>(timeline, request);
  if (name.ends_with(".gz")) return streamed_log<GzipStream>(timeline, request);
  return streamed_log<PlainStream>(timeline, request);
}

}  // namespace teslasim
