// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <span>

#include "frontend/workload/device/buffer_contents.h"
#include "frontend/workload/device/element.h"
#include "frontend/workload/references/references.h"

namespace teslasim {

namespace {

std::optional<double> literal(std::string_view text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

const BufferSpec* buffer_named(const Workload& workload, std::string_view name) {
  for (const BufferSpec& buffer : workload.buffers) {
    if (buffer.name == name) return &buffer;
  }
  return nullptr;
}

}  // namespace

std::int64_t whole_part(double value) {
  constexpr double end = 9223372036854775808.0;
  if (!(value >= -end && value < end)) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(value);
}

ReferenceArguments::ReferenceArguments(const Expectation& expectation, const Workload& workload)
    : expectation_(expectation), workload_(workload), output_(buffer_named(workload, expectation.buffer)) {
  SIM_CHECK(output_ != nullptr, "an expectation names a buffer");
}

std::string ReferenceArguments::source_name(std::string_view argument) const {
  for (const auto& [name, value] : expectation_.arguments) {
    if (name == argument) return value;
  }
  return std::string(argument);
}

/// The last launch that has the parameter decides: checks are made after it.
const ParameterValue* ReferenceArguments::parameter(std::string_view name) const {
  for (auto launch = workload_.launches.rbegin(); launch != workload_.launches.rend(); ++launch) {
    for (const ParameterValue& value : launch->parameters) {
      if (value.name == name && !value.buffer) return &value;
    }
  }
  return nullptr;
}

ReferenceArguments::Kind ReferenceArguments::kind(std::string_view argument) const {
  const std::string name = source_name(argument);
  if (literal(name) || parameter(name) != nullptr) return Kind::scalar;
  return buffer_named(workload_, name) != nullptr ? Kind::buffer : Kind::absent;
}

double ReferenceArguments::real(std::string_view argument) const {
  const std::string name = source_name(argument);
  if (const std::optional<double> value = literal(name)) return *value;
  const ParameterValue* value = parameter(name);
  SIM_CHECK(value != nullptr, "a scalar argument of a reference");
  std::byte bytes[8];
  std::memcpy(bytes, &value->bits, sizeof bytes);
  return read_real(value->type, bytes);
}

std::int64_t ReferenceArguments::integer(std::string_view argument) const {
  return whole_part(real(argument));
}

const BufferSpec& ReferenceArguments::buffer(std::string_view argument) const {
  const BufferSpec* found = buffer_named(workload_, source_name(argument));
  SIM_CHECK(found != nullptr, "a buffer argument of a reference");
  return *found;
}

std::vector<double> ReferenceArguments::reals(std::string_view argument) const {
  const BufferSpec& spec = buffer(argument);
  std::vector<double> values(spec.count);
  visit_initial_contents(spec, [&](std::uint64_t first, std::span<const std::byte> bytes) {
    read_reals(spec.type, bytes, &values[first]);
  });
  return values;
}

void ReferenceArguments::visit_reals(std::string_view argument, const RealsVisitor& visit) const {
  const BufferSpec& spec = buffer(argument);
  const unsigned size = bytes_of(spec.type);
  std::vector<double> values;
  visit_initial_contents(spec, [&](std::uint64_t first, std::span<const std::byte> bytes) {
    values.resize(bytes.size() / size);
    read_reals(spec.type, bytes, values.data());
    visit(first, values);
  });
}

std::vector<std::int64_t> ReferenceArguments::integers(std::string_view argument) const {
  const BufferSpec& spec = buffer(argument);
  const unsigned size = bytes_of(spec.type);
  std::vector<std::int64_t> values(spec.count);
  visit_initial_contents(spec, [&](std::uint64_t first, std::span<const std::byte> bytes) {
    for (std::size_t i = 0; i < bytes.size() / size; ++i) values[first + i] = read_integer(spec.type, &bytes[i * size]);
  });
  return values;
}

std::string need_count(const ReferenceArguments& in, std::string_view argument, std::uint64_t wanted) {
  const BufferSpec& buffer = in.buffer(argument);
  if (buffer.count >= wanted) return "";
  return "'" + buffer.name + "' has " + std::to_string(buffer.count) + " elements, " + std::to_string(wanted) +
         " are needed";
}

ExpectedValues as_output(const ReferenceArguments& in, std::vector<double> values) {
  if (is_real(in.output().type)) return {std::move(values), {}};
  ExpectedValues expected;
  expected.integers.reserve(values.size());
  for (const double value : values) expected.integers.push_back(whole_part(value));
  return expected;
}

ExpectedValues as_output(const ReferenceArguments& in, std::vector<std::int64_t> values) {
  if (!is_real(in.output().type)) return {{}, std::move(values)};
  return {std::vector<double>(values.begin(), values.end()), {}};
}

}  // namespace teslasim
