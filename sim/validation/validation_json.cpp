// SPDX-License-Identifier: Apache-2.0
#include "sim/validation/validation_json.h"

#include <nlohmann/json.hpp>

#include "sim/base/json_text.h"
#include "sim/report/text/format.h"

namespace teslasim {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const ValidatedRow& row) {
  const PublishedRow& published = row.published;
  Json json;
  json["id"] = published.id;
  json["experiment"] = published.experiment;
  json["machine"] = published.machine;
  json["condition"] = published.condition;
  json["published"] = published.number() ? Json(*published.number()) : Json(published.value);
  json["unit"] = published.unit;
  json["confidence"] = published.confidence;
  json["simulated"] = nullptr;
  if (row.simulated.number) json["simulated"] = *row.simulated.number;
  if (!row.simulated.word.empty()) json["simulated"] = row.simulated.word;
  json["error_pct"] = row.error_percent ? Json(*row.error_percent) : Json(nullptr);
  json["counted"] = published.counted();
  json["verdict"] = name_of(row.verdict);
  if (row.verdict == RowVerdict::not_simulated) json["why"] = row.simulated.why;
  return json;
}

Json summary_json(const ValidationSummary& summary) {
  return {{"rows", summary.rows},
          {"counted", summary.counted},
          {"within", summary.within},
          {"mean_abs_error_pct", summary.mean_abs_error_percent},
          {"max_abs_error_pct", summary.max_abs_error_percent}};
}

}  // namespace

std::string validation_json(const ValidationResult& result) {
  Json json;
  json["schema"] = "teslasim.validation/1";
  if (result.limited() != 0) json["status"] = "limit";
  json["rows"] = Json::array();
  for (const ValidatedRow& row : result.rows) json["rows"].push_back(row_json(row));
  json["summary"] = summary_json(result.micro_benchmarks().summary());
  json["whole_kernels"] = summary_json(result.whole_kernels().summary());
  json["digest"] = digest_text(result.digest());
  return json_text(json, 2) + "\n";
}

}  // namespace teslasim
