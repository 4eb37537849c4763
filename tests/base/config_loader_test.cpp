// SPDX-License-Identifier: Apache-2.0
// Configuration files: layers, places, messages.
#include "sim/base/config_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace teslasim {
namespace {

struct SharedSpec {
  unsigned banks = 16;
  static constexpr auto fields(const auto& visit) {
    return visit(field("banks", &SharedSpec::banks, power_of_two{1, 64}, "banks", "independent banks"));
  }
};

struct ToySpec {
  unsigned warps = 24;
  double clock_mhz = 1350.0;
  bool dual = true;
  std::string policy = "oldest";
  std::string name;
  SharedSpec shared;
  static constexpr auto fields(const auto& visit) {
    return visit(field("warps", &ToySpec::warps, 1, 32, "warps", "warps resident at once"),
                 field("clock_mhz", &ToySpec::clock_mhz, 1.0, 9999.0, "MHz", "clock").also_as("shared.clock_mhz"),
                 field("dual", &ToySpec::dual, "", "issue two"),
                 field("policy", &ToySpec::policy, choice{"oldest", "round_robin"}, "", "which warp issues"),
                 text_field("name", &ToySpec::name, "what it is called"),
                 section("shared", &ToySpec::shared, "shared memory"));
  }
};

struct Loaded {
  ToySpec spec;
  std::vector<EffectiveValue> values;
  [[nodiscard]] const EffectiveValue& operator[](const std::string& key) const {
    for (const EffectiveValue& value : values) {
      if (value.key == key) return value;
    }
    throw std::out_of_range(key);
  }
};

using Files = std::map<std::string, std::string>;

Loaded load(const Files& files, const std::vector<std::string>& layers, const std::vector<std::string>& sets = {}) {
  ConfigRequest request;
  request.schema = "toy/1";
  request.layers = layers;
  request.sets = sets;
  request.resolve = [&](const std::string& name, const std::string&) -> ConfigText {
    const auto file = files.find(name);
    if (file != files.end()) return {name, "schema = \"toy/1\"\n" + file->second, false};
    Diagnostic missing;
    missing.code = "CFG-FILE";
    missing.message = "no file '" + name + "'";
    throw InputError(ExitCode::configuration, missing);
  };
  Loaded loaded;
  const FieldList fields = collect_fields(loaded.spec);
  const LoadedConfig config = load_config(fields, request);
  loaded.values = effective_values(fields, config);
  return loaded;
}

/// What the user sees, or "" when everything is fine.
std::string complaint(const Files& files, const std::vector<std::string>& layers,
                      const std::vector<std::string>& sets = {}) {
  try {
    (void)load(files, layers, sets);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::configuration);
    return render(error.diagnostics());
  }
  return "";
}

std::string complaint(const std::string& text) {
  return complaint({{"my.toml", text}}, {"my.toml"});
}

TEST(ConfigLayers, DefaultsHoldUntilSomebodySetsThem) {
  const Loaded loaded = load({{"a", ""}}, {"a"});
  EXPECT_EQ(loaded.spec.warps, 24U);
  EXPECT_EQ(loaded["warps"].origin, "default");
  EXPECT_EQ(loaded["warps"].value, "24");
  EXPECT_EQ(loaded["shared.banks"].range, "power of two, 1 … 64");
}

TEST(ConfigLayers, FilesStackLeftToRightTablesMergeAndSetIsLast) {
  const Files files{{"a", "warps = 8\nclock_mhz = 1000\n[shared]\nbanks = 4"}, {"b", "warps = 16\ndual = false"}};
  const Loaded ab = load(files, {"a", "b"});
  EXPECT_EQ(ab.spec.warps, 16U);
  EXPECT_EQ(ab.spec.shared.banks, 4U);
  EXPECT_FALSE(ab.spec.dual);
  EXPECT_EQ(load(files, {"b", "a"}).spec.warps, 8U);
  EXPECT_EQ(load(files, {"a", "b"}, {"warps=2", "warps = 3"}).spec.warps, 3U);
}

TEST(ConfigLayers, AKeyWithASecondNameIsOneKey) {
  const Files files{{"a", "clock_mhz = 1000\n[shared]\nclock_mhz = 2000"}};
  const Loaded loaded = load(files, {"a"});
  EXPECT_EQ(loaded.spec.clock_mhz, 2000.0) << "the last one holds";
  EXPECT_EQ(loaded["clock_mhz"].origin, "a:4");
  ToySpec toy;
  EXPECT_EQ(loaded.values.size(), collect_fields(toy).slots.size());
  EXPECT_EQ(load(files, {"a"}, {"shared.clock_mhz=3000"}).spec.clock_mhz, 3000.0);
  EXPECT_THAT(complaint("[shared]\nclock_mhz = 0"), ::testing::HasSubstr("must be between 1 and 9999"));
}

TEST(ConfigLayers, ATextKeyOnTheCommandLineTakesNumbersAsTheyAreWritten) {
  const Files files{{"a", ""}};
  EXPECT_EQ(load(files, {"a"}, {"name=177.130"}).spec.name, "177.130");
  EXPECT_EQ(load(files, {"a"}, {"name=true"}).spec.name, "true");
  EXPECT_NE(complaint(files, {"a"}, {"name=[1, 2]"}), "");
  EXPECT_NE(complaint("name = 177.13"), "") << "in a file the quotes are missing";
}

TEST(ConfigLayers, ExtendsIsLoadedBelow) {
  const Files files{{"base", "warps = 8\npolicy = \"round_robin\""}, {"top", "warps = 9\nextends = \"base\""}};
  const Loaded loaded = load(files, {"top"});
  EXPECT_EQ(loaded.spec.warps, 9U);
  EXPECT_EQ(loaded.spec.policy, "round_robin");
  EXPECT_EQ(loaded["policy"].origin, "base:3");
}

TEST(ConfigLayers, EveryValueKnowsItsOriginAndSource) {
  const Loaded loaded = load({{"a",
                               "warps = 8 # rounded; source: Somebody 2009, Table 1  \n"
                               "name = \"a # source: not a comment\"\nclock_mhz = 900\t# no idea\n"}},
                             {"a"}, {"shared.banks=8"});
  EXPECT_EQ(loaded["warps"].origin, "a:2");
  EXPECT_EQ(loaded["warps"].source, "Somebody 2009, Table 1");
  EXPECT_EQ(loaded["name"].source, "");
  EXPECT_EQ(loaded["clock_mhz"].source, "");
  EXPECT_EQ(loaded["shared.banks"].origin, "--set");
}

TEST(ConfigLayers, SetNeedsNoQuotesForNames) {
  EXPECT_EQ(load({{"a", ""}}, {"a"}, {"policy=round_robin"}).spec.policy, "round_robin");
  EXPECT_EQ(load({{"a", ""}}, {"a"}, {"policy=\"round_robin\""}).spec.policy, "round_robin");
  EXPECT_EQ(load({{"a", ""}}, {"a"}, {"name=a=b"}).spec.name, "a=b");
  EXPECT_EQ(load({{"a", ""}}, {"a"}, {"warps=0x10"}).spec.warps, 16U);
  EXPECT_FALSE(load({{"a", ""}}, {"a"}, {"dual=false"}).spec.dual);
}

TEST(ConfigLayers, DumpLoadsToTheSameValues) {
  const Loaded first =
      load({{"a", "clock_mhz = 1242.1 # source: data sheet\nname = \"q\\\"\\\\ü\"\n"}}, {"a"}, {"warps=7"});
  const std::string dump = config_toml("toy/1", first.values);
  const std::string without_schema = dump.substr(dump.find('\n') + 1);
  const Loaded second = load({{"dump", without_schema}}, {"dump"});
  for (std::size_t i = 0; i < first.values.size(); ++i) {
    EXPECT_EQ(first.values[i].value, second.values[i].value) << first.values[i].key;
    EXPECT_EQ(first.values[i].source, second.values[i].source) << first.values[i].key;
  }
}

TEST(ConfigErrors, UnknownKeyRangeTypeAndChoiceAreAllReportedAtOnce) {
  EXPECT_EQ(complaint("warp = 12\nshared.banks = 15\nclock_mhz = \"fast\"\npolicy = \"oldset\"\n"
                      "warps = 1.5\ndual = 1\n"),
            "error[CFG-UNKNOWN]: unknown key 'warp'\n"
            "  --> my.toml:2:1\n"
            "   |\n"
            "  2| warp = 12\n"
            "   | ^^^^\n"
            "   = help: did you mean 'warps'?\n"
            "error[CFG-RANGE]: 'shared.banks' must be a power of two between 1 and 64, got 15\n"
            "  --> my.toml:3:16\n"
            "   |\n"
            "  3| shared.banks = 15\n"
            "   |                ^^\n"
            "error[CFG-TYPE]: 'clock_mhz' must be a number, got a string\n"
            "  --> my.toml:4:13\n"
            "   |\n"
            "  4| clock_mhz = \"fast\"\n"
            "   |             ^^^^^^\n"
            "error[CFG-CHOICE]: 'policy' must be one of 'oldest', 'round_robin', got 'oldset'\n"
            "  --> my.toml:5:10\n"
            "   |\n"
            "  5| policy = \"oldset\"\n"
            "   |          ^^^^^^^^\n"
            "   = help: did you mean 'oldest'?\n"
            "error[CFG-TYPE]: 'warps' must be a whole number, got a number with a decimal point\n"
            "  --> my.toml:6:9\n"
            "   |\n"
            "  6| warps = 1.5\n"
            "   |         ^^^\n"
            "error[CFG-TYPE]: 'dual' must be true or false, got a whole number\n"
            "  --> my.toml:7:8\n"
            "   |\n"
            "  7| dual = 1\n"
            "   |        ^\n");
}

TEST(ConfigErrors, SyntaxErrorDoesNotHideTheOthers) {
  EXPECT_EQ(complaint("warps =\nwarsp = 1\nclock_mhz = 1 2\n"),
            "error[CFG-SYNTAX]: not valid TOML: key-value pair: expected value, saw '\\n'\n"
            "  --> my.toml:2:8\n"
            "   |\n"
            "  2| warps =\n"
            "   |        ^\n"
            "error[CFG-UNKNOWN]: unknown key 'warsp'\n"
            "  --> my.toml:3:1\n"
            "   |\n"
            "  3| warsp = 1\n"
            "   | ^^^^^\n"
            "   = help: did you mean 'warps'?\n"
            "error[CFG-SYNTAX]: not valid TOML: key-value pair: expected a comment or whitespace, saw '2'\n"
            "  --> my.toml:4:15\n"
            "   |\n"
            "  4| clock_mhz = 1 2\n"
            "   |               ^\n");
}

TEST(ConfigErrors, OverrideIsItsOwnPlace) {
  EXPECT_EQ(complaint({{"a", ""}}, {"a"}, {"shared.bnaks=32", "warps = 99", "warps", "=3", "warps="}),
            "error[CFG-UNKNOWN]: unknown key 'shared.bnaks'\n"
            "  --> command line\n"
            "   |\n"
            "   | --set shared.bnaks=32\n"
            "   |       ^^^^^^^^^^^^\n"
            "   = help: did you mean 'shared.banks'?\n"
            "error[CFG-RANGE]: 'warps' must be between 1 and 32, got 99\n"
            "  --> command line\n"
            "   |\n"
            "   | --set warps = 99\n"
            "   |               ^^\n"
            "error[CFG-SYNTAX]: an override needs a key, '=' and a value\n"
            "  --> command line\n"
            "   |\n"
            "   | --set warps\n"
            "   |       ^^^^^\n"
            "   = help: write --set KEY=VALUE, for example --set sm.shared.banks=32\n"
            "error[CFG-SYNTAX]: an override needs a key, '=' and a value\n"
            "  --> command line\n"
            "   |\n"
            "   | --set =3\n"
            "   |       ^^\n"
            "   = help: write --set KEY=VALUE, for example --set sm.shared.banks=32\n"
            "error[CFG-SYNTAX]: the override of 'warps' has no value\n"
            "  --> command line\n"
            "   |\n"
            "   | --set warps=\n"
            "   |       ^^^^^^\n"
            "   = help: write --set KEY=VALUE, for example --set sm.shared.banks=32\n");
}

TEST(ConfigErrors, AllFilesAreReportedTogether) {
  const std::string text = complaint({{"a", "warps = 0"}, {"b", "warps = 33"}}, {"a", "b"}, {"warps=34"});
  EXPECT_THAT(text, ::testing::HasSubstr("a:2:9"));
  EXPECT_THAT(text, ::testing::HasSubstr("b:2:9"));
  EXPECT_THAT(text, ::testing::HasSubstr("--set warps=34"));
}

TEST(ConfigErrors, UnknownTableIsOneMistake) {
  EXPECT_EQ(complaint("[shard]\nbanks = 1\nports = 2\n"),
            "error[CFG-UNKNOWN]: unknown key 'shard'\n"
            "  --> my.toml:2:2\n"
            "   |\n"
            "  2| [shard]\n"
            "   |  ^^^^^\n"
            "   = help: did you mean 'shared'?\n");
}

TEST(ConfigErrors, TablesAndValuesAreNotConfused) {
  EXPECT_THAT(complaint("shared = 3"), ::testing::HasSubstr("'shared' is a table of keys, got a whole number"));
  EXPECT_THAT(complaint("warps.count = 3"), ::testing::HasSubstr("'warps' must be a whole number, got a table"));
  EXPECT_THAT(complaint("warps = [1]"), ::testing::HasSubstr("'warps' must be a whole number, got an array"));
  EXPECT_THAT(complaint("warps = 1979-05-27"), ::testing::HasSubstr("got a date or time"));
  EXPECT_THAT(complaint("\"shared.banks\" = 4"), ::testing::HasSubstr("unknown key"));
}

TEST(ConfigErrors, KeyInTheWrongTableIsFound) {
  EXPECT_THAT(complaint("banks = 4"), ::testing::HasSubstr("did you mean 'shared.banks'?"));
}

TEST(ConfigErrors, ExtremeNumbersAreOutOfRange) {
  for (const char* value : {"-1", "0", "4294967297", "9223372036854775807", "-9223372036854775808"}) {
    EXPECT_THAT(complaint(std::string("warps = ") + value), ::testing::HasSubstr("CFG-RANGE")) << value;
  }
  for (const char* value : {"nan", "inf", "-inf", "-0.0", "1e300"}) {
    EXPECT_THAT(complaint(std::string("clock_mhz = ") + value), ::testing::HasSubstr("CFG-RANGE")) << value;
  }
  EXPECT_THAT(complaint("warps = 99999999999999999999"),
              ::testing::HasSubstr("CFG-RANGE]: 99999999999999999999 is out of range"));
}

TEST(ConfigErrors, NamesAreOneLine) {
  EXPECT_THAT(complaint("name = \"a\\u001b[31m\""), ::testing::HasSubstr("'name' must be one line of text"));
}

TEST(ConfigErrors, SchemaIsRequired) {
  const FieldList none;
  ConfigRequest request;
  request.schema = "toy/1";
  request.layers = {"x"};
  request.resolve = [](const std::string&, const std::string&) { return ConfigText{"x", "schema = \"toy/2\"", false}; };
  try {
    (void)load_config(none, request);
    FAIL() << "a wrong schema was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(render(error.diagnostics()),
              "error[CFG-SCHEMA]: this is not a file of schema 'toy/1'\n"
              "  --> x:1:10\n"
              "   |\n"
              "  1| schema = \"toy/2\"\n"
              "   |          ^^^^^^^\n"
              "   = help: write schema = \"toy/1\"\n");
  }
  request.resolve = [](const std::string&, const std::string&) { return ConfigText{"x", "", false}; };
  try {
    (void)load_config(none, request);
    FAIL() << "a missing schema was accepted";
  } catch (const InputError& error) {
    EXPECT_EQ(error.diagnostics().at(0).code, "CFG-SCHEMA");
  }
}

TEST(ConfigErrors, CyclesAreShownAsAPath) {
  EXPECT_EQ(complaint({{"a", "extends = \"b\""}, {"b", "extends = \"a\""}}, {"a"}),
            "error[CFG-CYCLE]: 'a' would extend itself\n"
            "  --> b:2:11\n"
            "   |\n"
            "  2| extends = \"a\"\n"
            "   |           ^^^\n"
            "   = note: a extends b extends a\n"
            "   = help: remove one of these 'extends' lines\n");
}

TEST(ConfigErrors, MissingParentPointsAtItsLine) {
  EXPECT_EQ(complaint({{"a", "extends = \"nowhere\""}}, {"a"}),
            "error[CFG-FILE]: no file 'nowhere'\n"
            "  --> a:2:11\n"
            "   |\n"
            "  2| extends = \"nowhere\"\n"
            "   |           ^^^^^^^^^\n");
  EXPECT_THAT(complaint("extends = 3"), ::testing::HasSubstr("'extends' must be a string"));
}

TEST(ConfigDocs, ManualHasARowPerKey) {
  ToySpec spec;
  const std::string manual = config_markdown(collect_fields(spec));
  EXPECT_THAT(manual, ::testing::HasSubstr("| `warps` | `24` | warps | 1 … 32 | warps resident at once |"));
  EXPECT_THAT(manual,
              ::testing::HasSubstr("| `policy` | `\"oldest\"` |  | oldest \\| round_robin | which warp issues |"));
  EXPECT_THAT(manual, ::testing::HasSubstr("## `[shared]` — shared memory"));
}

// Text made of the pieces that TOML is made of reaches far more states than random bytes.
RC_GTEST_PROP(ConfigProperty, AnyTextLoadsOrIsRefusedWithAPlace, ()) {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{
      "warps",       "shared", "banks",  ".",      "=",          " = ",  "[",       "]",    "[[",     "]]",
      "{",           "}",      ",",      "\n",     "\r\n",       "\t",   "\"",      "'",    "\"\"\"", "#",
      "# source: x", "15",     "1e9",    "-",      "nan",        "true", "\\u00e9", "\xff", "\xc3",   "\xc3\xbc",
      "extends",     "schema", "policy", "oldest", "1979-05-27", "\0x",  "0x"});
  const auto pieces = *rc::gen::container<std::vector<std::string>>(piece);
  std::string text;
  for (const std::string& part : pieces) text += part;
  try {
    (void)load({{"my.toml", text}}, {"my.toml"}, {text});
  } catch (const InputError& error) {
    RC_ASSERT(!error.diagnostics().empty());
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      RC_ASSERT(!diagnostic.code.empty());
      RC_ASSERT(!diagnostic.where.file.empty());
      RC_ASSERT(!render(diagnostic).empty());
    }
  }
}

RC_GTEST_PROP(ConfigProperty, EveryValidValueSurvivesTheDump, ()) {
  const unsigned warps = *rc::gen::inRange(1U, 33U);
  const unsigned banks = 1U << *rc::gen::inRange(0U, 7U);
  const double clock = 1.0 + static_cast<double>(*rc::gen::inRange(0U, 9998000U)) / 1000.0 / 3.0;
  ToySpec spec;
  spec.warps = warps;
  spec.shared.banks = banks;
  spec.clock_mhz = clock;
  const std::string dump = config_toml("toy/1", effective_values(collect_fields(spec), {}));
  const Loaded loaded = load({{"d", dump.substr(dump.find('\n') + 1)}}, {"d"});
  RC_ASSERT(loaded.spec.warps == warps);
  RC_ASSERT(loaded.spec.shared.banks == banks);
  RC_ASSERT(loaded.spec.clock_mhz == clock);
}

}  // namespace
}  // namespace teslasim
