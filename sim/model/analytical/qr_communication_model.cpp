// SPDX-License-Identifier: Apache-2.0
// Ye 2009, section 4.3: words moved and transfers started by ways to map a QR decomposition on processors (HDM, GDM)
// and on a GPU with scratchpads (HSM, GSM). Eq. 21-29: the published closed forms keep the term of highest order; the
// sums they come from are evaluated beside them.
#include <array>
#include <cmath>
#include <string>

#include "sim/model/analytical/analytical.h"

namespace teslasim {
namespace {

struct Size {
  double m, n, b, p;
  [[nodiscard]] double log_p() const { return std::log2(p); }
};

struct Mapping {
  const char* name;
  bool panels;                            ///< the sum steps by panels of b columns
  double (*step)(const Size&, double i);  ///< words of the step that starts at column i
  double (*closed)(const Size&);
  double (*starts)(const Size&);
  const char* meaning;
};

double cube(const Size& s) {
  return (3.0 * s.m - s.n) * s.n * s.n / 6.0;
}
double rest(const Size& s, double i) {
  return (s.m - i) * (s.n - i);
}

constexpr std::array<Mapping, 9> mappings{{
    {"hdmc", false, [](const Size& s, double i) { return s.m - i; },
     [](const Size& s) { return (2 * s.m - s.n) * s.n / 2; }, [](const Size& s) { return s.n; },
     "Householder, distributed memory, by columns (eq. 21)"},
    {"gdmr", false, [](const Size& s, double i) { return s.log_p() * (s.n - i); },
     [](const Size& s) { return s.n * s.n / 2 * s.log_p(); }, [](const Size& s) { return s.n * s.log_p(); },
     "Givens, distributed memory, by rows (eq. 22)"},
    {"hsmb", true, [](const Size& s, double i) { return 4 * rest(s, i) + s.b * (s.m - i); },
     [](const Size& s) { return 4 * cube(s) / s.b; }, [](const Size& s) { return s.n / s.b; },
     "Householder, shared memory, by blocks (eq. 23)"},
    {"gsmr", false, [](const Size& s, double i) { return 2 * rest(s, i) + 2 * s.p * (s.n - i); },
     [](const Size& s) { return 3 * cube(s); }, [](const Size& s) { return s.n * s.log_p(); },
     "Givens, shared memory, by rows (eq. 24, whose closed form does not follow from its sum)"},
    {"gsmrns", false, [](const Size& s, double i) { return 4 * rest(s, i) + 2 * s.p * (s.n - i); },
     [](const Size& s) { return 4 * cube(s); }, [](const Size& s) { return s.n * s.log_p(); },
     "the same without scratchpad (eq. 25)"},
    {"gsmc", false, [](const Size& s, double i) { return 3 * rest(s, i); }, [](const Size& s) { return 3 * cube(s); },
     [](const Size& s) { return s.n; }, "Givens, shared memory, by columns (eq. 26)"},
    {"gsmp", true, [](const Size& s, double i) { return (2 + s.b) * rest(s, i); },
     [](const Size& s) { return (2 / s.b + 1) * cube(s); }, [](const Size& s) { return s.n / s.b; },
     "Givens, shared memory, by panels (eq. 27)"},
    {"gsmpns", true, [](const Size& s, double i) { return 3 * s.b * rest(s, i); },
     [](const Size& s) { return 3 * cube(s); }, [](const Size& s) { return s.n / s.b; },
     "the same without scratchpad (eq. 28)"},
    {"gsmb", true, [](const Size& s, double i) { return 4 * rest(s, i); },
     [](const Size& s) { return 4 * cube(s) / s.b; }, [](const Size& s) { return 2 * s.n / s.b; },
     "Givens, shared memory, by blocks (eq. 29)"},
}};

double exact_sum(const Mapping& mapping, const Size& size) {
  double sum = 0.0;
  for (double i = 0.0; i < size.n; i += mapping.panels ? size.b : 1.0) sum += mapping.step(size, i);
  return sum;
}

}  // namespace

void evaluate_qr_communication(Evaluation& e) {
  e.require({"rows", "columns", "panel", "processors"});
  const Size size{e.need("rows"), e.need("columns"), e.need("panel"), e.need("processors")};
  if (size.m < size.n) e.refuse("the matrix must have at least as many rows as columns");
  for (const Mapping& mapping : mappings) {
    const std::string name = mapping.name;
    const double words = mapping.closed(size);
    e.term(name + "_words", words, "words", mapping.meaning);
    e.term(name + "_starts", mapping.starts(size), "transfers", "start-ups of that mapping");
    if (words > 0.0) e.term(name + "_sum_ratio", exact_sum(mapping, size) / words, "", "exact sum over closed form");
  }
}

}  // namespace teslasim
