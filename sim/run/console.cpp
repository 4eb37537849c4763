// SPDX-License-Identifier: Apache-2.0
#include "sim/run/console.h"

#include <fcntl.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "sim/base/output_file.h"

namespace teslasim {
void keep_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest number that is free is the one that was found closed. Read only: what is printed there is lost, and
    // said.
    if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDONLY) != descriptor) return;
  }
}

void print_result(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !written) write_error("standard output", std::strerror(errno));
}

void print_notice(std::string_view text) {
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

namespace {
bool remarks_dropped = false;
}

void drop_remarks(bool dropped) {
  remarks_dropped = dropped;
}

void print_remark(std::string_view text) {
  if (!remarks_dropped) print_notice(text);
}

std::string painted(const std::string& text) {
  struct Rule {
    std::string_view word;
    std::string_view colour;
  };
  constexpr std::array<Rule, 3> rules{{{"error", "\x1b[1;31m"}, {"warning", "\x1b[1;33m"}, {"note", "\x1b[1;36m"}}};
  std::string result;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1);
    const std::string_view line = std::string_view(text).substr(begin, end - begin + 1);
    std::size_t head = 0;
    for (const Rule& rule : rules) {
      const std::string_view rest = line.substr(std::min(rule.word.size(), line.size()));
      if (!line.starts_with(rule.word) || rest.empty() || (rest.front() != '[' && rest.front() != ':')) continue;
      head = line.find(": ");
      if (head == std::string_view::npos) head = rule.word.size();
      result += std::string(rule.colour) + std::string(line.substr(0, head)) + "\x1b[0m";
    }
    result += line.substr(head);
    begin = end + 1;
  }
  return result;
}

void print_diagnostics(const std::vector<Diagnostic>& diagnostics, Paint paint) {
  const std::string text = render(diagnostics);
  print_notice(paint == Paint::colours ? painted(text) : text);
}

bool results_on_terminal() {
  return isatty(STDOUT_FILENO) == 1;
}

void configure_log(unsigned verbosity) {
  constexpr std::array<spdlog::level::level_enum, 3> levels{spdlog::level::warn, spdlog::level::info,
                                                            spdlog::level::debug};
  auto logger = std::make_shared<spdlog::logger>("teslasim", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger->set_pattern("%l: %v");
  logger->set_level(levels[std::min<std::size_t>(verbosity, levels.size() - 1)]);
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace teslasim
