// SPDX-License-Identifier: Apache-2.0
#include "sim/base/config_loader.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/config_assign.h"
#include "sim/base/config_document.h"

namespace teslasim {

namespace {

constexpr std::size_t deepest_chain = 16;

/// The line that asked for a layer: `extends = "..."`, or nothing for the command line.
struct Reference {
  std::string name;
  std::string beside;
  SourceLocation where;
  std::string excerpt;
};

class Loader {
 public:
  Loader(const FieldList& fields, const ConfigRequest& request) : fields_(fields), request_(request) {
    for (const FieldSlot& slot : fields.slots) {
      slots_.emplace(slot.key, &slot);
      if (slot.info.also[0] != '\0') slots_.emplace(slot.info.also, &slot);
    }
    for (const SectionInfo& section : fields.sections) sections_.push_back(section.key);
  }

  [[nodiscard]] LoadedConfig load() {
    for (const std::string& name : request_.layers) load_layer({name, "", {}, ""});
    for (const std::string& text : request_.sets) {
      const ConfigDocument document = parse_override(text, problems_);
      for (const ConfigEntry& entry : document.entries) apply(entry, "--set");
      ++layer_;
    }
    if (problems_.has_errors()) throw InputError(ExitCode::configuration, problems_.all());
    return std::move(result_);
  }

 private:
  void load_layer(const Reference& reference) {
    const std::optional<ConfigText> text = find(reference);
    if (!text) return;
    const bool seen = std::find(chain_.begin(), chain_.end(), text->place) != chain_.end();
    if (seen) return report_chain(reference, text->place, "CFG-CYCLE", "'" + text->place + "' would extend itself");
    if (chain_.size() >= deepest_chain) {
      return report_chain(reference, text->place, "CFG-DEEP",
                          "files that extend each other are at most " + std::to_string(deepest_chain) + " deep");
    }
    const std::shared_ptr<const ConfigDocument> parsed = parse(*text);
    const ConfigDocument& document = *parsed;
    chain_.push_back(text->place);
    check_schema(document, text->place);
    load_parent(document, text->place);
    rejected_.clear();
    for (const ConfigEntry& entry : document.entries) {
      if (entry.key == "schema" || entry.key == "extends") continue;
      apply(entry, text->preset ? text->place : text->place + ":" + std::to_string(entry.value_place.line));
    }
    chain_.pop_back();
    ++layer_;
  }

  [[nodiscard]] std::shared_ptr<const ConfigDocument> parse(const ConfigText& layer) {
    const bool shared = layer.preset && request_.parsed != nullptr;
    if (shared) {
      if (const auto found = request_.parsed->find(layer.place); found != request_.parsed->end()) return found->second;
    }
    auto document = std::make_shared<const ConfigDocument>(parse_config(layer.place, layer.text, problems_));
    if (shared && document->complete) request_.parsed->emplace(layer.place, document);
    return document;
  }

  [[nodiscard]] std::optional<ConfigText> find(const Reference& reference) {
    try {
      return request_.resolve(reference.name, reference.beside);
    } catch (const InputError& error) {
      if (error.exit_code() == ExitCode::usage) throw;  // the command line is wrong, not a machine file
      for (Diagnostic diagnostic : error.diagnostics()) {
        if (!reference.excerpt.empty()) {
          diagnostic.where = reference.where;
          diagnostic.excerpt = reference.excerpt;
        }
        problems_.add(std::move(diagnostic));
      }
      return std::nullopt;
    }
  }

  void report_chain(const Reference& reference, const std::string& place, const char* code, std::string message) {
    Diagnostic problem = at(reference.where, reference.excerpt, code, std::move(message));
    std::string path;
    for (const std::string& link : chain_) path += link + " extends ";
    problem.notes.push_back(path + place);
    problem.help = "remove one of these 'extends' lines";
    problems_.add(std::move(problem));
  }

  void check_schema(const ConfigDocument& document, const std::string& place) {
    const ConfigEntry* entry = find_entry(document, "schema");
    const std::string line = "schema = \"" + request_.schema + "\"";
    if (entry == nullptr) {
      if (!document.complete) return;
      Diagnostic problem = at({place, 0, 0, 1}, "", "CFG-SCHEMA", "the file does not say which schema it follows");
      problem.help = "add this as its first line: " + line;
      return problems_.add(std::move(problem));
    }
    const auto* text = std::get_if<std::string>(&entry->value);
    if (entry->kind == ConfigEntry::Kind::text && text != nullptr && *text == request_.schema) return;
    Diagnostic problem = at(entry->value_place, entry->value_line, "CFG-SCHEMA",
                            "this is not a file of schema '" + request_.schema + "'");
    problem.help = "write " + line;
    problems_.add(std::move(problem));
  }

  void load_parent(const ConfigDocument& document, const std::string& place) {
    const ConfigEntry* entry = find_entry(document, "extends");
    if (entry == nullptr) return;
    if (entry->kind == ConfigEntry::Kind::list) {
      for (const std::string& parent : std::get<std::vector<std::string>>(entry->value)) {
        load_layer({parent, place, entry->value_place, entry->value_line});
      }
      return;
    }
    if (entry->kind != ConfigEntry::Kind::text) {
      return problems_.add(at(entry->value_place, entry->value_line, "CFG-TYPE",
                              std::string("'extends' must be a string or a list of at least one string, and of nothing "
                                          "else; got ") +
                                  entry->kind_name));
    }
    load_layer({std::get<std::string>(entry->value), place, entry->value_place, entry->value_line});
  }

  [[nodiscard]] static const ConfigEntry* find_entry(const ConfigDocument& document, std::string_view key) {
    const auto found = std::find_if(document.entries.begin(), document.entries.end(),
                                    [&](const ConfigEntry& entry) { return entry.key == key; });
    return found == document.entries.end() ? nullptr : &*found;
  }

  void apply(const ConfigEntry& entry, std::string origin) {
    if (is_below_rejected(entry.key)) return;
    const bool is_section = std::find(sections_.begin(), sections_.end(), entry.key) != sections_.end();
    if (is_section) {
      if (entry.kind != ConfigEntry::Kind::table) problems_.add(section_problem(entry));
      return;
    }
    const auto found = slots_.find(entry.key);
    if (found == slots_.end()) return report_unknown(entry);
    if (std::optional<Diagnostic> problem = assign(*found->second, entry)) {
      if (entry.kind == ConfigEntry::Kind::table) rejected_.push_back(entry.key + ".");
      return problems_.add(std::move(*problem));
    }
    result_.settings[found->second->key] = {layer_, entry.value_place, entry.value_line, std::move(origin),
                                            entry.source};
  }

  /// An unknown table is one mistake, not one per member.
  [[nodiscard]] bool is_below_rejected(const std::string& key) const {
    return std::any_of(rejected_.begin(), rejected_.end(),
                       [&](const std::string& prefix) { return key.compare(0, prefix.size(), prefix) == 0; });
  }

  void report_unknown(const ConfigEntry& entry) {
    if (entry.kind == ConfigEntry::Kind::table) rejected_.push_back(entry.key + ".");
    Diagnostic problem = at(entry.key_place, entry.key_line, "CFG-UNKNOWN", "unknown key '" + entry.key + "'");
    const std::string suggestion = suggest(entry);
    if (!suggestion.empty()) problem.help = "did you mean '" + suggestion + "'?";
    problems_.add(std::move(problem));
  }

  [[nodiscard]] std::string suggest(const ConfigEntry& entry) const {
    if (entry.kind == ConfigEntry::Kind::table) return nearest_word(entry.key, sections_);
    std::vector<std::string> keys;
    for (const FieldSlot& slot : fields_.slots) keys.push_back(slot.key);
    const std::string nearest = nearest_word(entry.key, keys);
    if (!nearest.empty()) return nearest;
    // The right name in the wrong table.
    const auto last_part = [](const std::string& key) { return key.substr(key.rfind('.') + 1); };
    const std::string wanted = last_part(entry.key);
    for (const std::string& key : keys) {
      if (last_part(key) == wanted) return key;
    }
    return {};
  }

  [[nodiscard]] static Diagnostic section_problem(const ConfigEntry& entry) {
    return at(entry.value_place, entry.value_line, "CFG-TYPE",
              "'" + entry.key + "' is a table of keys, got " + entry.kind_name);
  }

  [[nodiscard]] static Diagnostic at(const SourceLocation& where, const std::string& excerpt, const char* code,
                                     std::string message) {
    Diagnostic problem;
    problem.code = code;
    problem.message = std::move(message);
    problem.where = where;
    problem.excerpt = excerpt;
    return problem;
  }

  const FieldList& fields_;
  const ConfigRequest& request_;
  std::map<std::string, const FieldSlot*, std::less<>> slots_;
  std::vector<std::string> sections_;
  std::vector<std::string> chain_;
  std::vector<std::string> rejected_;  ///< prefixes of the tables of this layer that were refused as a whole
  std::size_t layer_ = 0;
  Diagnostics problems_;
  LoadedConfig result_;
};

}  // namespace

LoadedConfig load_config(const FieldList& fields, const ConfigRequest& request) {
  return Loader(fields, request).load();
}

}  // namespace teslasim
