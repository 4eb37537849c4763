// SPDX-License-Identifier: Apache-2.0
#include "sim/run/calibration_cache.h"

#include <filesystem>
#include <span>

#include "sim/base/cache_folder.h"
#include "sim/base/hash.h"
#include "sim/base/text_file.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

constexpr std::size_t largest_program = std::size_t{1} << 30U;

std::string fingerprint(const std::string& text) {
  return digest_text(hash_bytes(std::as_bytes(std::span(text))));
}

}  // namespace

std::string machine_fingerprint(const LoadedMachine& machine) {
  std::string text;
  for (const EffectiveValue& value : machine.values) {
    const bool decides = value.key.find('.') != std::string::npos && !value.key.starts_with("models.");
    if (decides) text += value.key + "=" + value.value + "\n";
  }
  return fingerprint(text);
}

std::string program_fingerprint() {
  return fingerprint(read_text_file("/proc/self/exe", largest_program, FileOwner::program).text);
}

std::string calibration_file(const LoadedMachine& machine) {
  const std::string folder = cache_folder();
  return folder.empty() ? "" : folder + "/calibration-" + machine_fingerprint(machine) + ".toml";
}

std::optional<Calibration> cached_calibration(const LoadedMachine& machine) {
  const std::string file = calibration_file(machine);
  std::error_code error;
  if (file.empty() || !std::filesystem::is_regular_file(file, error)) return std::nullopt;
  try {
    Calibration calibration = read_calibration(file, read_text_file(file, largest_text, FileOwner::program).text);
    if (calibration.program == program_fingerprint()) return calibration;
  } catch (const InputError&) {  // a damaged cache counts as none: 'calibrate' writes it again
  }
  return std::nullopt;
}

std::optional<Calibration> chosen_calibration(const std::string& word, const LoadedMachine& machine) {
  if (word.empty()) return cached_calibration(machine);
  if (word == "none") return std::nullopt;
  const TextFile text = read_text_file(word);
  Diagnostic diagnostic;
  diagnostic.help = "write one with 'teslasim calibrate -c MACHINE --export FILE.toml'";
  if (!text.error.empty()) {
    diagnostic.code = "CAL-FILE";
    diagnostic.message = "cannot read '" + word + "': " + text.error;
    throw InputError(ExitCode::configuration, std::move(diagnostic));
  }
  Calibration calibration = read_calibration(word, text.text);
  if (calibration.configuration == machine_fingerprint(machine)) return calibration;
  diagnostic.code = "CAL-MACHINE";
  diagnostic.message = "'" + word + "' is the calibration of another configuration (" + calibration.machine +
                       "), not of " + machine.spec.name + " as it is configured";
  throw InputError(ExitCode::configuration, std::move(diagnostic));
}

}  // namespace teslasim
