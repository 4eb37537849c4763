// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/references/references.h"

#include <cmath>
#include <numeric>
#include <span>

#include "frontend/workload/device/element.h"

namespace teslasim {

namespace {

using Kind = ReferenceArguments::Kind;

/// Bounds the work of a check: a larger product of extents is a slip in the launch file.
constexpr std::int64_t largest_extent = 1 << 20;

std::string text(std::uint64_t value) {
  return std::to_string(value);
}

std::string need_extent(const ReferenceArguments& in, std::string_view argument) {
  const std::int64_t value = in.integer(argument);
  if (value >= 1 && value <= largest_extent) return "";
  return "'" + std::string(argument) + "' must be between 1 and " + std::to_string(largest_extent) + ", got " +
         std::to_string(value);
}

std::string first_of(std::initializer_list<std::string> problems) {
  for (const std::string& problem : problems) {
    if (!problem.empty()) return problem;
  }
  return "";
}

std::string two_inputs_as_long(const ReferenceArguments& in, std::string_view first, std::string_view second) {
  return first_of({need_count(in, first, in.output().count), need_count(in, second, in.output().count)});
}

// --- element by element -------------------------------------------------------------------------------------------

std::string vecadd_problem(const ReferenceArguments& in) {
  return two_inputs_as_long(in, "a", "b");
}
ExpectedValues vecadd(const ReferenceArguments& in) {
  std::vector<double> sum = in.reals("a");
  sum.resize(in.output().count);
  in.visit_reals("b", [&](std::uint64_t first, std::span<const double> b) {
    for (std::size_t i = 0; i < b.size() && first + i < sum.size(); ++i) sum[first + i] += b[i];
  });
  return as_output(in, std::move(sum));
}

std::string saxpy_problem(const ReferenceArguments& in) {
  return two_inputs_as_long(in, "x", "y");
}
ExpectedValues saxpy(const ReferenceArguments& in) {
  std::vector<double> out = in.reals("x");
  const double a = in.real("a");
  out.resize(in.output().count);
  in.visit_reals("y", [&](std::uint64_t first, std::span<const double> y) {
    for (std::size_t i = 0; i < y.size() && first + i < out.size(); ++i) out[first + i] = a * out[first + i] + y[i];
  });
  return as_output(in, std::move(out));
}

std::string mad_chain_problem(const ReferenceArguments& in) {
  return first_of({need_count(in, "of", in.output().count), need_extent(in, "iterations"), need_extent(in, "chains")});
}
ExpectedValues mad_chain(const ReferenceArguments& in) {
  const std::vector<double> start = in.reals("of");
  const double a = in.real("a"), b = in.real("b");
  const std::int64_t iterations = in.integer("iterations"), chains = in.integer("chains");
  std::vector<double> out(in.output().count, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    for (std::int64_t chain = 0; chain < chains; ++chain) {
      double x = start[i] + static_cast<double>(chain);
      for (std::int64_t step = 0; step < iterations; ++step) x = x * a + b;
      out[i] += x;
    }
  }
  return as_output(in, std::move(out));
}

std::string sfu_mix_problem(const ReferenceArguments& in) {
  return first_of({need_count(in, "of", in.output().count), need_extent(in, "iterations")});
}
ExpectedValues sfu_mix(const ReferenceArguments& in) {
  const std::vector<double> start = in.reals("of");
  const std::int64_t iterations = in.integer("iterations");
  std::vector<double> out(in.output().count, 0.0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    double x = start[i];
    for (std::int64_t step = 0; step < iterations; ++step) {
      const double square = x * x + 1.0;
      out[i] += std::sin(x) + std::cos(x) + 1.0 / square + 1.0 / std::sqrt(square) + std::log2(square) + std::exp2(-x);
      x += 0.125;
    }
  }
  return as_output(in, std::move(out));
}

std::string collatz_problem(const ReferenceArguments& in) {
  return first_of({need_count(in, "of", in.output().count),
                   is_real(in.buffer("of").type) ? std::string("the numbers must be integers") : std::string()});
}
std::int64_t collatz_steps(std::int64_t start) {
  std::int64_t steps = 0;
  for (auto n = static_cast<std::uint32_t>(start); n > 1; ++steps) n = (n % 2 == 0) ? n / 2 : 3 * n + 1;
  return steps;
}
ExpectedValues collatz(const ReferenceArguments& in) {
  const std::vector<std::int64_t> start = in.integers("of");
  std::vector<std::int64_t> out(in.output().count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = collatz_steps(start[i]);
  return as_output(in, std::move(out));
}

// --- matrices -----------------------------------------------------------------------------------------------------

std::string matmul_problem(const ReferenceArguments& in) {
  if (std::string problem = first_of({need_extent(in, "k"), need_extent(in, "n")}); !problem.empty()) return problem;
  const auto k = static_cast<std::uint64_t>(in.integer("k")), n = static_cast<std::uint64_t>(in.integer("n"));
  if (in.output().count % n != 0) return "the product does not consist of whole rows of 'n' elements";
  return first_of({need_count(in, "a", in.output().count / n * k), need_count(in, "b", k * n)});
}
ExpectedValues matmul(const ReferenceArguments& in) {
  const std::vector<double> a = in.reals("a"), b = in.reals("b");
  const auto inner = static_cast<std::size_t>(in.integer("k")), columns = static_cast<std::size_t>(in.integer("n"));
  std::vector<double> c(in.output().count, 0.0);
  for (std::size_t row = 0; row < c.size() / columns; ++row) {
    for (std::size_t k = 0; k < inner; ++k) {
      const double factor = a[row * inner + k];
      for (std::size_t column = 0; column < columns; ++column)
        c[row * columns + column] += factor * b[k * columns + column];
    }
  }
  return as_output(in, std::move(c));
}

std::string transpose_problem(const ReferenceArguments& in) {
  if (std::string problem = first_of({need_extent(in, "width"), need_extent(in, "height")}); !problem.empty()) {
    return problem;
  }
  const std::uint64_t elements = static_cast<std::uint64_t>(in.integer("width") * in.integer("height"));
  if (in.output().count != elements) return "the output has not 'width' times 'height' elements";
  return need_count(in, "of", elements);
}
ExpectedValues transpose(const ReferenceArguments& in) {
  const std::vector<double> of = in.reals("of");
  const auto width = static_cast<std::size_t>(in.integer("width")),
             height = static_cast<std::size_t>(in.integer("height"));
  std::vector<double> out(width * height);
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) out[x * height + y] = of[y * width + x];
  }
  return as_output(in, std::move(out));
}

ExpectedValues stencil5(const ReferenceArguments& in) {
  const std::vector<double> of = in.reals("of");
  const auto width = static_cast<std::size_t>(in.integer("width")),
             height = static_cast<std::size_t>(in.integer("height"));
  const double centre = in.real("centre"), side = in.real("side");
  std::vector<double> out(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(width * height));
  for (std::size_t y = 1; y + 1 < height; ++y) {
    for (std::size_t x = 1; x + 1 < width; ++x) {
      const std::size_t at = y * width + x;
      out[at] = centre * of[at] + side * (of[at - 1] + of[at + 1] + of[at - width] + of[at + width]);
    }
  }
  return as_output(in, std::move(out));
}

// --- sums and walks -----------------------------------------------------------------------------------------------

std::string block_sum_problem(const ReferenceArguments& in) {
  if (in.count("of") % in.output().count == 0) return "";
  return "'" + in.buffer("of").name + "' cannot be cut into " + text(in.output().count) + " blocks of the same size";
}
ExpectedValues block_sum(const ReferenceArguments& in) {
  const std::vector<double> of = in.reals("of");
  std::vector<double> out(in.output().count, 0.0);
  const std::size_t block = of.size() / out.size();
  for (std::size_t i = 0; i < of.size(); ++i) out[i / block] += of[i];
  return as_output(in, std::move(out));
}

std::string histogram_problem(const ReferenceArguments& in) {
  if (std::string problem = need_extent(in, "bins"); !problem.empty()) return problem;
  const auto bins = static_cast<std::uint64_t>(in.integer("bins"));
  if (in.output().count % bins != 0) return "the output does not consist of whole histograms of 'bins' elements";
  if (in.count("of") % (in.output().count / bins) != 0) return "the data cannot be cut into blocks of the same size";
  return is_real(in.buffer("of").type) ? "the data must be integers" : "";
}
ExpectedValues histogram(const ReferenceArguments& in) {
  const std::vector<std::int64_t> of = in.integers("of");
  const auto bins = static_cast<std::size_t>(in.integer("bins"));
  std::vector<std::int64_t> out(in.output().count, 0);
  const std::size_t block = of.size() / (out.size() / bins);
  for (std::size_t i = 0; i < of.size(); ++i) {
    ++out[i / block * bins + static_cast<std::uint64_t>(of[i]) % bins];
  }
  return as_output(in, std::move(out));
}

std::string chase_problem(const ReferenceArguments& in) {
  return first_of({need_extent(in, "steps"),
                   is_real(in.buffer("of").type) ? std::string("the links must be integers") : std::string()});
}
ExpectedValues chase(const ReferenceArguments& in) {
  const std::vector<std::int64_t> of = in.integers("of");
  const std::int64_t steps = in.integer("steps");
  std::vector<std::int64_t> out(in.output().count);
  std::iota(out.begin(), out.end(), 0);
  for (std::int64_t& at : out) {
    // A link that leads out of the list stays where it is: the kernel will have failed on it before.
    for (std::int64_t step = 0; step < steps; ++step) {
      if (static_cast<std::uint64_t>(at) < of.size()) at = of[static_cast<std::size_t>(at)];
    }
  }
  return as_output(in, std::move(out));
}

}  // namespace

const std::vector<Reference>& references() {
  constexpr Kind buffer = Kind::buffer, scalar = Kind::scalar;
  static const std::vector<Reference> own = {
      {"vecadd", "out[i] = a[i] + b[i]", {{"a", buffer}, {"b", buffer}}, vecadd_problem, vecadd},
      {"saxpy", "out[i] = a * x[i] + y[i]", {{"a", scalar}, {"x", buffer}, {"y", buffer}}, saxpy_problem, saxpy},
      {"matmul",
       "out = a * b, row by row; a has k columns, b has n",
       {{"a", buffer}, {"b", buffer}, {"k", scalar}, {"n", scalar}},
       matmul_problem,
       matmul},
      {"transpose",
       "out[x * height + y] = of[y * width + x]",
       {{"of", buffer}, {"width", scalar}, {"height", scalar}},
       transpose_problem,
       transpose},
      {"block_sum",
       "out[b] = sum of the b-th of count(out) equal pieces of `of`",
       {{"of", buffer}},
       block_sum_problem,
       block_sum},
      {"stencil5",
       "out = centre * of + side * (left + right + above + below); the border is copied",
       {{"of", buffer}, {"width", scalar}, {"height", scalar}, {"centre", scalar}, {"side", scalar}},
       transpose_problem,
       stencil5},
      {"histogram",
       "for each equal piece of `of`: out[v] = how many elements are v modulo bins",
       {{"of", buffer}, {"bins", scalar}},
       histogram_problem,
       histogram},
      {"chase",
       "out[t] = where `steps` steps of i = of[i] lead from i = t",
       {{"of", buffer}, {"steps", scalar}},
       chase_problem,
       chase},
      {"mad_chain",
       "out[i] = sum over c < chains of x = x * a + b, `iterations` times, from x = of[i] + c",
       {{"of", buffer}, {"a", scalar}, {"b", scalar}, {"iterations", scalar}, {"chains", scalar}},
       mad_chain_problem,
       mad_chain},
      {"sfu_mix",
       "out[i] = sum over k < iterations of sin x + cos x + 1/s + 1/sqrt s + log2 s + 2^-x, s = x*x + 1, x = of[i] + "
       "k/8",
       {{"of", buffer}, {"iterations", scalar}},
       sfu_mix_problem,
       sfu_mix},
      {"collatz",
       "out[i] = steps of n = n odd ? 3n + 1 : n / 2 from of[i] to 1, in 32 bits",
       {{"of", buffer}},
       collatz_problem,
       collatz},
  };
  static const std::vector<Reference> rows = [] {
    std::vector<Reference> all = own;
    for (Reference& row : solver_references()) all.push_back(std::move(row));
    for (Reference& row : whole_kernel_references()) all.push_back(std::move(row));
    return all;
  }();
  return rows;
}

const Reference* find_reference(std::string_view name) {
  for (const Reference& row : references()) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::vector<std::string> reference_names() {
  std::vector<std::string> names;
  for (const Reference& row : references()) names.emplace_back(row.name);
  return names;
}

}  // namespace teslasim
