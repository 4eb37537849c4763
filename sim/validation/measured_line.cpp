// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/measured_line.h"

#include <fmt/format.h>

#include <cstdlib>

#include "sim/base/diagnostic.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/validation/measure.h"

namespace teslasim {
namespace {

constexpr char is_number = 'n', is_word = 'w', is_why = '?', is_limit = 'l';

std::string first_message(const InputError& error) {
  if (error.diagnostics().empty()) return error.what();
  const Diagnostic& diagnostic = error.diagnostics().front();
  return fmt::format("{}: {}", diagnostic.code, diagnostic.message);
}

}  // namespace

std::string measured_line(const MeasureTask& task, SpCycle max_cycles) {
  try {
    const MeasureArguments arguments(task.measure);
    MicroMachine micro(task.spec != nullptr ? *task.spec : load_machine({task.machine}, arguments.sets()).spec);
    micro.set_max_cycles(max_cycles);
    const MeasuredValue value = measure(micro, arguments);
    return value.word.empty() ? fmt::format("{}{:a}", is_number, value.number) : is_word + value.word;
  } catch (const MicroMachine::OutOfCycles&) {
    return is_limit + fmt::format("limit: it takes more than --max-cycles {}", max_cycles.count());
  } catch (const InputError& error) {
    return is_why + first_message(error);
  } catch (const std::exception& error) {
    return is_why + std::string(error.what());
  }
}

MeasureOutcome outcome_of_line(const std::string& line) {
  MeasureOutcome outcome;
  if (line.empty()) {
    outcome.why = "the measurement ended without a result";
  } else if (line.front() == is_number) {
    outcome.number = std::strtod(line.c_str() + 1, nullptr);
  } else {
    (line.front() == is_word ? outcome.word : outcome.why) = line.substr(1);
    outcome.limited = line.front() == is_limit;
  }
  return outcome;
}

}  // namespace teslasim
