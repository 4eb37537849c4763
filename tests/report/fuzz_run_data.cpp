// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as the stats.json of a run, and as conditions on it: refused with an InputError, or read and
// compared.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "sim/report/compare/compare.h"
#include "sim/report/result/expectation.h"
#include "sim/report/result/run_data.h"
#include "sim/report/result/stats_json.h"
#include "tests/report/sample_result.h"
#include "tests/support/fuzz_attempt.h"

namespace {

using namespace teslasim;
using test::attempt;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const RunData run = RunData::from_json("001-copy-gtx280", stats_json(test::sample_result()));
  const std::string text(reinterpret_cast<const char*>(data), size);  // NOLINT: bytes as text
  attempt([&] {
    const RunData other = RunData::from_json("002-fuzz-gtx280", text);
    (void)compare_text({run, other}, {.all = true});
  });
  // Conditions are short.
  constexpr std::size_t longest_condition = 200;
  if (size > longest_condition) return 0;
  attempt([&] { validate_expectations({text}); });
  attempt([&] {
    const ChangeLimit limit = parse_change_limit(text);
    const CheckedLimit checked = check_limit(limit, {run, run});
    if (limit_report({checked}).empty()) std::abort();
  });
  return 0;
}
