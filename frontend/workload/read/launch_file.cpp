// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/read/launch_file.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/number_range.h"
#include "sim/base/toml_nesting.h"

namespace teslasim {

namespace {

constexpr const char* schema_name = "teslasim.launch/1";

const std::vector<std::string> launch_keys = {"kernel", "grid",     "block",  "dynamic_shared_bytes",
                                              "param",  "constant", "texture"};
const std::vector<std::string> parameter_keys = {"name",  "type",   "count", "value",  "init",        "seed",
                                                 "range", "stride", "file",  "buffer", "pointer_bits"};
const std::vector<std::string> texture_keys = {"name",        "slot",   "buffer", "type",   "components", "size",
                                               "pitch_bytes", "layout", "read",   "filter", "address",    "normalized",
                                               "init",        "file",   "value",  "seed",   "range"};
const std::vector<std::string> constant_keys = {"bank", "offset", "type", "values", "file"};

std::vector<std::string> top_level_keys() {
  std::vector<std::string> keys = launch_keys;
  for (const char* key : {"schema", "code", "compile", "launch", "expect"}) keys.emplace_back(key);
  return keys;
}

/// What a TOML value is, for messages.
std::string kind_of(const toml::node& node) {
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number with a fraction";
  if (node.is_boolean()) return "a boolean";
  if (node.is_array()) return "an array";
  if (node.is_table()) return "a table";
  return "a date or time";
}

class LaunchFileReader {
 public:
  explicit LaunchFileReader(MistakeList& mistakes) : mistakes_(mistakes) {}

  WorkloadDraft read(const toml::table& root) {
    check_schema(root);
    WorkloadDraft draft;
    draft.code = text(root, "code");
    draft.compile = text(root, "compile");
    draft.defaults = launch(root, top_level_keys(), "key of a launch file");
    draft.defaults.where = {mistakes_.text().name, 1, 1, 1};
    for (const toml::table* table : tables(root, "launch")) {
      draft.launches.push_back(launch(*table, launch_keys, "key of [[launch]]"));
    }
    read_expectations(root, draft);
    return draft;
  }

 private:
  SourceLocation place(const toml::source_region& region) const {
    SourceLocation where{mistakes_.text().name, region.begin.line, region.begin.column, 1};
    if (region.end.line == region.begin.line && region.end.column > region.begin.column) {
      where.length = region.end.column - region.begin.column;
    }
    return where;
  }
  SourceLocation key_place(const toml::table& table, std::string_view wanted) const {
    for (auto&& [key, node] : table) {
      if (key.str() == wanted) return place(key.source());
    }
    return place(table.source());
  }

  void wrong_type(const toml::node& node, std::string_view key, const std::string& wanted) {
    mistakes_.error({"LAUNCH-TYPE",
                     "'" + std::string(key) + "' must be " + wanted + ", not " + kind_of(node),
                     place(node.source()),
                     "",
                     {}});
  }

  void check_keys(const toml::table& table, const std::vector<std::string>& known, const std::string& what) {
    for (auto&& [key, node] : table) {
      const std::string name(key.str());
      if (std::find(known.begin(), known.end(), name) != known.end()) continue;
      mistakes_.error({"LAUNCH-UNKNOWN",
                       "unknown " + what + " '" + name + "'",
                       place(key.source()),
                       did_you_mean(name, known, "the keys are"),
                       {}});
    }
  }

  void check_schema(const toml::table& root) {
    const std::optional<LocatedText> schema = text(root, "schema");
    if (schema && schema->value == schema_name) return;
    const std::string help = std::string("write: schema = \"") + schema_name + "\"";
    if (schema) {
      mistakes_.error(
          {"LAUNCH-SCHEMA", "this program does not know the schema '" + schema->value + "'", schema->where, help, {}});
    } else if (!root.contains("schema")) {
      mistakes_.error(
          {"LAUNCH-SCHEMA", "the launch file does not say its schema", {mistakes_.text().name, 1, 1, 1}, help, {}});
    }
  }

  std::optional<LocatedText> text(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* string = node->as_string()) return LocatedText{string->get(), place(node->source())};
    wrong_type(*node, key, "a string");
    return std::nullopt;
  }

  std::optional<LocatedNumber> number_of(const toml::node& node, std::string_view key, const std::string& wanted) {
    if (const auto* integer = node.as_integer()) return LocatedNumber{integer->get(), place(node.source())};
    if (const auto* real = node.as_floating_point()) return LocatedNumber{real->get(), place(node.source())};
    wrong_type(node, key, wanted);
    return std::nullopt;
  }
  std::optional<LocatedNumber> number(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    return number_of(*node, key, "a number");
  }

  std::optional<Located<bool>> boolean(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    if (const auto* value = node->as_boolean()) return Located<bool>{value->get(), place(node->source())};
    wrong_type(*node, key, "true or false");
    return std::nullopt;
  }

  /// An array of strings; a single string stands for an array of one.
  std::optional<Located<std::vector<LocatedText>>> texts(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    Located<std::vector<LocatedText>> all{{}, place(node->source())};
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      const std::optional<LocatedText> single = text(table, key);
      if (!single) return std::nullopt;
      all.value.push_back(*single);
      return all;
    }
    for (const toml::node& element : *array) {
      if (const auto* string = element.as_string()) {
        all.value.push_back({string->get(), place(element.source())});
      } else {
        wrong_type(element, key, "an array of strings");
      }
    }
    return all;
  }

  /// An array of numbers; a single number stands for an array of one.
  std::optional<LocatedNumbers> numbers(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return std::nullopt;
    LocatedNumbers all{{}, place(node->source())};
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      const std::optional<LocatedNumber> single = number_of(*node, key, "an array of numbers");
      if (!single) return std::nullopt;
      all.value.push_back(*single);
      return all;
    }
    for (const toml::node& element : *array) {
      if (std::optional<LocatedNumber> value = number_of(element, key, "an array of numbers")) {
        all.value.push_back(*value);
      }
    }
    return all;
  }

  /// The tables of an array of tables; a single table stands for an array of one.
  std::vector<const toml::table*> tables(const toml::table& table, std::string_view key) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return {};
    if (const toml::table* single = node->as_table()) return {single};
    const toml::array* array = node->as_array();
    if (array == nullptr) {
      wrong_type(*node, key, "a table or an array of tables");
      return {};
    }
    std::vector<const toml::table*> all;
    for (const toml::node& element : *array) {
      if (const toml::table* one = element.as_table()) {
        all.push_back(one);
      } else {
        wrong_type(element, key, "an array of tables");
      }
    }
    return all;
  }

  LaunchDraft launch(const toml::table& table, const std::vector<std::string>& keys, const std::string& what) {
    const std::size_t errors_before = mistakes_.errors();
    check_keys(table, keys, what);
    LaunchDraft draft;
    draft.where = place(table.source());
    draft.kernel = text(table, "kernel");
    draft.grid = numbers(table, "grid");
    draft.block = numbers(table, "block");
    draft.dynamic_shared_bytes = number(table, "dynamic_shared_bytes");
    draft.damaged = mistakes_.errors() != errors_before;
    if (table.contains("param")) {
      draft.parameters.emplace();
      draft.parameters->where = key_place(table, "param");
      for (const toml::table* entry : tables(table, "param")) add_parameter(*entry, draft.parameters->value);
    }
    for (const toml::table* entry : tables(table, "constant")) draft.constants.push_back(constant(*entry));
    for (const toml::table* entry : tables(table, "texture")) draft.textures.push_back(texture(*entry));
    return draft;
  }

  void add_parameter(const toml::table& table, std::vector<ParameterDraft>& all) {
    const std::size_t errors_before = mistakes_.errors();
    check_keys(table, parameter_keys, "key of a parameter");
    ParameterDraft draft;
    draft.name_only = table.size() == (table.contains("buffer") ? 2U : 1U);
    draft.where = place(table.source());
    const std::optional<LocatedText> name = text(table, "name");
    if (name) {
      draft.name = *name;
    } else if (!table.contains("name")) {
      mistakes_.error({"LAUNCH-MISSING", "a parameter has no name", draft.where, "add: name = \"...\"", {}});
    }
    draft.buffer = text(table, "buffer");
    draft.type = text(table, "type");
    draft.initialiser = text(table, "init");
    draft.file = text(table, "file");
    draft.count = number(table, "count");
    draft.value = number(table, "value");
    draft.seed = number(table, "seed");
    draft.stride = number(table, "stride");
    draft.pointer_bits = number(table, "pointer_bits");
    draft.range = numbers(table, "range");
    draft.damaged = mistakes_.errors() != errors_before;
    all.push_back(std::move(draft));
  }

  ConstantDraft constant(const toml::table& table) {
    const std::size_t errors_before = mistakes_.errors();
    check_keys(table, constant_keys, "key of [constant]");
    ConstantDraft draft;
    draft.where = place(table.source());
    draft.bank = number(table, "bank");
    draft.offset = number(table, "offset");
    draft.type = text(table, "type");
    draft.file = text(table, "file");
    draft.values = numbers(table, "values");
    draft.damaged = mistakes_.errors() != errors_before;
    return draft;
  }

  TextureDraft texture(const toml::table& table) {
    const std::size_t errors_before = mistakes_.errors();
    check_keys(table, texture_keys, "key of [[texture]]");
    TextureDraft draft;
    draft.where = place(table.source());
    if (const std::optional<LocatedText> name = text(table, "name")) draft.name = *name;
    if (!table.contains("name")) {
      mistakes_.error({"LAUNCH-MISSING", "a texture has no name", draft.where, "add: name = \"...\"", {}});
    }
    draft.slot = number(table, "slot");
    draft.buffer = text(table, "buffer");
    draft.type = text(table, "type");
    draft.components = number(table, "components");
    draft.size = numbers(table, "size");
    draft.pitch_bytes = number(table, "pitch_bytes");
    draft.layout = text(table, "layout");
    draft.read = text(table, "read");
    draft.filter = text(table, "filter");
    draft.address = texts(table, "address");
    draft.normalised = boolean(table, "normalized");
    draft.contents.initialiser = text(table, "init");
    draft.contents.file = text(table, "file");
    draft.contents.value = number(table, "value");
    draft.contents.seed = number(table, "seed");
    draft.contents.range = numbers(table, "range");
    draft.damaged = draft.contents.damaged = mistakes_.errors() != errors_before;
    return draft;
  }

  void read_expectations(const toml::table& root, WorkloadDraft& draft) {
    const toml::node* node = root.get("expect");
    if (node == nullptr) return;
    const toml::table* expectations = node->as_table();
    if (expectations == nullptr) return wrong_type(*node, "expect", "a table for each checked buffer: [expect.NAME]");
    for (auto&& [key, entry] : *expectations) {
      if (const toml::table* table = entry.as_table()) {
        draft.expectations.push_back(expectation({std::string(key.str()), place(key.source())}, *table));
      } else {
        wrong_type(entry, "expect." + std::string(key.str()), "a table");
      }
    }
  }

  ExpectationDraft expectation(LocatedText buffer, const toml::table& table) {
    const std::size_t errors_before = mistakes_.errors();
    ExpectationDraft draft;
    draft.where = buffer.where;
    draft.buffer = std::move(buffer);
    draft.builtin = text(table, "builtin");
    draft.file = text(table, "file");
    draft.tolerance_absolute = number(table, "tol_abs");
    draft.tolerance_relative = number(table, "tol_rel");
    for (auto&& [key, node] : table) {
      const std::string name(key.str());
      if (name == "builtin" || name == "file" || name == "tol_abs" || name == "tol_rel") continue;
      add_argument({name, place(key.source())}, node, draft);
    }
    draft.damaged = mistakes_.errors() != errors_before;
    return draft;
  }

  /// An argument of a built-in reference: the name of a parameter, or a number, which is kept as text.
  void add_argument(LocatedText name, const toml::node& node, ExpectationDraft& draft) {
    const SourceLocation where = place(node.source());
    if (const auto* string = node.as_string()) {
      draft.arguments.emplace_back(std::move(name), LocatedText{string->get(), where});
    } else if (const auto* integer = node.as_integer()) {
      draft.arguments.emplace_back(std::move(name), LocatedText{std::to_string(integer->get()), where});
    } else if (const auto* real = node.as_floating_point()) {
      draft.arguments.emplace_back(std::move(name), LocatedText{fmt::format("{}", real->get()), where});
    } else {
      wrong_type(node, name.value, "the name of a parameter or a number");
    }
  }

  MistakeList& mistakes_;
};

}  // namespace

WorkloadDraft read_launch_text(MistakeList& mistakes) {
  std::string whole;
  for (const std::string& line : mistakes.text().lines) whole += line + "\n";
  if (std::optional<SourceLocation> where = too_deep_toml(whole, mistakes.text().name)) {
    mistakes.error({"LAUNCH-SYNTAX", deep_toml_message(), *std::move(where), "", {}});
    return {};
  }
  try {
    const toml::table root = toml::parse(whole, mistakes.text().name);
    return LaunchFileReader(mistakes).read(root);
  } catch (const toml::parse_error& error) {
    const toml::source_position at = error.source().begin;
    const std::string line(mistakes.text().line(at.line));
    const std::string_view number = number_at_end(std::string_view(line).substr(0, at.column - 1));
    if (std::optional<std::string> sentence = number_out_of_range(number)) {
      const auto length = static_cast<std::uint32_t>(number.size());
      mistakes.error(
          {"LAUNCH-RANGE", std::move(*sentence), {mistakes.text().name, at.line, at.column - length, length}, "", {}});
      return {};
    }
    mistakes.error({"LAUNCH-SYNTAX",
                    "this is not TOML: " + std::string(error.description()),
                    {mistakes.text().name, at.line, at.column, 1},
                    "",
                    {}});
    return {};
  }
}

}  // namespace teslasim
