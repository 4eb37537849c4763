// SPDX-License-Identifier: Apache-2.0
// References of the case studies: tridiagonal systems, sparse matrices, stencils by colour, Givens rotations.
#include <cmath>

#include "frontend/workload/references/references.h"

namespace teslasim {
namespace {

using Kind = ReferenceArguments::Kind;

std::string tridiagonal_problem(const ReferenceArguments& in) {
  const std::int64_t n = in.integer("n");
  if (n < 2 || in.output().count % static_cast<std::uint64_t>(n) != 0)
    return "the output does not consist of whole systems of 'n' equations";
  for (const std::string_view name : {"a", "b", "c", "d"}) {
    if (std::string problem = need_count(in, name, in.output().count); !problem.empty()) return problem;
  }
  return "";
}

/// Gaussian elimination without pivoting, forward and back.
ExpectedValues tridiagonal(const ReferenceArguments& in) {
  const std::vector<double> a = in.reals("a"), c = in.reals("c");
  std::vector<double> b = in.reals("b"), d = in.reals("d"), x(in.output().count);
  const auto n = static_cast<std::size_t>(in.integer("n"));
  for (std::size_t first = 0; first < x.size(); first += n) {
    for (std::size_t i = first + 1; i < first + n; ++i) {
      const double factor = a[i] / b[i - 1];
      b[i] -= factor * c[i - 1];
      d[i] -= factor * d[i - 1];
    }
    x[first + n - 1] = d[first + n - 1] / b[first + n - 1];
    for (std::size_t i = first + n - 1; i-- > first;) x[i] = (d[i] - c[i] * x[i + 1]) / b[i];
  }
  return as_output(in, std::move(x));
}

/// Sizes of an ELLPACK matrix of square blocks.
struct Blocked {
  explicit Blocked(const ReferenceArguments& in)
      : side(static_cast<std::uint64_t>(in.integer("block"))),
        entries(static_cast<std::uint64_t>(in.integer("entries"))),
        rows(in.output().count / side) {}
  std::uint64_t side, entries, rows;
};

std::string spmv_problem(const ReferenceArguments& in) {
  constexpr std::int64_t most = 4096;
  if (in.integer("block") < 1 || in.integer("block") > most) return "'block' must be between 1 and 4096";
  if (in.integer("entries") < 1 || in.integer("entries") > most) return "'entries' must be between 1 and 4096";
  const Blocked shape(in);
  if (in.output().count % shape.side != 0) return "the output does not consist of whole rows of blocks";
  if (std::string problem = need_count(in, "values", shape.rows * shape.entries * shape.side * shape.side);
      !problem.empty()) {
    return problem;
  }
  return need_count(in, "columns", shape.rows * shape.entries);
}

ExpectedValues spmv(const ReferenceArguments& in) {
  const Blocked shape(in);
  const std::vector<double> values = in.reals("values"), x = in.reals("x");
  const std::vector<std::int64_t> columns = in.integers("columns");
  const bool interleaved = in.integer("interleaved") != 0;
  const std::uint64_t parts = x.size() / shape.side;  // columns of blocks
  const auto of_x = [&](std::uint64_t column, std::uint64_t j) {
    const std::uint64_t at = interleaved ? j * parts + column : column * shape.side + j;
    return at < x.size() ? x[at] : 0.0;  // a column outside: the kernel will have failed on it before
  };
  std::vector<double> y(in.output().count, 0.0);
  for (std::uint64_t row = 0; row < shape.rows; ++row) {
    for (std::uint64_t i = 0; i < shape.side; ++i) {
      double sum = 0.0;
      for (std::uint64_t k = 0; k < shape.entries; ++k) {
        const auto column = static_cast<std::uint64_t>(columns[k * shape.rows + row]);
        for (std::uint64_t j = 0; j < shape.side; ++j) {
          const std::uint64_t word = (k * shape.side + i) * shape.side + j;
          sum += values[word * shape.rows + row] * of_x(column, j);
        }
      }
      y[interleaved ? i * shape.rows + row : row * shape.side + i] = sum;
    }
  }
  return as_output(in, std::move(y));
}

std::string product_problem(const ReferenceArguments& in) {
  if (std::string problem = need_count(in, "b", in.output().count); !problem.empty()) return problem;
  return need_count(in, "c", in.output().count);
}
ExpectedValues product(const ReferenceArguments& in) {
  std::vector<double> out = in.reals("b");
  const std::vector<double> c = in.reals("c");
  out.resize(in.output().count);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] *= c[i];
  return as_output(in, std::move(out));
}

std::string red_sor_problem(const ReferenceArguments& in) {
  const std::int64_t width = in.integer("width"), margin = in.integer("margin");
  if (width < 1 || in.output().count % static_cast<std::uint64_t>(width) != 0)
    return "the output does not consist of whole rows of 'width' elements";
  if (margin < 1 || 2 * margin >= width) return "'margin' must be at least 1 and less than half of 'width'";
  return need_count(in, "black", in.output().count);
}
/// Red element (h, j) is element 2h + j % 2 of row j of the mesh.
ExpectedValues red_sor(const ReferenceArguments& in) {
  std::vector<double> red = in.reals(in.output().name);
  const std::vector<double> black = in.reals("black");
  const double omega = in.real("omega");
  const auto width = static_cast<std::size_t>(in.integer("width")),
             margin = static_cast<std::size_t>(in.integer("margin"));
  for (std::size_t row = 1; row + 1 < red.size() / width; ++row) {
    for (std::size_t h = margin; h + margin < width; ++h) {
      const std::size_t at = row * width + h;
      const double side = row % 2 == 0 ? black[at - 1] : black[at + 1];
      red[at] = (1.0 - omega) * red[at] + omega / 4.0 * (black[at] + black[at - width] + black[at + width] + side);
    }
  }
  return as_output(in, std::move(red));
}

void rotate(double& upper, double& lower, double c, double s) {
  const double above = c * upper + s * lower;
  lower = c * lower - s * upper;
  upper = above;
}

std::string givens_panel_problem(const ReferenceArguments& in) {
  const std::int64_t m = in.integer("m"), threads = in.integer("threads"), panel = in.integer("panel");
  if (m < 1 || in.output().count % static_cast<std::uint64_t>(m) != 0)
    return "the output does not consist of whole columns";
  if (threads < 1 || m % threads != 0 || (threads & (threads - 1)) != 0)
    return "'threads' must be a power of two that divides 'm'";
  if (panel < 1 || panel > m) return "'panel' must be between 1 and 'm'";
  return need_count(in, "cosine", static_cast<std::uint64_t>(m * panel));
}
/// Rows threads + t, 2 threads + t, ... with row t; then rows t and t + s for s = 1, 2, 4...
ExpectedValues givens_panel(const ReferenceArguments& in) {
  std::vector<double> out = in.reals(in.output().name);
  const std::vector<double> cosine = in.reals("cosine");
  const auto m = static_cast<std::size_t>(in.integer("m")), threads = static_cast<std::size_t>(in.integer("threads")),
             panel = static_cast<std::size_t>(in.integer("panel"));
  for (std::size_t first = 0; first < out.size(); first += m) {
    for (std::size_t k = 0; k < panel; ++k) {
      const auto apply = [&](std::size_t upper, std::size_t lower) {
        const double c = cosine[k * m + lower];
        rotate(out[first + upper], out[first + lower], c, std::sqrt(1.0 - c * c));
      };
      for (std::size_t row = threads; row < m; ++row) apply(row % threads, row);
      for (std::size_t s = 1; s < threads; s *= 2) {
        for (std::size_t t = 0; t < threads; t += 2 * s) apply(t, t + s);
      }
    }
  }
  return as_output(in, std::move(out));
}

std::string givens_r_problem(const ReferenceArguments& in) {
  constexpr std::int64_t most = 1024;
  const std::int64_t n = in.integer("n");
  if (n < 1 || n > most) return "'n' must be between 1 and 1024";
  return in.output().count % static_cast<std::uint64_t>(n * n) == 0 ? ""
                                                                    : "the output does not consist of n x n matrices";
}
ExpectedValues givens_r(const ReferenceArguments& in) {
  std::vector<double> out = in.reals(in.output().name);
  const auto n = static_cast<std::size_t>(in.integer("n"));
  for (std::size_t first = 0; first < out.size(); first += n * n) {
    for (std::size_t k = 0; k + 1 < n; ++k) {
      for (std::size_t row = n - 1; row > k; --row) {
        double* const lower = &out[first + row * n];
        double* const upper = lower - n;
        const double length = std::hypot(upper[k], lower[k]);
        const double c = upper[k] / length, s = lower[k] / length;
        for (std::size_t column = 0; column < n; ++column) rotate(upper[column], lower[column], c, s);
      }
    }
  }
  return as_output(in, std::move(out));
}

}  // namespace

std::vector<Reference> solver_references() {
  constexpr Kind buffer = Kind::buffer, scalar = Kind::scalar;
  return {
      {"tridiagonal",
       "systems of n equations a[i] x[i-1] + b[i] x[i] + c[i] x[i+1] = d[i], one after the other",
       {{"a", buffer}, {"b", buffer}, {"c", buffer}, {"d", buffer}, {"n", scalar}},
       tridiagonal_problem,
       tridiagonal},
      {"spmv",
       "out = matrix * x; ELLPACK with square blocks, entry by entry; interleaved: the parts of x and out lie apart",
       {{"values", buffer},
        {"columns", buffer},
        {"x", buffer},
        {"entries", scalar},
        {"block", scalar},
        {"interleaved", scalar}},
       spmv_problem,
       spmv},
      {"product", "out[i] = b[i] * c[i]", {{"b", buffer}, {"c", buffer}}, product_problem, product},
      {"red_sor",
       "red elements of a mesh after one phase of over-relaxation, `width` in a row, but for the border",
       {{"black", buffer}, {"width", scalar}, {"margin", scalar}, {"omega", scalar}},
       red_sor_problem,
       red_sor},
      {"givens_panel",
       "columns of m words after the rotations of a panel: within and between the rows of `threads` threads",
       {{"cosine", buffer}, {"m", scalar}, {"panel", scalar}, {"threads", scalar}},
       givens_panel_problem,
       givens_panel},
      {"givens_r",
       "n x n matrices, row by row, made triangular by Givens rotations from the last row up",
       {{"n", scalar}},
       givens_r_problem,
       givens_r},
  };
}

}  // namespace teslasim
