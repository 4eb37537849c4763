// SPDX-License-Identifier: Apache-2.0
// Published rows measured on machines that differ in some keys: what the studies of keys run. Equal measurements of
// different variants are made once, all in one pool of processes.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/validation/validation.h"

namespace teslasim {

/// "key=value" by machine; a machine that is not named is as it is shipped.
using MachineSets = std::map<std::string, std::vector<std::string>>;

/// The simulated number of each row; nothing where there is none.
using RowNumbers = std::vector<std::optional<double>>;

struct RowRuns {
  std::vector<RowNumbers> numbers;  ///< one for each variant, in the order of the rows
  std::size_t runs = 0;             ///< measurements that were made
};

/// A variant of the machines, and the rows that it is asked about (all when empty).
struct MachineVariant {
  MachineSets sets;
  std::vector<std::size_t> rows{};
};

[[nodiscard]] RowRuns run_variants(const std::vector<PublishedRow>& rows, const std::vector<MachineVariant>& variants,
                                   const WorkerOptions& workers);

/// How many measurements `run_variants` makes.
[[nodiscard]] std::size_t count_runs(const std::vector<PublishedRow>& rows,
                                     const std::vector<MachineVariant>& variants);

/// Why a machine refuses its sets; nothing when all take them.
[[nodiscard]] std::optional<std::string> refusal_of(const MachineSets& sets);

/// The rows that a study counts: those with a published number and a way to measure it, recollected ones too, because
/// values were calibrated on some of these.
[[nodiscard]] std::vector<PublishedRow> numeric_rows(const std::vector<PublishedRow>& rows);
/// Absolute error in percent of a number for a row.
[[nodiscard]] std::optional<double> absolute_error(const PublishedRow& row, const std::optional<double>& simulated);
/// The same in tolerances of the row. An exact row's is 1 %: a value must not be chosen for the last digit of a count.
[[nodiscard]] std::optional<double> error_in_tolerances(const PublishedRow& row,
                                                        const std::optional<double>& simulated);

/// What stands or falls together in a study: the rows of an experiment; of whole kernels (E30) those of one author,
/// "E30 HARRIS", because each ladder of kernels is a family of its own.
[[nodiscard]] std::string family_of(const PublishedRow& row);
/// The names in the order in which they first stand in the rows.
[[nodiscard]] std::vector<std::string> families_of(const std::vector<PublishedRow>& rows);
[[nodiscard]] std::vector<std::string> machines_of(const std::vector<PublishedRow>& rows);

}  // namespace teslasim
