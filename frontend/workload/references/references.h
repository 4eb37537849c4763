// SPDX-License-Identifier: Apache-2.0
// Built-in references: what the shipped kernels must compute, written down a second time on the host.
// They work on the initial contents of the buffers, in double precision or exact integers, and share no code with the
// instruction semantics. To add one: a function and a row in references.cpp, a test, a line in docs/launch-files.md.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "frontend/workload.h"

namespace teslasim {

/// The expected elements: `reals` for f32 and f64 buffers, `integers` for all others.
struct ExpectedValues {
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
};

/// The arguments of one reference, looked up in a workload: a number, a scalar parameter or a buffer.
/// An argument that is not given is the parameter of the same name.
class ReferenceArguments {
 public:
  ReferenceArguments(const Expectation& expectation, const Workload& workload);

  enum class Kind : std::uint8_t { absent, scalar, buffer };
  [[nodiscard]] Kind kind(std::string_view argument) const;
  /// The text of the launch file that stands for the argument: a parameter's name or a number.
  [[nodiscard]] std::string source_name(std::string_view argument) const;

  [[nodiscard]] double real(std::string_view argument) const;
  [[nodiscard]] std::int64_t integer(std::string_view argument) const;
  [[nodiscard]] const BufferSpec& buffer(std::string_view argument) const;
  [[nodiscard]] std::uint64_t count(std::string_view argument) const { return buffer(argument).count; }
  [[nodiscard]] std::vector<double> reals(std::string_view argument) const;
  using RealsVisitor = std::function<void(std::uint64_t first, std::span<const double> values)>;
  /// The same values piece by piece, which are never held as a whole.
  void visit_reals(std::string_view argument, const RealsVisitor& visit) const;
  [[nodiscard]] std::vector<std::int64_t> integers(std::string_view argument) const;
  /// The buffer that is checked.
  [[nodiscard]] const BufferSpec& output() const { return *output_; }

 private:
  const ParameterValue* parameter(std::string_view name) const;

  const Expectation& expectation_;
  const Workload& workload_;
  const BufferSpec* output_;
};

/// Why a buffer with fewer than `wanted` elements is not enough, as a sentence; empty when it has them.
[[nodiscard]] std::string need_count(const ReferenceArguments& in, std::string_view argument, std::uint64_t wanted);

/// Values in the form that the checked buffer wants: real ones lose their fraction for integers.
[[nodiscard]] ExpectedValues as_output(const ReferenceArguments& in, std::vector<double> values);
[[nodiscard]] ExpectedValues as_output(const ReferenceArguments& in, std::vector<std::int64_t> values);

/// `value` without its fraction; what no 64-bit integer can hold becomes the smallest one.
[[nodiscard]] std::int64_t whole_part(double value);

struct ReferenceArgument {
  std::string_view name;
  ReferenceArguments::Kind kind;
};

/// One row of the table of references.
struct Reference {
  std::string_view name;
  std::string_view description;  ///< one sentence with the formula
  std::vector<ReferenceArgument> arguments;
  /// Why the sizes of the arguments do not fit together, as a sentence; empty when they do.
  std::string (*problem)(const ReferenceArguments&);
  ExpectedValues (*compute)(const ReferenceArguments&);
};

[[nodiscard]] const std::vector<Reference>& references();
/// The rows of solver_references.cpp, which are part of it.
[[nodiscard]] std::vector<Reference> solver_references();
/// Those of whole_kernel_references.cpp, too.
[[nodiscard]] std::vector<Reference> whole_kernel_references();
/// The row of that name, or nullptr.
[[nodiscard]] const Reference* find_reference(std::string_view name);
[[nodiscard]] std::vector<std::string> reference_names();

}  // namespace teslasim
