// SPDX-License-Identifier: Apache-2.0
// Every mistake in a launch file is found, with its code and its exact place, and all of them at once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/workload/device/npy.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string only_help(const std::string& text, std::shared_ptr<const Module> module = any_module()) {
  const std::vector<Diagnostic> all = diagnostics_of(text, std::move(module));
  return all.size() == 1 ? all[0].help : "not exactly one error";
}

TEST(LaunchErrors, syntax) {
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [1\n"), ElementsAre(HasSubstr("LAUNCH-SYNTAX")));
  const auto all = diagnostics_of("grid == 1");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].where.line, 1U);
  EXPECT_EQ(all[0].excerpt, "grid == 1");
}

TEST(LaunchErrors, schema) {
  EXPECT_THAT(errors_of("grid = [1]\nblock = [1]"),
              ElementsAre("LAUNCH-SCHEMA 1:1+1 the launch file does not say its schema"));
  EXPECT_THAT(errors_of("grid = [1]\nblock = [1]\nschema = \"teslasim.launch/9\""),
              ElementsAre("LAUNCH-SCHEMA 3:10+19 this program does not know the schema 'teslasim.launch/9'"));
}

TEST(LaunchErrors, unknown_keys_with_a_suggestion) {
  EXPECT_THAT(errors_of(around("dynamic_shared_byte = 4")),
              ElementsAre("LAUNCH-UNKNOWN 4:1+19 unknown key of a launch file 'dynamic_shared_byte'"));
  EXPECT_EQ(only_help(around("dynamic_shared_byte = 4")), "did you mean 'dynamic_shared_bytes'?");
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\", type = \"u32\", valu = 3 }")),
              ElementsAre("LAUNCH-UNKNOWN 4:39+4 unknown key of a parameter 'valu'"));
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\n[[launch]]\ngrid = [1]\nblock = [1]\ncode = \"x\""),
              ElementsAre("LAUNCH-UNKNOWN 5:1+4 unknown key of [[launch]] 'code'"));
  EXPECT_THAT(errors_of(around("[constant]\ntipe = \"f32\"\nvalues = [1]")),
              ElementsAre("LAUNCH-UNKNOWN 5:1+4 unknown key of [constant] 'tipe'"));
}

TEST(LaunchErrors, a_misspelt_key_is_not_also_reported_as_missing) {
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngird = [1]\nblock = [1]"),
              ElementsAre("LAUNCH-UNKNOWN 2:1+4 unknown key of a launch file 'gird'"));
}

TEST(LaunchErrors, kinds_of_values) {
  EXPECT_THAT(errors_of(around("kernel = 3")),
              ElementsAre("LAUNCH-TYPE 4:10+1 'kernel' must be a string, not an integer"));
  EXPECT_THAT(errors_of(around("param = 3")),
              ElementsAre("LAUNCH-TYPE 4:9+1 'param' must be a table or an array of tables, not an integer"));
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = \"4\"\nblock = [1, true]"),
              ElementsAre("LAUNCH-TYPE 2:8+3 'grid' must be an array of numbers, not a string",
                          "LAUNCH-TYPE 3:13+4 'block' must be an array of numbers, not a boolean"));
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [1.5]\nblock = [1]"),
              ElementsAre("LAUNCH-TYPE 2:9+3 'grid' must be a whole number, got 1.5"));
}

TEST(LaunchErrors, extents) {
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [0]\nblock = [1, 2000]"),
              ElementsAre("LAUNCH-RANGE 2:9+1 'grid' must be between 1 and 65535, got 0",
                          "LAUNCH-RANGE 3:13+4 'block' must be between 1 and 1024, got 2000"));
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [1, 1, 1]\nblock = []"),
              ElementsAre("LAUNCH-RANGE 2:8+9 'grid' has 3 dimensions, 1 to 2 are possible",
                          "LAUNCH-RANGE 3:9+2 'block' has 0 dimensions, 1 to 3 are possible"));
  EXPECT_THAT(
      errors_of("schema = \"teslasim.launch/1\"\n"),
      ElementsAre("LAUNCH-MISSING 1:1+1 the launch has no 'grid'", "LAUNCH-MISSING 1:1+1 the launch has no 'block'"));
}

TEST(LaunchErrors, mistakes_of_the_defaults_are_told_once) {
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [0]\nblock = [1]\n[[launch]]\n[[launch]]\n[[launch]]"),
              ElementsAre("LAUNCH-RANGE 2:9+1 'grid' must be between 1 and 65535, got 0"));
}

TEST(LaunchErrors, kernels) {
  EXPECT_THAT(errors_of(around("kernel = \"tset\"")),
              ElementsAre("LAUNCH-KERNEL 4:10+6 there is no kernel 'tset' in 'test.cubin'"));
  EXPECT_EQ(only_help(around("kernel = \"tset\"")), "did you mean 'test'?");
  EXPECT_THAT(errors_of(around(""), module_with({"first", "second"})),
              ElementsAre("LAUNCH-KERNEL 1:1+1 'test.cubin' has 2 kernels: say which to run"));
  EXPECT_THAT(only_help(around(""), module_with({"first", "second"})), HasSubstr("first, second"));
  EXPECT_THAT(errors_of(around(""), module_with({})), ElementsAre(HasSubstr("has 0 kernels")));
}

TEST(LaunchErrors, element_types) {
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\", type = \"float\", value = 3 }")),
              ElementsAre("LAUNCH-TYPE 4:32+7 there is no element type 'float'"));
  for (const auto& [other, ours] : {std::pair{"float", "f32"}, {"i32", "s32"}, {"unsigned", "u32"}, {"f3", "f32"}}) {
    EXPECT_EQ(only_help(with_parameter("{ name = \"n\", type = \"" + std::string(other) + "\", value = 3 }")),
              "did you mean '" + std::string(ours) + "'?");
  }
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\", value = 3 }")),
              ElementsAre("LAUNCH-MISSING 4:11+25 parameter 'n' has no type"));
}

TEST(LaunchErrors, scalars) {
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\", type = \"u8\", value = 256 }")),
              ElementsAre("LAUNCH-RANGE 4:46+3 'value' must be between 0 and 255 for u8, got 256"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\", type = \"u32\", value = -1 }")),
              ElementsAre("LAUNCH-RANGE 4:47+2 'value' must be between 0 and 4294967295 for u32, got -1"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\", type = \"u32\", value = 1.5 }")),
              ElementsAre("LAUNCH-TYPE 4:47+3 'value' must be a whole number for u32, got 1.5"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"x\", type = \"f32\", value = 1e99 }")),
              ElementsAre("LAUNCH-RANGE 4:47+4 'value' is too large for f32: 1e+99"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"x\", type = \"f32\", value = 1, seed = 3 }")),
              ElementsAre("LAUNCH-UNKNOWN 4:57+1 'seed' means nothing here: 'x' is a number"));
}

TEST(LaunchErrors, names) {
  EXPECT_THAT(errors_of(with_parameter("{ type = \"u32\", value = 1 }")),
              ElementsAre("LAUNCH-MISSING 4:11+27 a parameter has no name"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"\", type = \"u32\", value = 1 }")),
              ElementsAre("LAUNCH-MISSING 4:20+2 a parameter has an empty name"));
  EXPECT_THAT(errors_of(with_parameter(
                  "{ name = \"n\", type = \"u32\", value = 1 }, { name = \"n\", type = \"u32\", value = 2 }")),
              ElementsAre("LAUNCH-DUPLICATE 4:61+3 parameter 'n' is given twice"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"n\" }")),
              ElementsAre("LAUNCH-MISSING 4:20+3 no earlier launch has a parameter 'n'"));
}

TEST(LaunchErrors, buffers) {
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\" }")),
              ElementsAre("LAUNCH-MISSING 4:11+28 parameter 'a' has neither a value nor a count"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\", init = \"zero\" }")),
              ElementsAre("LAUNCH-MISSING 4:11+43 buffer 'a' has no count"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\", count = 0 }")),
              ElementsAre(HasSubstr("LAUNCH-RANGE 4:47+1 'count' must be between 1 and")));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\", count = 4, init = \"randm\" }")),
              ElementsAre("LAUNCH-TYPE 4:57+7 there is no initialiser 'randm'"));
  EXPECT_EQ(only_help(with_parameter("{ name = \"a\", type = \"f32\", count = 4, init = \"randm\" }")),
            "did you mean 'random'?");
  EXPECT_THAT(errors_of(with_parameter(
                  "{ name = \"a\", type = \"f32\", count = 4, init = \"iota\", seed = 4, range = [0, 1] }")),
              ElementsAre("LAUNCH-UNKNOWN 4:72+1 'seed' means nothing here: the initialiser is iota",
                          "LAUNCH-UNKNOWN 4:83+6 'range' means nothing here: the initialiser is iota"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\", count = 4, pointer_bits = 48 }")),
              ElementsAre("LAUNCH-RANGE 4:65+2 'pointer_bits' must be 32 or 64, got 48"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"u32\", count = 4, init = \"constant\" }")),
              ElementsAre("LAUNCH-MISSING 4:11+58 buffer 'a' has no value"));
}

TEST(LaunchErrors, buffers_that_together_exceed_the_address_space) {
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f64\", count = 500000000 }, "
                                       "{ name = \"b\", type = \"f64\", count = 500000000 }")),
              ElementsAre("LAUNCH-RANGE 4:60+47 the buffers do not fit the 32-bit address space"));
}

TEST(LaunchErrors, ranges_of_random_values) {
  const auto error = [](const std::string& type, const std::string& range) {
    return errors_of(with_parameter("{ name = \"a\", type = \"" + type +
                                    "\", count = 4, init = \"random\", range = " + range + " }"));
  };
  EXPECT_THAT(error("f32", "[1]"), ElementsAre("LAUNCH-RANGE 4:75+3 'range' must be two numbers, got 1"));
  EXPECT_THAT(error("f32", "[1, 1]"), ElementsAre("LAUNCH-RANGE 4:75+6 'range' is empty"));
  EXPECT_THAT(error("f32", "[nan, 1]"), ElementsAre("LAUNCH-RANGE 4:75+8 'range' is empty"));
  EXPECT_THAT(error("u08", "[0, 1]"), ElementsAre(HasSubstr("there is no element type")));
  EXPECT_THAT(error("s16", "[0, 40000]"), ElementsAre("LAUNCH-RANGE 4:75+10 'range' does not fit s16"));
  EXPECT_THAT(error("u32", "[0, 1.5]"), ElementsAre("LAUNCH-TYPE 4:79+3 'range' must be whole numbers for u32"));
  EXPECT_THAT(error("u16", "[0, 65536]"), IsEmpty());
}

TEST(LaunchErrors, lattices) {
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"u32\", count = 53, init = \"lattice_rows\" }")),
              ElementsAre("LAUNCH-RANGE 4:47+2 no lattice has 53 columns"));
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"u16\", count = 4212, init = \"lattice_blocks\" }")),
              ElementsAre("LAUNCH-TYPE 4:32+5 the columns of a lattice need a buffer of type u32, s32 or b32"));
  for (const std::string init : {"lattice_rows", "lattice_blocks"}) {
    EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"u32\", init = \"" + init + "\" }")),
                ElementsAre(HasSubstr("buffer 'a' has no count")));
    EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"u32\", count = 0, init = \"" + init + "\" }")),
                ElementsAre(HasSubstr("'count' must be between 1 and")));
  }
}

TEST(LaunchErrors, permutations) {
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\", count = 4, init = \"permutation\" }")),
              ElementsAre("LAUNCH-TYPE 4:32+5 a permutation needs a buffer of type u32, s32, b32, u64, s64 or b64"));
  EXPECT_THAT(
      errors_of(with_parameter("{ name = \"a\", type = \"u32\", count = 4, init = \"permutation\", stride = 5 }")),
      ElementsAre("LAUNCH-RANGE 4:81+1 'stride' is larger than the buffer"));
}

TEST(LaunchErrors, files) {
  const TemporaryFolder folder;
  const std::string npy = folder.write("three.npy", npy_bytes(ValueType::f32, bytes_from<float>({1, 2, 3})));
  const std::string raw = folder.write("seven.raw", std::string(7, 'x'));
  const auto error = [](const std::string& file, const std::string& type, const std::string& more) {
    return errors_of(with_parameter("{ name = \"a\", type = \"" + type + "\", file = \"" + file + "\"" + more + " }"));
  };
  const std::string at = "LAUNCH-FILE 4:46+" + std::to_string(npy.size() + 2);
  EXPECT_THAT(error("absent.npy", "f32", ""), ElementsAre("LAUNCH-FILE 4:46+12 'absent.npy': there is no such file"));
  EXPECT_THAT(error("/", "f32", ""), ElementsAre("LAUNCH-FILE 4:46+3 '/': this is not a readable file"));
  EXPECT_THAT(error(npy, "f32", ", count = 4"), ElementsAre(at + " '" + npy + "' has 3 elements, 'count' says 4"));
  EXPECT_THAT(error(npy, "u32", ""), ElementsAre(at + " '" + npy + "': the array has type f32, the buffer u32"));
  EXPECT_THAT(error(raw, "f32", ""),
              ElementsAre(at + " '" + raw + "': 7 bytes are not a whole number of f32 elements"));
  EXPECT_THAT(error(npy, "b32", ""), IsEmpty());  // untyped elements take any array of their size
  EXPECT_THAT(errors_of(with_parameter("{ name = \"a\", type = \"f32\", init = \"file\" }")),
              ElementsAre("LAUNCH-MISSING 4:11+43 buffer 'a' has no file"));
}

TEST(LaunchErrors, buffers_of_earlier_launches) {
  const std::string two =
      "schema = \"teslasim.launch/1\"\ngrid = [1]\nblock = [1]\n"
      "[[launch]]\nparam = [{ name = \"data\", type = \"f32\", count = 4 }, { name = \"n\", type = \"u32\", value = 4 "
      "}]\n"
      "[[launch]]\n";
  EXPECT_THAT(errors_of(two + "param = [{ name = \"dta\" }]"),
              ElementsAre("LAUNCH-MISSING 7:19+5 no earlier launch has a parameter 'dta'"));
  EXPECT_EQ(only_help(two + "param = [{ name = \"dta\" }]"), "did you mean 'data'?");
  EXPECT_THAT(errors_of(two + "param = [{ name = \"data\", type = \"f32\", count = 4 }]"),
              ElementsAre("LAUNCH-DUPLICATE 7:19+6 buffer 'data' already exists"));
  EXPECT_THAT(errors_of(two + "param = [{ name = \"x\", buffer = \"n\" }]"),
              ElementsAre("LAUNCH-TYPE 7:33+3 'n' is a number, not a buffer"));
}

TEST(LaunchErrors, an_entry_that_was_refused_is_not_refused_again_where_it_is_used) {
  EXPECT_THAT(errors_of("schema = \"teslasim.launch/1\"\ngrid = [1]\nblock = [1]\n"
                        "[[launch]]\nparam = [{ name = \"data\", type = \"f3\", count = 4 }]\n"
                        "[[launch]]\nparam = [{ name = \"data\" }]"),
              ElementsAre("LAUNCH-TYPE 5:34+4 there is no element type 'f3'"));
}

// Against the parameters that the kernel declares: ptr in, ptr out, u32 n, f32 factor.

std::string scale_with(const std::string& entries) {
  return with_parameter(entries);
}
const std::string in = "{ name = \"in\", type = \"f32\", count = 4 }";
const std::string out = "{ name = \"out\", type = \"f32\", count = 4 }";
const std::string n = "{ name = \"n\", type = \"u32\", value = 4 }";
const std::string factor = "{ name = \"factor\", type = \"f32\", value = 2 }";

TEST(LaunchErrors, parameters_that_fit_the_kernel_are_accepted) {
  EXPECT_THAT(errors_of(scale_with(in + "," + out + "," + n + "," + factor), scale_module()), IsEmpty());
}

TEST(LaunchErrors, a_missing_parameter) {
  EXPECT_THAT(errors_of(scale_with(in + "," + out + "," + factor), scale_module()),
              ElementsAre("LAUNCH-MISSING 4:1+5 parameter 'n' of kernel 'scale' is missing"));
  EXPECT_THAT(errors_of(around(""), scale_module()),
              ElementsAre("LAUNCH-MISSING 1:1+1 parameter 'in' of kernel 'scale' is missing",
                          "LAUNCH-MISSING 1:1+1 parameter 'out' of kernel 'scale' is missing",
                          "LAUNCH-MISSING 1:1+1 parameter 'n' of kernel 'scale' is missing",
                          "LAUNCH-MISSING 1:1+1 parameter 'factor' of kernel 'scale' is missing"));
}

TEST(LaunchErrors, a_parameter_too_many) {
  EXPECT_THAT(errors_of(scale_with(in + "," + out + "," + n + "," + factor +
                                   ", { name = \"extra\", type = \"u32\", value = 1 }"),
                        scale_module()),
              ElementsAre(HasSubstr("kernel 'scale' has no parameter 'extra'")));
}

TEST(LaunchErrors, a_misspelt_parameter_is_one_error) {
  const std::string text = scale_with(in + "," + out + "," + n + ", { name = \"fctor\", type = \"f32\", value = 2 }");
  EXPECT_THAT(errors_of(text, scale_module()), ElementsAre(HasSubstr("LAUNCH-UNKNOWN")));
  EXPECT_EQ(only_help(text, scale_module()), "did you mean 'factor'?");
}

TEST(LaunchErrors, parameters_in_another_order) {
  const std::string text = scale_with(out + "," + in + "," + n + "," + factor);
  EXPECT_THAT(errors_of(text, scale_module()),
              ElementsAre("LAUNCH-ORDER 4:1+5 the parameters are not in the order of kernel 'scale'"));
  EXPECT_EQ(only_help(text, scale_module()), "the order is: in, out, n, factor");
}

TEST(LaunchErrors, parameters_of_another_type) {
  EXPECT_THAT(
      errors_of(
          scale_with(in + "," + out +
                     ", { name = \"n\", type = \"f32\", value = 4 }, { name = \"factor\", type = \"u32\", value = 2 }"),
          scale_module()),
      ElementsAre(HasSubstr("parameter 'n' is f32 here and u32 in kernel 'scale'"),
                  HasSubstr("parameter 'factor' is u32 here and f32 in kernel 'scale'")));
  EXPECT_THAT(errors_of(scale_with(in + "," + out + "," + n + ", { name = \"factor\", type = \"f32\", count = 2 }"),
                        scale_module()),
              ElementsAre(HasSubstr("parameter 'factor' is a buffer here and f32 in kernel 'scale'")));
  EXPECT_THAT(
      errors_of(scale_with(in + "," + out + ", { name = \"n\", type = \"s32\", value = 4 }," + factor), scale_module()),
      IsEmpty());
}

// Checks.

std::string checked(const std::string& expectation) {
  return with_parameter("{ name = \"x\", type = \"f32\", count = 4 }, { name = \"a\", type = \"f32\", value = 4 }") +
         expectation;
}

TEST(LaunchErrors, checks_of_unknown_buffers) {
  EXPECT_THAT(errors_of(checked("[expect.y]\nbuiltin = \"block_sum\"\nof = \"x\"")),
              ElementsAre("LAUNCH-UNKNOWN 5:9+1 there is no buffer 'y' to check"));
}

TEST(LaunchErrors, checks_without_or_with_two_expectations) {
  EXPECT_THAT(errors_of(checked("[expect.x]\ntol_abs = 1")),
              ElementsAre("LAUNCH-MISSING 5:9+1 the check of 'x' does not say what to expect"));
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"\nfile = \"f.npy\"")),
              ElementsAre("LAUNCH-DUPLICATE 7:8+7 a check compares with 'builtin' or with 'file', not both"));
  EXPECT_THAT(errors_of(checked("[expect]\nx = 3")),
              ElementsAre("LAUNCH-TYPE 6:5+1 'expect.x' must be a table, not an integer"));
}

TEST(LaunchErrors, unknown_references_list_the_known_ones) {
  const auto all = diagnostics_of(checked("[expect.x]\nbuiltin = \"block_sun\"\nof = \"x\""));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(summaries(all)[0], "LAUNCH-BUILTIN 6:11+11 there is no built-in reference 'block_sun'");
  EXPECT_EQ(all[0].help, "did you mean 'block_sum'?");
  EXPECT_THAT(all[0].notes.at(0), HasSubstr("vecadd, saxpy, matmul"));
}

TEST(LaunchErrors, arguments_of_references) {
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"\nof = \"x\"\nsize = 4")),
              ElementsAre("LAUNCH-UNKNOWN 8:1+4 'block_sum' has no argument 'size'"));
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"\nof = \"z\"")),
              ElementsAre("LAUNCH-UNKNOWN 7:6+3 there is no parameter 'z'"));
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"")),
              ElementsAre("LAUNCH-MISSING 6:11+11 'block_sum' needs 'of', a buffer"));
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"\nof = \"a\"")),
              ElementsAre("LAUNCH-TYPE 7:6+3 'of' of 'block_sum' must be a buffer"));
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"\nof = []")),
              ElementsAre("LAUNCH-TYPE 7:6+2 'of' must be the name of a parameter or a number, not an array"));
}

TEST(LaunchErrors, sizes_that_do_not_fit_a_reference) {
  EXPECT_THAT(
      errors_of(checked("[expect.x]\nbuiltin = \"transpose\"\nof = \"x\"\nwidth = 4\nheight = 4")),
      ElementsAre(
          "LAUNCH-BUILTIN 6:11+11 'transpose' does not fit: the output has not 'width' times 'height' elements"));
}

TEST(LaunchErrors, a_refused_parameter_is_not_told_again_by_the_checks_that_use_it) {
  const std::string text = with_parameter(
      "{ name = \"x\", type = \"f32\", count = 4, init = \"zeroes\" }, { name = \"y\", type = \"f32\", count = 4 }, "
      "{ name = \"a\", type = \"f32\", value = \"1\" }");
  EXPECT_THAT(errors_of(text + "[expect.x]\nbuiltin = \"saxpy\"\na = \"a\"\nx = \"y\"\ny = \"y\"\n"
                               "[expect.y]\nbuiltin = \"saxpy\"\na = \"a\"\nx = \"x\"\n"),
              ElementsAre(HasSubstr("there is no initialiser 'zeroes'"), HasSubstr("'value' must be a number")));
}

TEST(LaunchErrors, an_unknown_reference_of_an_unknown_buffer_is_two_errors) {
  EXPECT_THAT(errors_of(checked("[expect.z]\nbuiltin = \"saxpi\"")),
              ElementsAre(HasSubstr("no buffer 'z'"), HasSubstr("no built-in reference 'saxpi'")));
}

TEST(LaunchErrors, tolerances) {
  EXPECT_THAT(errors_of(checked("[expect.x]\nbuiltin = \"block_sum\"\nof = \"x\"\ntol_abs = -1\ntol_rel = nan")),
              ElementsAre("LAUNCH-RANGE 8:11+2 'tol_abs' must be a number not below 0, got -1",
                          "LAUNCH-RANGE 9:11+3 'tol_rel' must be a number not below 0, got nan"));
}

TEST(LaunchErrors, constants) {
  EXPECT_THAT(errors_of(around("[constant]\nvalues = [1, 2]")),
              ElementsAre("LAUNCH-MISSING 4:1+10 a constant has no type"));
  EXPECT_THAT(errors_of(around("[constant]\ntype = \"u8\"\nvalues = [300]\nbank = 16")),
              ElementsAre("LAUNCH-RANGE 6:11+3 'values' must be between 0 and 255 for u8, got 300",
                          "LAUNCH-RANGE 7:8+2 'bank' must be between 0 and 15, got 16"));
  EXPECT_THAT(errors_of(around("[constant]\ntype = \"u32\"\nvalues = [1, 2]\noffset = 65532")),
              ElementsAre("LAUNCH-RANGE 4:1+10 a constant bank has 65536 bytes, this ends at 65540"));
}

TEST(LaunchErrors, all_at_once_in_the_order_of_the_file) {
  const std::string text =
      "schema = \"teslasim.launch/1\"\nkernel = \"nope\"\ngrid = [70000]\nblock = [32]\nwarps = 4\n"
      "param = [ { name = \"a\", type = \"f16\", count = 4 },\n  { name = \"n\", type = \"u32\", value = -4 } ]\n";
  EXPECT_THAT(errors_of(text), ElementsAre(HasSubstr("LAUNCH-KERNEL 2:10"), HasSubstr("LAUNCH-RANGE 3:9"),
                                           HasSubstr("LAUNCH-UNKNOWN 5:1"), HasSubstr("LAUNCH-TYPE 6:32"),
                                           HasSubstr("LAUNCH-RANGE 7:39")));
  try {
    (void)read(text);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::configuration);
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      EXPECT_EQ(diagnostic.where.file, "test.launch.toml");
      EXPECT_FALSE(diagnostic.excerpt.empty());
    }
  }
}

}  // namespace
}  // namespace teslasim
