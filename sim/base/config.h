// SPDX-License-Identifier: Apache-2.0
// Declare a parameter once. A spec is a plain struct with default values and one table, `fields`, that gives each
// member its key, its allowed values, its unit and its meaning. Loading, checking, dumping, the reference manual and
// the JSON Schema are all derived from that table; no component reads a file.
//
//   struct DramSpec {
//     unsigned partitions = 8;
//     static constexpr auto fields(const auto& visit) {
//       return visit(field("partitions", &DramSpec::partitions, 1, 16, "partitions", "memory partitions"));
//     }
//   };
//
// Members may be unsigned, double, bool or std::string; nested specs are sections. Keys of nested specs are joined with
// dots ("sm.shared.banks").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace teslasim {

/// The allowed values lie between `low` and `high`, both included, and are powers of two.
struct power_of_two {
  unsigned low;
  unsigned high;
};

/// The allowed values are these names.
struct choice {
  std::array<const char*, 8> names{};
  std::size_t count = 0;
  template <typename... Names>
  constexpr explicit choice(Names... list) : names{list...}, count{sizeof...(list)} {}
};

/// What is known about one parameter apart from where it is stored.
struct FieldInfo {
  enum class Kind : std::uint8_t { whole_number, real_number, truth, text };

  const char* key;   ///< last part of the dotted key
  const char* unit;  ///< empty when there is none
  const char* text;  ///< meaning, one line
  Kind kind = Kind::text;
  double minimum = 0.0;  ///< numbers only; whole numbers are exact in a double
  double maximum = 0.0;
  bool only_powers_of_two = false;
  choice choices{};       ///< text only; empty = any text
  const char* also = "";  ///< another dotted key that users look for; empty when there is none
};

template <typename Owner, typename Member>
struct Field {
  FieldInfo info;
  Member Owner::*member;

  /// The same parameter, also known by the dotted key `other`.
  [[nodiscard]] constexpr Field also_as(const char* other) const {
    Field field = *this;
    field.info.also = other;
    return field;
  }
};

template <typename Owner, typename Part>
struct Section {
  const char* key;
  Part Owner::*member;
  const char* text;
};

template <typename Owner>
constexpr auto field(const char* key, unsigned Owner::*member, unsigned minimum, unsigned maximum, const char* unit,
                     const char* text) {
  return Field<Owner, unsigned>{{key, unit, text, FieldInfo::Kind::whole_number, static_cast<double>(minimum),
                                 static_cast<double>(maximum), false, choice{}},
                                member};
}

template <typename Owner>
constexpr auto field(const char* key, unsigned Owner::*member, power_of_two range, const char* unit, const char* text) {
  return Field<Owner, unsigned>{{key, unit, text, FieldInfo::Kind::whole_number, static_cast<double>(range.low),
                                 static_cast<double>(range.high), true, choice{}},
                                member};
}

template <typename Owner>
constexpr auto field(const char* key, double Owner::*member, double minimum, double maximum, const char* unit,
                     const char* text) {
  return Field<Owner, double>{{key, unit, text, FieldInfo::Kind::real_number, minimum, maximum, false, choice{}},
                              member};
}

template <typename Owner>
constexpr auto field(const char* key, std::string Owner::*member, choice choices, const char* unit, const char* text) {
  return Field<Owner, std::string>{{key, unit, text, FieldInfo::Kind::text, 0.0, 0.0, false, choices}, member};
}

template <typename Owner>
constexpr auto field(const char* key, bool Owner::*member, const char* unit, const char* text) {
  return Field<Owner, bool>{{key, unit, text, FieldInfo::Kind::truth, 0.0, 1.0, false, choice{}}, member};
}

template <typename Owner>
constexpr auto text_field(const char* key, std::string Owner::*member, const char* text) {
  return Field<Owner, std::string>{{key, "", text, FieldInfo::Kind::text, 0.0, 0.0, false, choice{}}, member};
}

template <typename Owner, typename Part>
constexpr auto section(const char* key, Part Owner::*member, const char* text) {
  return Section<Owner, Part>{key, member, text};
}

namespace config_detail {

template <typename Spec, typename Owner, typename Member, typename Visitor>
void visit(Spec& spec, const std::string& prefix, const Field<Owner, Member>& field, Visitor& visitor) {
  visitor.on_field(prefix + field.info.key, field.info, spec.*(field.member));
}

template <typename Spec, typename Visitor>
void visit_all(Spec& spec, const std::string& prefix, Visitor& visitor);

template <typename Spec, typename Owner, typename Part, typename Visitor>
void visit(Spec& spec, const std::string& prefix, const Section<Owner, Part>& part, Visitor& visitor) {
  visitor.on_section(prefix + part.key, part.text);
  visit_all(spec.*(part.member), prefix + part.key + ".", visitor);
}

template <typename Spec, typename Visitor>
void visit_all(Spec& spec, const std::string& prefix, Visitor& visitor) {
  Spec::fields([&](const auto&... entries) { (visit(spec, prefix, entries, visitor), ...); });
}

}  // namespace config_detail

/// Walks a spec in declaration order. The visitor has `on_field(dotted key, FieldInfo, value reference)`, called for
/// each member with its own type, and `on_section(dotted key, text)`, called before the members of a nested spec.
template <typename Spec, typename Visitor>
void visit_fields(Spec& spec, Visitor&& visitor) {
  config_detail::visit_all(spec, std::string{}, visitor);
}

/// One parameter without its type: what the loader, the dump and the manual work on.
struct FieldSlot {
  std::string key;  ///< dotted
  FieldInfo info;
  std::variant<unsigned*, double*, bool*, std::string*> value;
};

struct SectionInfo {
  std::string key;  ///< dotted
  std::string text;
};

/// Every parameter of a spec, in declaration order. The slots point into the spec, which must outlive them.
struct FieldList {
  std::vector<FieldSlot> slots;
  std::vector<SectionInfo> sections;

  template <typename Value>
  void on_field(std::string key, const FieldInfo& info, Value& value) {
    slots.push_back({std::move(key), info, &value});
  }
  void on_section(std::string key, const char* text) { sections.push_back({std::move(key), text}); }
};

template <typename Spec>
[[nodiscard]] FieldList collect_fields(Spec& spec) {
  FieldList list;
  visit_fields(spec, list);
  return list;
}

}  // namespace teslasim
