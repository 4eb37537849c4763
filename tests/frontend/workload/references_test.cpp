// SPDX-License-Identifier: Apache-2.0
// The built-in references against cases worked out by hand.
#include "frontend/workload/references/references.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "frontend/workload/device/npy.h"
#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Builds a workload from values and runs one reference on it.
class Case {
 public:
  Case(const std::string& builtin, ValueType output, std::uint64_t count) {
    expectation_.builtin = builtin;
    expectation_.buffer = "out";
    workload_.launches.emplace_back();
    add_buffer("out", output, count, "");
  }

  template <class Value>
  Case& data(const std::string& name, ValueType type, const std::vector<Value>& values) {
    add_buffer(name, type, values.size(), folder_.write(name + ".raw", bytes_from(values)));
    return *this;
  }
  Case& number(const std::string& name, double value) {
    ParameterValue parameter;
    parameter.name = name;
    parameter.type = ValueType::f64;
    std::memcpy(&parameter.bits, &value, sizeof value);
    workload_.launches[0].parameters.push_back(parameter);
    return *this;
  }
  Case& argument(const std::string& name, const std::string& value) {
    expectation_.arguments.emplace_back(name, value);
    return *this;
  }

  [[nodiscard]] ExpectedValues compute() const {
    const ReferenceArguments arguments(expectation_, workload_);
    EXPECT_EQ(row().problem(arguments), "");
    return row().compute(arguments);
  }
  [[nodiscard]] std::string problem() const { return row().problem(ReferenceArguments(expectation_, workload_)); }

 private:
  [[nodiscard]] const Reference& row() const {
    const Reference* reference = find_reference(expectation_.builtin);
    EXPECT_NE(reference, nullptr);
    return *reference;
  }
  void add_buffer(const std::string& name, ValueType type, std::uint64_t count, const std::string& file) {
    BufferSpec buffer;
    buffer.name = name;
    buffer.type = type;
    buffer.count = count;
    buffer.initialiser = file.empty() ? BufferSpec::Initialiser::zero : BufferSpec::Initialiser::file;
    buffer.file = file;
    workload_.buffers.push_back(buffer);
  }

  TemporaryFolder folder_;
  Workload workload_;
  Expectation expectation_;
};

TEST(References, vecadd) {
  Case test("vecadd", ValueType::f32, 2);
  test.data<float>("a", ValueType::f32, {1, 2}).data<float>("b", ValueType::f32, {10, 0.5F});
  EXPECT_THAT(test.compute().reals, ElementsAre(11.0, 2.5));
}

TEST(References, vecadd_of_integers_is_exact) {
  Case test("vecadd", ValueType::u32, 1);
  test.data<std::uint32_t>("a", ValueType::u32, {4000000000U}).data<std::uint32_t>("b", ValueType::u32, {7});
  EXPECT_THAT(test.compute().integers, ElementsAre(4000000007LL));
}

TEST(References, saxpy) {
  Case test("saxpy", ValueType::f32, 2);
  test.data<float>("x", ValueType::f32, {1, 2}).data<float>("y", ValueType::f32, {10, 20}).number("a", 3);
  EXPECT_THAT(test.compute().reals, ElementsAre(13.0, 26.0));
}

TEST(References, matmul_of_a_row_of_three_and_a_3x2_matrix) {
  Case test("matmul", ValueType::f32, 4);
  test.data<float>("a", ValueType::f32, {1, 2, 3, 4, 5, 6});     // 2x3
  test.data<float>("b", ValueType::f32, {7, 8, 9, 10, 11, 12});  // 3x2
  test.argument("k", "3").argument("n", "2");
  EXPECT_THAT(test.compute().reals, ElementsAre(58, 64, 139, 154));
}

TEST(References, matmul_checks_its_sizes) {
  Case test("matmul", ValueType::f32, 4);
  test.data<float>("a", ValueType::f32, {1, 2}).data<float>("b", ValueType::f32, {7}).number("k", 3).number("n", 2);
  EXPECT_THAT(test.problem(), HasSubstr("'a' has 2 elements, 6 are needed"));
}

TEST(References, transpose_of_two_rows_of_three) {
  Case test("transpose", ValueType::u32, 6);
  test.data<std::uint32_t>("of", ValueType::u32, {1, 2, 3, 4, 5, 6}).number("width", 3).number("height", 2);
  EXPECT_THAT(test.compute().integers, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(References, stencil5_copies_the_border) {
  Case test("stencil5", ValueType::f32, 12);
  test.data<float>("of", ValueType::f32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
      .number("width", 4)
      .number("height", 3);
  test.number("centre", 10).number("side", 1);
  EXPECT_THAT(test.compute().reals,
              ElementsAre(1, 2, 3, 4, 5, 60 + 5 + 7 + 2 + 10, 70 + 6 + 8 + 3 + 11, 8, 9, 10, 11, 12));
}

TEST(References, block_sum_cuts_into_as_many_pieces_as_there_are_sums) {
  Case test("block_sum", ValueType::f32, 2);
  test.data<float>("of", ValueType::f32, {1, 2, 3, 10, 20, 30});
  EXPECT_THAT(test.compute().reals, ElementsAre(6, 60));
}

TEST(References, block_sum_wants_equal_pieces) {
  Case test("block_sum", ValueType::f32, 4);
  test.data<float>("of", ValueType::f32, {1, 2, 3, 10, 20, 30});
  EXPECT_THAT(test.problem(), HasSubstr("cannot be cut into 4"));
}

TEST(References, histogram_counts_modulo_the_bins_in_each_piece) {
  Case test("histogram", ValueType::u32, 8);
  test.data<std::uint32_t>("of", ValueType::u32, {0, 1, 5, 4, 3, 3, 7, 2}).number("bins", 4);
  EXPECT_THAT(test.compute().integers, ElementsAre(2, 2, 0, 0, 0, 0, 1, 3));
}

TEST(References, chase_starts_at_the_index_of_the_element) {
  Case test("chase", ValueType::u32, 2);
  test.data<std::uint32_t>("of", ValueType::u32, {2, 0, 3, 1}).number("steps", 3);
  EXPECT_THAT(test.compute().integers, ElementsAre(1, 3));  // 0 2 3 1 and 1 0 2 3
}

TEST(References, mad_chain_adds_up_its_chains) {
  Case test("mad_chain", ValueType::f32, 1);
  test.data<float>("of", ValueType::f32, {1}).number("a", 2).number("b", 1).number("iterations", 2).number("chains", 2);
  EXPECT_THAT(test.compute().reals, ElementsAre((1 * 4 + 3) + (2 * 4 + 3)));
}

TEST(References, sfu_mix_at_zero) {
  Case test("sfu_mix", ValueType::f32, 1);
  test.data<float>("of", ValueType::f32, {0}).number("iterations", 1);
  EXPECT_THAT(test.compute().reals, ElementsAre(0.0 + 1.0 + 1.0 + 1.0 + 0.0 + 1.0));
}

TEST(References, sfu_mix_takes_its_second_value_an_eighth_further) {
  Case once("sfu_mix", ValueType::f32, 1), twice("sfu_mix", ValueType::f32, 1);
  once.data<float>("of", ValueType::f32, {0.125F}).number("iterations", 1);
  twice.data<float>("of", ValueType::f32, {0}).number("iterations", 2);
  EXPECT_DOUBLE_EQ(twice.compute().reals[0], 4.0 + once.compute().reals[0]);
}

TEST(References, collatz_of_known_numbers) {
  Case test("collatz", ValueType::u32, 5);
  test.data<std::uint32_t>("of", ValueType::u32, {1, 2, 3, 27, 871});
  EXPECT_THAT(test.compute().integers, ElementsAre(0, 1, 7, 111, 178));
}

TEST(References, tridiagonal_solves_systems_one_after_the_other) {
  Case test("tridiagonal", ValueType::f32, 4);
  test.data<float>("a", ValueType::f32, {9, 1, 9, 3}).data<float>("b", ValueType::f32, {2, 4, 1, 7});
  test.data<float>("c", ValueType::f32, {1, 9, 2, 9}).data<float>("d", ValueType::f32, {4, 9, 7, 24}).number("n", 2);
  EXPECT_THAT(test.compute().reals, ElementsAre(1.0, 2.0, 1.0, 3.0))
      << "2x + y = 4, x + 4y = 9; x + 2y = 7, 3x + 7y = 24";
  Case wrong("tridiagonal", ValueType::f32, 3);
  for (const char* name : {"a", "b", "c", "d"}) wrong.data<float>(name, ValueType::f32, {1, 1, 1});
  EXPECT_THAT(wrong.number("n", 2).problem(), HasSubstr("whole systems"));
}

TEST(References, spmv_reads_blocks_whose_values_lie_apart) {
  // One row of two 2x2 blocks at columns 1 and 0: values of the first block 1 2 3 4, of the second 5 6 7 8.
  Case straight("spmv", ValueType::f32, 2), interleaved("spmv", ValueType::f32, 2);
  for (Case* test : {&straight, &interleaved}) {
    test->data<float>("values", ValueType::f32, {1, 2, 3, 4, 5, 6, 7, 8});
    test->data<std::uint32_t>("columns", ValueType::u32, {1, 0});
    test->data<float>("x", ValueType::f32, {1, 10, 100, 1000}).number("entries", 2).number("block", 2);
  }
  EXPECT_THAT(straight.number("interleaved", 0).compute().reals,
              ElementsAre(100.0 + 2000.0 + 5.0 + 60.0, 300.0 + 4000.0 + 7.0 + 80.0));
  EXPECT_THAT(interleaved.number("interleaved", 1).compute().reals,
              ElementsAre(10.0 + 2000.0 + 5.0 + 600.0, 30.0 + 4000.0 + 7.0 + 800.0));
}

TEST(References, product_of_two_buffers) {
  Case test("product", ValueType::f32, 2);
  test.data<float>("b", ValueType::f32, {2, 3}).data<float>("c", ValueType::f32, {5, 7});
  EXPECT_THAT(test.compute().reals, ElementsAre(10.0, 21.0));
}

TEST(References, nbody_of_two_bodies_on_an_axis) {
  // A mass of 2 at x = 0, one of 4 at x = 3; r.r + 16 = 25, so that each feels mass * 3 / 125.
  Case test("nbody", ValueType::f32, 8);
  test.data<float>("body", ValueType::f32, {0, 0, 0, 2, 3, 0, 0, 4}).number("n", 2).number("softening", 16);
  EXPECT_THAT(test.compute().reals, ElementsAre(4.0 * 3 / 125, 0, 0, 0, -2.0 * 3 / 125, 0, 0, 0));
}

TEST(References, nbody_checks_its_sizes) {
  Case test("nbody", ValueType::f32, 4);
  test.data<float>("body", ValueType::f32, {0, 0, 0, 2}).number("n", 2).number("softening", 1);
  EXPECT_THAT(test.problem(), HasSubstr("8 are needed"));
}

TEST(References, logistic_starts_by_element_and_chain) {
  Case test("logistic", ValueType::f32, 2);
  test.number("iterations", 1).number("chains", 2);
  const auto step = [](double x) { return (2.9 - x / 2) * x; };
  EXPECT_THAT(test.compute().reals, ElementsAre(::testing::DoubleNear(step(0.25) + step(0.375), 1e-12),
                                                ::testing::DoubleNear(step(0.3125) + step(0.4375), 1e-12)));
}

TEST(References, charges_stand_on_the_diagonal) {
  // Rows and columns are 2 apart; a charge of 1 at (0, 0) and one of 2 at (1, 1), each 1 away from the lattice.
  Case test("charges", ValueType::f32, 4);
  test.number("count", 2).number("spacing", 2).number("width", 2);
  const double beside = 1 / std::sqrt(5.0) + 2 / std::sqrt(3.0);
  EXPECT_THAT(test.compute().reals, ElementsAre(1 + 2 / std::sqrt(3.0), beside, beside, 1.0 / 3 + 2 / std::sqrt(3.0)));
}

TEST(References, charges_need_atoms) {
  Case test("charges", ValueType::f32, 4);
  test.number("count", 0).number("spacing", 2).number("width", 2);
  EXPECT_THAT(test.problem(), HasSubstr("'count' must be between"));
}

TEST(References, scan_leaves_the_element_itself_out) {
  Case test("scan", ValueType::f32, 4);
  test.data<float>("of", ValueType::f32, {1, 2, 4, 8});
  EXPECT_THAT(test.compute().reals, ElementsAre(0, 1, 3, 7));
}

TEST(References, of_reals_lose_their_fraction_in_integers) {
  Case test("scan", ValueType::u32, 3);
  test.data<float>("of", ValueType::f32, {1.5, 2, 4});
  EXPECT_THAT(test.compute().integers, ElementsAre(0, 1, 3));
  EXPECT_THAT(test.compute().reals, IsEmpty());
}

TEST(References, scan_checks_its_sizes) {
  Case test("scan", ValueType::f32, 4);
  test.data<float>("of", ValueType::f32, {1, 2});
  EXPECT_THAT(test.problem(), HasSubstr("4 are needed"));
}

TEST(References, every_row_has_a_description_and_arguments) {
  for (const Reference& reference : references()) {
    EXPECT_FALSE(reference.description.empty()) << reference.name;
    EXPECT_FALSE(reference.arguments.empty()) << reference.name;
    EXPECT_EQ(find_reference(reference.name), &reference);
  }
  EXPECT_EQ(find_reference("nothing"), nullptr);
}

}  // namespace
}  // namespace teslasim
