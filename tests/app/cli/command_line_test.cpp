// SPDX-License-Identifier: Apache-2.0
#include "sim/app/cli/command_line.h"

#include <gtest/gtest.h>

#include <array>

#include "sim/app/cli/command.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

constexpr std::array<Option, 6> table{{
    {"config", 'c', Arity::values, "CONFIG", "machine"},
    {"out", 'o', Arity::value, "DIR", "folder"},
    {"json", 0, Arity::optional_value, "FILE", "json"},
    {"no-out", 0, Arity::flag, "", "nothing", Listing::rare},
    {"max", 0, Arity::value, "N", "limit"},
    {"serve", 0, Arity::optional_number, "PORT", "live view"},
}};

ParsedOptions parse(const Arguments& arguments) {
  return parse_options(arguments, with_common(table), "run");
}

std::string refusal(const Arguments& arguments) {
  try {
    (void)parse(arguments);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::usage);
    const Diagnostic& diagnostic = error.diagnostics().front();
    return diagnostic.code + ": " + diagnostic.message + " / " + diagnostic.help;
  }
  return "accepted";
}

TEST(CommandLine, options_and_inputs_may_be_mixed) {
  const ParsedOptions options = parse({"a.asm", "-c", "gtx280", "-cmy.toml", "--config=other.toml", "--no-out", "b"});
  EXPECT_EQ(options.inputs(), (std::vector<std::string>{"a.asm", "b"}));
  EXPECT_EQ(options.all("config"), (std::vector<std::string>{"gtx280", "my.toml", "other.toml"}));
  EXPECT_TRUE(options.has("no-out"));
  EXPECT_FALSE(options.has("out"));
  EXPECT_EQ(options.text("out", "runs"), "runs");
}

TEST(CommandLine, a_dash_is_a_value_of_json) {
  EXPECT_EQ(parse({"--json", "-", "a.asm"}).text("json"), "-");
  EXPECT_EQ(parse({"--json", "a.asm"}).text("json"), "-");
  EXPECT_EQ(parse({"--json", "a.asm"}).inputs().size(), 1U);
  EXPECT_EQ(parse({"--json=x.json"}).text("json"), "x.json");
}

TEST(CommandLine, flags_may_be_repeated) {
  EXPECT_EQ(parse({"-v", "-v", "--verbose"}).count("verbose"), 3U);
}

TEST(CommandLine, negative_numbers_are_values) {
  EXPECT_EQ(parse({"--max=-1"}).text("max"), "-1");
}

TEST(CommandLine, abbreviations_are_not_guessed) {
  EXPECT_EQ(refusal({"--conf", "x"}), "CLI-OPTION: unknown option '--conf' / did you mean '--config'?");
}

TEST(CommandLine, unknown_options_are_named_as_typed) {
  EXPECT_EQ(refusal({"--jsn=3"}), "CLI-OPTION: unknown option '--jsn' / did you mean '--json'?");
  EXPECT_EQ(refusal({"-x"}), "CLI-OPTION: unknown option '-x' / teslasim run --help-all lists the options");
  EXPECT_EQ(refusal({"--machine", "x"}), "CLI-OPTION: unknown option '--machine' / did you mean '--config CONFIG'?");
  EXPECT_EQ(refusal({"-mx"}), "CLI-OPTION: unknown option '-mx' / did you mean '--config CONFIG'?");
}

TEST(CommandLine, long_names_have_two_dashes) {
  EXPECT_EQ(refusal({"-config", "x"}), "CLI-OPTION: unknown option '-config' / did you mean '--config'?");
  EXPECT_EQ(refusal({"-out=x"}), "CLI-OPTION: unknown option '-out' / did you mean '--out'?");
  EXPECT_EQ(refusal({"-max=1"}), "CLI-OPTION: unknown option '-max' / did you mean '--max'?") << "-m has a row";
  EXPECT_EQ(parse({"-outside"}).text("out"), "utside");
}

TEST(CommandLine, values_are_needed_and_given_once) {
  EXPECT_NE(refusal({"--out"}).find("CLI-VALUE"), std::string::npos);
  EXPECT_EQ(refusal({"--out", "a", "--out", "b"}), "CLI-TWICE: option '--out' is given twice / give it once");
  EXPECT_NE(refusal({"--no-out=1"}).find("CLI-VALUE"), std::string::npos);
}

TEST(CommandLine, numbers_are_whole_and_in_range) {
  EXPECT_EQ(parse({"--max", "12"}).number("max", 0), 12U);
  EXPECT_EQ(parse({}).number("max", 7), 7U);
  EXPECT_THROW((void)parse({"--max", "1e6"}).number("max", 0), InputError);
  EXPECT_THROW((void)parse({"--max", "65"}).number("max", 0, 64), InputError);
  EXPECT_THROW((void)parse({"--max=-1"}).number("max", 0), InputError);
  EXPECT_DOUBLE_EQ(parse({"--max", "0.5"}).real("max", 0.0), 0.5);
  EXPECT_THROW((void)parse({"--max", "nan"}).real("max", 0.0), InputError);
}

TEST(CommandLine, an_optional_number_may_be_the_next_word) {
  EXPECT_EQ(parse({"--serve", "8080", "a.asm"}).number("serve", 0), 8080U);
  EXPECT_EQ(parse({"--serve=8080", "a.asm"}).number("serve", 0), 8080U);
  const ParsedOptions alone = parse({"--serve", "a.asm"});
  EXPECT_EQ(alone.text("serve"), "0");
  EXPECT_EQ(alone.inputs(), (std::vector<std::string>{"a.asm"}));
  EXPECT_EQ(parse({"a.asm", "--serve"}).text("serve"), "0");
  EXPECT_EQ(refusal({"--serve", "1", "--serve"}), "CLI-TWICE: option '--serve' is given twice / give it once");
  EXPECT_NE(option_help(table, Listing::common).find("--serve[=PORT]"), std::string::npos);
}

TEST(CommandLine, choices_list_what_is_allowed) {
  constexpr std::array<std::string_view, 2> modes{"timing", "functional"};
  EXPECT_EQ(parse({}).choice("max", modes), "timing");
  EXPECT_EQ(parse({"--max", "functional"}).choice("max", modes), "functional");
  EXPECT_THROW((void)parse({"--max", "funktional"}).choice("max", modes), InputError);
}

TEST(CommandLine, help_lists_common_options_and_help_all_every_one) {
  EXPECT_EQ(option_help(table, Listing::common).find("--no-out"), std::string::npos);
  EXPECT_NE(option_help(table, Listing::rare).find("--no-out"), std::string::npos);
  EXPECT_NE(option_help(table, Listing::common).find("  -c, --config CONFIG"), std::string::npos);
}

}  // namespace
}  // namespace teslasim
