// SPDX-License-Identifier: Apache-2.0
#include "sim/model/given_file.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/base/config_document.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr const char* schema_name = "teslasim.model_inputs/1";
constexpr std::string_view prefix = "inputs.";

/// "stage.0.mad_insts" is "stage.#.mad_insts".
bool takes(const Model& model, std::string_view name) {
  const InputInfo* info = find_input_info(name);
  const std::string_view wanted = info != nullptr ? info->name : name;
  return std::any_of(model.inputs.begin(), model.inputs.end(), [wanted](std::string_view input) {
    return input == wanted || (input.ends_with('?') && input.substr(0, input.size() - 1) == wanted);
  });
}

std::vector<std::string> names_of(const Model& model) {
  std::vector<std::string> names;
  for (std::string_view input : model.inputs) {
    if (input.ends_with('?')) input.remove_suffix(1);
    names.emplace_back(input);
  }
  return names;
}

std::string short_number(double value) {
  std::string text = std::to_string(value);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text;
}

class Reader {
 public:
  Reader(const std::string& place, const std::string& text, const std::string& model)
      : place_(place), model_name_(model), document_(parse_config(place, text, problems_)) {}

  GivenInputs read() {
    header();
    find();
    if (given_.model != nullptr) {
      for (const ConfigEntry& entry : document_.entries) take(entry);
    }
    if (problems_.has_errors()) throw InputError(ExitCode::configuration, problems_.all());
    return std::move(given_);
  }

 private:
  void problem(const char* code, const ConfigEntry* entry, bool at_value, std::string message, std::string help) {
    Diagnostic diagnostic;
    diagnostic.code = code;
    diagnostic.message = std::move(message);
    diagnostic.help = std::move(help);
    diagnostic.where.file = place_;
    if (entry != nullptr) {
      diagnostic.where = at_value ? entry->value_place : entry->key_place;
      diagnostic.excerpt = at_value ? entry->value_line : entry->key_line;
    }
    problems_.add(std::move(diagnostic));
  }

  void header() {
    bool schema = false;
    for (const ConfigEntry& entry : document_.entries) {
      const auto* word = std::get_if<std::string>(&entry.value);
      if (entry.key == "schema") {
        schema = true;
        if (word == nullptr || *word != schema_name) {
          problem("GIVEN-SCHEMA", &entry, true, "this is not a file of model inputs",
                  std::string("write schema = \"") + schema_name + "\"");
        }
      } else if (entry.key == "model" && word != nullptr) {
        if (!model_name_.empty()) continue;  // named on the command line
        model_name_ = *word;
        model_entry_ = &entry;
      }
    }
    if (!schema && document_.complete) {
      problem("GIVEN-SCHEMA", nullptr, false, "the file does not say what it is",
              std::string("begin it with schema = \"") + schema_name + "\"");
    }
  }

  void find() {
    std::vector<std::string> names;
    for (const Model& model : models()) names.emplace_back(model.name);
    if (model_name_.empty()) {
      return problem("GIVEN-MODEL", nullptr, false, "it is not said which model the inputs are for",
                     "add model = \"hong-kim\" to the file or --model hong-kim to the command");
    }
    given_.model = find_model(model_name_);
    if (given_.model != nullptr) return;
    const std::string near = nearest_word(model_name_, names);
    if (model_entry_ == nullptr) place_ = "--model " + model_name_;
    problem("GIVEN-MODEL", model_entry_, true, "there is no model '" + model_name_ + "'",
            near.empty() ? "teslasim models --list shows the models" : "did you mean '" + near + "'?");
  }

  void take(const ConfigEntry& entry) {
    if (entry.kind == ConfigEntry::Kind::table || entry.key == "schema" || entry.key == "model") return;
    if (!entry.key.starts_with(prefix)) {
      return problem("GIVEN-UNKNOWN", &entry, false, "unknown key '" + entry.key + "'", "inputs stand below [inputs]");
    }
    const std::string name = entry.key.substr(prefix.size());
    if (!takes(*given_.model, name)) {
      const std::string near = nearest_word(name, names_of(*given_.model));
      return problem("GIVEN-UNKNOWN", &entry, false,
                     "the model '" + std::string(given_.model->name) + "' has no input '" + name + "'",
                     near.empty() ? "teslasim explain " + std::string(given_.model->name) + " lists its inputs"
                                  : "did you mean '" + near + "'?");
    }
    const std::string origin =
        place_ + ":" + std::to_string(entry.value_place.line) + (entry.source.empty() ? "" : " (" + entry.source + ")");
    for (const WordInputInfo& row : word_input_table()) {
      if (row.name == name) return take_word(entry, row, origin);
    }
    take_number(entry, name, origin);
  }

  void take_word(const ConfigEntry& entry, const WordInputInfo& row, const std::string& origin) {
    const auto* word = std::get_if<std::string>(&entry.value);
    if (word != nullptr && std::find(row.words.begin(), row.words.end(), *word) != row.words.end()) {
      return given_.inputs.set_word(std::string(row.name), *word, InputOrigin::given, origin);
    }
    std::string words;
    for (const std::string_view allowed : row.words) words += (words.empty() ? "" : ", ") + std::string(allowed);
    problem("GIVEN-VALUE", &entry, true, "'" + std::string(row.name) + "' must be one of: " + words, "");
  }

  void take_number(const ConfigEntry& entry, const std::string& name, const std::string& origin) {
    const InputInfo& info = *find_input_info(name);
    double value = 0.0;
    if (entry.kind == ConfigEntry::Kind::whole_number) {
      value = static_cast<double>(std::get<std::int64_t>(entry.value));
    } else if (entry.kind == ConfigEntry::Kind::real_number) {
      value = std::get<double>(entry.value);
    } else {
      return problem("GIVEN-VALUE", &entry, true, "'" + name + "' must be a number, got " + entry.kind_name, "");
    }
    if (!(value >= info.minimum && value <= info.maximum)) {
      return problem("GIVEN-VALUE", &entry, true,
                     "'" + name + "' must lie between " + short_number(info.minimum) + " and " +
                         short_number(info.maximum) + ", got " + short_number(value),
                     std::string(info.meaning));
    }
    given_.inputs.set(name, value, InputOrigin::given, origin);
  }

  std::string place_;
  std::string model_name_;
  Diagnostics problems_;
  ConfigDocument document_;
  const ConfigEntry* model_entry_ = nullptr;
  GivenInputs given_;
};

}  // namespace

GivenInputs read_given_inputs(const std::string& place, const std::string& text, const std::string& model) {
  return Reader(place, text, model).read();
}

}  // namespace teslasim
