// SPDX-License-Identifier: Apache-2.0
// What a command says of where its points shall run: on this host, or as job arrays of Slurm.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace teslasim {

struct SlurmRequest {
  std::string partition{};               ///< empty: the cluster's own choice
  std::vector<std::string> arguments{};  ///< for sbatch, behind the program's own, which they override
  std::size_t at_a_time = 0;             ///< tasks; 0: as many as the cluster has room for
  std::size_t chunk = 0;                 ///< points of a task; 0: measured by a pilot
  bool resumes = false;                  ///< goes on with a study; else each point may be submitted anew
  std::vector<std::string> command{};    ///< of this program, for --resume
  std::string plan{};                    ///< the file that decides which points there are; empty: none
};

/// "local" is nothing, "slurm" and "slurm:PARTITION" a request. Throws InputError (usage, CLI-VALUE) for others.
[[nodiscard]] std::optional<SlurmRequest> place_of_points(const std::string& text);

/// Words as a shell would take them: blanks separate, '...', "..." and \ quote. Throws InputError (usage, CLI-VALUE)
/// for a quote that does not end.
[[nodiscard]] std::vector<std::string> quoted_words(std::string_view text);

}  // namespace teslasim
