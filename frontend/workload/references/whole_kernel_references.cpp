// SPDX-License-Identifier: Apache-2.0
// References of whole kernels with published times: forces between bodies, potentials, prefix sums, a logistic map.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "frontend/workload/references/references.h"

namespace teslasim {
namespace {

using Kind = ReferenceArguments::Kind;

constexpr std::size_t words = 4;  ///< of a body: x, y, z, mass; of a force: x, y, z, 0

std::string need_moderate(const ReferenceArguments& in, std::initializer_list<std::string_view> names) {
  constexpr std::int64_t most = 65536;
  for (const std::string_view name : names) {
    if (in.integer(name) < 1 || in.integer(name) > most)
      return "'" + std::string(name) + "' must be between 1 and 65536";
  }
  return "";
}

std::string nbody_problem(const ReferenceArguments& in) {
  const std::int64_t n = in.integer("n");
  if (std::string problem = need_moderate(in, {"n"}); !problem.empty()) return problem;
  if (in.output().count % words != 0) return "a force has 4 words";
  return need_count(in, "body", std::max<std::uint64_t>(in.output().count, words * static_cast<std::uint64_t>(n)));
}

ExpectedValues nbody(const ReferenceArguments& in) {
  const std::vector<double> body = in.reals("body");
  const double softening = in.real("softening");
  const auto n = static_cast<std::size_t>(in.integer("n"));
  std::vector<double> force(in.output().count, 0.0);
  for (std::size_t i = 0; i < force.size(); i += words) {
    for (std::size_t j = 0; j < words * n; j += words) {
      const double x = body[j] - body[i], y = body[j + 1] - body[i + 1], z = body[j + 2] - body[i + 2];
      const double square = x * x + y * y + z * z + softening;
      const double scale = body[j + 3] / (square * std::sqrt(square));
      force[i] += x * scale;
      force[i + 1] += y * scale;
      force[i + 2] += z * scale;
    }
  }
  return as_output(in, std::move(force));
}

std::string logistic_problem(const ReferenceArguments& in) {
  return need_moderate(in, {"iterations", "chains"});
}

ExpectedValues logistic(const ReferenceArguments& in) {
  const std::int64_t iterations = in.integer("iterations"), chains = in.integer("chains");
  constexpr std::size_t starts = 16;
  std::vector<double> out(in.output().count, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::int64_t chain = 0; chain < chains; ++chain) {
      double x = 0.25 + static_cast<double>(i % starts) / starts + static_cast<double>(chain) / 8.0;
      for (std::int64_t step = 0; step < iterations; ++step) x *= 2.9 - 0.5 * x;
      out[i] += x;
    }
  }
  return as_output(in, std::move(out));
}

std::string charges_problem(const ReferenceArguments& in) {
  return need_moderate(in, {"count", "width"});
}

ExpectedValues charges(const ReferenceArguments& in) {
  const std::int64_t count = in.integer("count");
  const auto width = static_cast<std::size_t>(in.integer("width"));
  const double spacing = in.real("spacing");
  std::vector<double> out(in.output().count, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::size_t column = i % width, row = i / width;
    const double x = spacing * static_cast<double>(column), y = spacing * static_cast<double>(row);
    for (std::int64_t atom = 0; atom < count; ++atom) {
      const auto place = static_cast<double>(atom);
      out[i] += (place + 1) / std::sqrt((x - place) * (x - place) + (y - place) * (y - place) + 1);
    }
  }
  return as_output(in, std::move(out));
}

std::string scan_problem(const ReferenceArguments& in) {
  return need_count(in, "of", in.output().count);
}

ExpectedValues scan(const ReferenceArguments& in) {
  const std::vector<double> of = in.reals("of");
  std::vector<double> out(in.output().count, 0.0);
  for (std::size_t i = 1; i < out.size(); ++i) out[i] = out[i - 1] + of[i - 1];
  return as_output(in, std::move(out));
}

}  // namespace

std::vector<Reference> whole_kernel_references() {
  constexpr Kind buffer = Kind::buffer, scalar = Kind::scalar;
  return {
      {"nbody",
       "forces (x, y, z, 0) of the first n bodies (x, y, z, mass) on each: sum of mass * r / (r.r + softening)^1.5",
       {{"body", buffer}, {"n", scalar}, {"softening", scalar}},
       nbody_problem,
       nbody},
      {"logistic",
       "out[i] = sum over c < chains of x = (2.9 - x / 2) * x, `iterations` times, from x = 1/4 + (i modulo 16) / 16 + "
       "c/8",
       {{"iterations", scalar}, {"chains", scalar}},
       logistic_problem,
       logistic},
      {"charges",
       "lattice of `width` columns: out = sum over k < count of (k + 1) / sqrt((x - k)^2 + (y - k)^2 + 1) at "
       "x = spacing * column, y = spacing * row",
       {{"count", scalar}, {"spacing", scalar}, {"width", scalar}},
       charges_problem,
       charges},
      {"scan", "out[i] = of[0] + ... + of[i - 1]", {{"of", buffer}}, scan_problem, scan},
  };
}

}  // namespace teslasim
