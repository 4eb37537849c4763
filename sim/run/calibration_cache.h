// SPDX-License-Identifier: Apache-2.0
// Where calibrations are kept: one file per machine, found by a fingerprint of everything in its configuration that
// decides what is simulated. A calibration of another build of the program is not used, because the simulator may have
// changed.
//
// The folder: sim/base/cache_folder.h.
#pragma once

#include <optional>
#include <string>

#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/calibration.h"

namespace teslasim {

/// Of a machine: all values but its name and the constants of section `models`.
[[nodiscard]] std::string machine_fingerprint(const LoadedMachine& machine);
/// Of this program: its file.
[[nodiscard]] std::string program_fingerprint();

/// File of a machine's calibration in the cache; empty when there is no cache.
[[nodiscard]] std::string calibration_file(const LoadedMachine& machine);
/// The calibration in the cache when it is of this machine and this program, and readable.
[[nodiscard]] std::optional<Calibration> cached_calibration(const LoadedMachine& machine);
/// What `--calibration WORD` says: a file, "none", or (empty) the cache. Throws InputError.
[[nodiscard]] std::optional<Calibration> chosen_calibration(const std::string& word, const LoadedMachine& machine);

}  // namespace teslasim
