// SPDX-License-Identifier: Apache-2.0
// Declare a statistic once. A structure of counters has one table, `fields`, which gives a visitor a row for each
// member: where it is printed, its unit, its scope and one sentence. Sums, the digest, stats.json, stats.csv, their
// schema, the reference page and `teslasim explain` are derived from that table.
//
//   struct TlbStatistics {
//     std::uint64_t walks = 0;
//     static constexpr auto fields(const auto& visit) {
//       return visit(statistic("walks", &TlbStatistics::walks, "walks", "GPU", "reads of the page table"));
//     }
//   };
//
// launch_statistics.cpp asserts has_a_row_for_every_member<TlbStatistics>.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace teslasim {

/// What is known about a statistic apart from where it is stored.
struct StatisticText {
  const char* path;      ///< below its structure; levels are parted by '/', '*' is the name of an element
  const char* unit;      ///< empty when there is none
  const char* scope;     ///< "launch", "GPU", "SM", "partition"; those of the GPU exist only while time is simulated
  const char* sentence;  ///< meaning
  const char* formula;   ///< empty: counted directly
};

/// How the value of several launches, SMs or caches is made of theirs. `kept`: it is that of the first.
enum class StatisticSum : std::uint8_t { added, greatest, kept };

/// The name of an element of an array; empty when that element is not printed.
using ElementName = std::string (*)(std::size_t position);

/// A counter or an array of counters; without a path, one that is not printed under a path of its own.
template <typename Owner, typename Member>
struct StatisticField {
  StatisticText text;
  Member Owner::*member;
  ElementName name = nullptr;  ///< arrays only
  StatisticSum sum = StatisticSum::added;
  bool in_digest = true;

  [[nodiscard]] constexpr StatisticField with(StatisticSum how) const {
    StatisticField field = *this;
    field.sum = how;
    return field;
  }
  [[nodiscard]] constexpr StatisticField with_formula(const char* formula) const {
    StatisticField field = *this;
    field.text.formula = formula;
    return field;
  }
  /// For what other members imply or what depends on how much of a run is kept.
  [[nodiscard]] constexpr StatisticField outside_digest() const {
    StatisticField field = *this;
    field.in_digest = false;
    return field;
  }
};

/// A structure with a table of its own, printed below `path`.
template <typename Owner, typename Part>
struct StatisticPart {
  const char* path;
  Part Owner::*member;
  const char* only_timed = "";  ///< why it is absent in functional mode, whatever its scope; empty: as its rows say
  const char* renamed = "";     ///< a row of the part ...
  const char* name = "";        ///< ... and what it is called here
  const char* hidden = "";      ///< a row of the part that is always 0 here

  [[nodiscard]] constexpr StatisticPart timed(const char* why) const {
    StatisticPart part = *this;
    part.only_timed = why;
    return part;
  }
  [[nodiscard]] constexpr StatisticPart with_name(const char* row, const char* shown) const {
    StatisticPart part = *this;
    part.renamed = row;
    part.name = shown;
    return part;
  }
  [[nodiscard]] constexpr StatisticPart without(const char* row) const {
    StatisticPart part = *this;
    part.hidden = row;
    return part;
  }
};

/// A list of structures with a table: one for each SM, partition or instruction.
template <typename Owner, typename Row>
struct StatisticRows {
  const char* path;  ///< empty: not in stats.json
  std::vector<Row> Owner::*member;
};

/// The quotient of two members, printed beside them.
template <typename Owner>
struct StatisticRatio {
  StatisticText text;
  std::uint64_t Owner::*dividend;
  std::uint64_t Owner::*divisor;
  const char* why;  ///< there is none
};

template <typename Owner, typename Member>
constexpr auto statistic(const char* path, Member Owner::*member, const char* unit, const char* scope,
                         const char* sentence) {
  return StatisticField<Owner, Member>{{path, unit, scope, sentence, ""}, member};
}

template <typename Owner, typename Member>
constexpr auto statistic(const char* path, Member Owner::*member, ElementName name, const char* unit, const char* scope,
                         const char* sentence) {
  return StatisticField<Owner, Member>{{path, unit, scope, sentence, ""}, member, name};
}

/// A member that reports print in a form of their own, or use without printing it.
template <typename Owner, typename Member>
constexpr auto unprinted(Member Owner::*member) {
  return StatisticField<Owner, Member>{{"", "", "", "", ""}, member};
}

/// What a launch is, not what it counted: part of the digest, the same in a sum.
template <typename Owner, typename Member>
constexpr auto launch_fact(Member Owner::*member) {
  return unprinted(member).with(StatisticSum::kept);
}

template <typename Owner, typename Part>
constexpr auto statistic_part(const char* path, Part Owner::*member) {
  return StatisticPart<Owner, Part>{path, member};
}

template <typename Owner, typename Row>
constexpr auto statistic_rows(const char* path, std::vector<Row> Owner::*member) {
  return StatisticRows<Owner, Row>{path, member};
}

template <typename Owner>
constexpr auto statistic_ratio(const char* path, std::uint64_t Owner::*dividend, std::uint64_t Owner::*divisor,
                               const char* why, const char* scope, const char* sentence, const char* formula) {
  return StatisticRatio<Owner>{{path, "ratio", scope, sentence, formula}, dividend, divisor, why};
}

namespace statistic_detail {

/// Stands for any member in `Owner{...}`; never evaluated.
struct AnyMember {
  template <typename Member>
  operator Member() const;  // NOLINT(google-explicit-constructor): initialises members of every type
};

/// How many members an aggregate has: how many initialisers it takes.
template <typename Owner, typename... Members>
consteval std::size_t member_count() {
  if constexpr (requires { Owner{Members{}..., AnyMember{}}; }) {
    return member_count<Owner, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

template <typename Row>
concept names_a_member = requires(const Row& row) {
  row.member;
};

template <typename First, typename Second>
constexpr bool same_member(const First& first, const Second& second) {
  if constexpr (requires { first.member == second.member; }) {
    return first.member == second.member;
  } else {
    return false;
  }
}

/// How many rows name a member, each of which may be named once; 0 when one is named twice.
template <typename... Rows>
constexpr std::size_t members_named(const Rows&... rows) {
  const auto rows_like = [&](const auto& row) { return (std::size_t{0} + ... + (same_member(row, rows) ? 1U : 0U)); };
  return ((rows_like(rows) <= 1) && ...) ? (std::size_t{0} + ... + (names_a_member<Rows> ? 1U : 0U)) : 0;
}

}  // namespace statistic_detail

/// A counter without a row, or with two, would be left out of sums and of the digest, or counted twice.
template <typename Owner>
inline constexpr bool has_a_row_for_every_member = Owner::fields([](const auto&... rows) {
                                                     return statistic_detail::members_named(rows...);
                                                   }) == statistic_detail::member_count<Owner>();

}  // namespace teslasim
