// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/module_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text_file.h"

namespace teslasim::text {
namespace {

constexpr std::size_t most_diagnostics = 200;

}  // namespace

ModuleBuilder::ModuleBuilder(std::string_view text, std::string path, const AssemblerLimits& limits) : limits_(limits) {
  module_.path = std::move(path);
  module_.source_lines = lines_of(text);
}

void ModuleBuilder::begin_kernel(const std::string& name, LineReference where, Span span) {
  if (kernel_) {
    report({"ASM-SYNTAX", fmt::format("kernel '{}' is not closed", kernel_->name()),
            fmt::format("add '}}' to the kernel that begins in line {}", kernel_->where().reported_line()), span.column,
            span.length},
           where);
    close_kernel(where);
  }
  kernel_.emplace(name, where);
  symbols_.enter_kernel();
  body_open_ = false;
  if (!kernel_names_.insert(name).second)
    report({"ASM-DIRECTIVE", fmt::format("kernel '{}' is defined twice", name),
            "kernels of one file have different names", span.column, span.length},
           where);
}

KernelBuilder& ModuleBuilder::open_kernel(std::string_view what, Span span) {
  if (!kernel_)
    fail("ASM-SYNTAX", span, fmt::format("{} outside of a kernel", what), "write .entry NAME and '{' before it");
  if (!body_open_)
    fail("ASM-SYNTAX", span, fmt::format("{} before the '{{' of the kernel", what), "write '{' after .entry NAME");
  return *kernel_;
}

void ModuleBuilder::close_kernel(LineReference where) {
  std::vector<PlacedError> errors;
  module_.kernels.push_back(kernel_->finish(where, errors));
  kernel_.reset();
  body_open_ = false;
  symbols_.leave_kernel();
  for (const PlacedError& error : errors) {
    if (error.warning)
      warn(diagnose(error.error, error.where, module_.path, module_.source_lines));
    else
      report(error.error, error.where);
  }
}

void ModuleBuilder::report(const TextError& error, LineReference where) {
  Diagnostic diagnostic = diagnose(error, where, module_.path, module_.source_lines);
  if (kernel_) kernel_->mark_incomplete();
  ++mistakes_;
  const std::string key =
      fmt::format("{}:{}:{}:{}", diagnostic.where.line, diagnostic.where.column, diagnostic.code, diagnostic.message);
  if (!reported_.insert(key).second) return;
  diagnostics_.push_back(std::move(diagnostic));
  if (diagnostics_.size() >= most_diagnostics) throw GiveUp{};
}

void ModuleBuilder::warn(Diagnostic warning) {
  warning.severity = Diagnostic::Severity::warning;
  module_.warnings.push_back(std::move(warning));
}

void ModuleBuilder::give_up(const std::string& message, LineReference where) {
  report({"ASM-LIMIT", message, "check the counts of .rept, and macros that use macros", 0, 1}, where);
  throw GiveUp{};
}

void ModuleBuilder::count_lines(LineReference where, std::uint64_t lines) {
  lines_ += lines;
  if (lines_ > limits_.lines) give_up(fmt::format("the text expands to more than {} lines", limits_.lines), where);
}

void ModuleBuilder::count_characters(LineReference where, std::uint64_t characters) {
  characters_ += characters;
  if (characters_ > limits_.characters)
    give_up(fmt::format("the text expands to more than {} characters", limits_.characters), where);
}

Module ModuleBuilder::finish() {
  std::stable_sort(diagnostics_.begin(), diagnostics_.end(), [](const Diagnostic& left, const Diagnostic& right) {
    return std::pair(left.where.line, left.where.column) < std::pair(right.where.line, right.where.column);
  });
  if (!diagnostics_.empty()) throw InputError(ExitCode::input, std::move(diagnostics_));
  return std::move(module_);
}

}  // namespace teslasim::text
