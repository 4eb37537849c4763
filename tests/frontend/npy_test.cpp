// SPDX-License-Identifier: Apache-2.0
// The .npy files that come in and go out.
#include "frontend/workload/device/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/frontend/workload/support.h"

namespace teslasim {
namespace {

using namespace workload_test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A version 1.0 file with the dictionary as given.
std::vector<std::byte> file_with(const std::string& dictionary, std::size_t data_bytes = 0) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(dictionary.size() & 0xff);
  text += static_cast<char>(dictionary.size() >> 8);
  text += dictionary + std::string(data_bytes, 'x');
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

NpyHeader header_of(const std::vector<std::byte>& file) {
  const auto result = parse_npy_header(file);
  const auto* problem = std::get_if<NpyProblem>(&result);
  EXPECT_EQ(problem, nullptr) << problem->text;
  return problem != nullptr ? NpyHeader{} : std::get<NpyHeader>(result);
}

std::string problem_of(const std::vector<std::byte>& file) {
  const auto result = parse_npy_header(file);
  const auto* problem = std::get_if<NpyProblem>(&result);
  return problem != nullptr ? problem->text : "";
}

TEST(Npy, reads_what_numpy_writes) {
  // numpy.save of numpy.zeros((2, 3), dtype="<f4"), version 1.24
  const std::string dictionary = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  const NpyHeader header = header_of(file_with(dictionary + std::string(117 - dictionary.size(), ' ') + "\n", 24));
  EXPECT_EQ(header.type, ValueType::f32);
  EXPECT_THAT(header.shape, ElementsAre(2, 3));
  EXPECT_EQ(header.elements, 6U);
  EXPECT_EQ(header.data_offset, 128U);
}

TEST(Npy, knows_the_little_endian_element_types) {
  const std::vector<std::pair<std::string, ValueType>> types = {
      {"|u1", ValueType::u8},  {"|i1", ValueType::s8},  {"<u2", ValueType::u16}, {"<i2", ValueType::s16},
      {"<u4", ValueType::u32}, {"<i4", ValueType::s32}, {"<f4", ValueType::f32}, {"<u8", ValueType::u64},
      {"<i8", ValueType::s64}, {"<f8", ValueType::f64}};
  for (const auto& [descriptor, type] : types) {
    EXPECT_EQ(header_of(file_with("{'descr': '" + descriptor + "', 'fortran_order': False, 'shape': (4,), }")).type,
              type);
  }
}

TEST(Npy, a_single_value_and_an_empty_array_have_one_and_no_elements) {
  EXPECT_EQ(header_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (), }")).elements, 1U);
  EXPECT_EQ(header_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 0), }")).elements, 0U);
}

TEST(Npy, says_what_it_cannot_read) {
  EXPECT_THAT(problem_of({}), HasSubstr("not a .npy file"));
  EXPECT_THAT(problem_of(file_with("nonsense")), HasSubstr("does not begin with '{'"));
  EXPECT_THAT(problem_of(file_with("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }")), HasSubstr("'>f4'"));
  EXPECT_THAT(problem_of(file_with("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }")), HasSubstr("'|O'"));
  EXPECT_THAT(problem_of(file_with("{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,), }")),
              HasSubstr("structured"));
  EXPECT_THAT(problem_of(file_with("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }")),
              HasSubstr("Fortran"));
  EXPECT_THAT(problem_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }")),
              HasSubstr("too large"));
  EXPECT_THAT(problem_of(file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,), }")),
              HasSubstr("damaged"));
  EXPECT_THAT(problem_of(file_with("{'descr': '<f4', 'shape': (1,), }")), HasSubstr("lacks"));
  std::vector<std::byte> version9 = file_with("{}");
  version9[6] = std::byte{9};
  EXPECT_THAT(problem_of(version9), HasSubstr("version 9"));
  std::vector<std::byte> cut = file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }");
  cut.resize(30);
  EXPECT_THAT(problem_of(cut), HasSubstr("ends inside its header"));
}

TEST(Npy, versions_2_and_3_have_four_bytes_for_the_length_of_their_header) {
  for (const int version : {2, 3}) {
    std::vector<std::byte> file = file_with("{'descr': '<u2', 'fortran_order': False, 'shape': (3,), }", 6);
    file[6] = static_cast<std::byte>(version);
    file.insert(file.begin() + 10, 2, std::byte{0});
    const NpyHeader header = header_of(file);
    EXPECT_EQ(header.elements, 3U) << version;
    EXPECT_EQ(header.data_offset, file.size() - 6) << version;
  }
}

TEST(Npy, a_file_that_is_too_short_for_its_shape_is_refused) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("short.npy", file_with("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }", 15));
  const auto result = inspect_npy(path);
  ASSERT_TRUE(std::holds_alternative<NpyProblem>(result));
  EXPECT_THAT(std::get<NpyProblem>(result).text, HasSubstr("15 of 16 bytes"));
}

TEST(Npy, data_begins_at_a_multiple_of_64_bytes) {
  const std::vector<std::byte> file = npy_bytes(ValueType::b32, bytes_from<std::uint32_t>({1, 2, 3}));
  const NpyHeader header = header_of(file);
  EXPECT_EQ(header.data_offset % 64, 0U);
  EXPECT_EQ(file[header.data_offset - 1], std::byte{'\n'});
  EXPECT_EQ(header.type, ValueType::u32);  // untyped bits go out as unsigned integers
  EXPECT_EQ(file.size(), header.data_offset + 12);
}

RC_GTEST_PROP(Npy, what_is_written_is_read_back, (const std::vector<std::int64_t>& values)) {
  const TemporaryFolder folder;
  const std::vector<std::byte> data = bytes_from(values);
  write_npy(folder.path("x.npy"), ValueType::s64, data);
  const auto result = inspect_npy(folder.path("x.npy"));
  RC_ASSERT(std::holds_alternative<NpyHeader>(result));
  const NpyHeader& header = std::get<NpyHeader>(result);
  RC_ASSERT(header.elements == values.size() && header.type == ValueType::s64);
  const std::vector<std::byte> file = npy_bytes(ValueType::s64, data);
  RC_ASSERT(std::vector<std::byte>(file.begin() + static_cast<std::ptrdiff_t>(header.data_offset), file.end()) == data);
}

RC_GTEST_PROP(Npy, damaged_headers_are_read_or_refused, (std::size_t where, std::uint8_t value)) {
  std::vector<std::byte> file = npy_bytes(ValueType::f32, bytes_from<float>({1, 2, 3, 4}));
  file[where % file.size()] = static_cast<std::byte>(value);
  const auto result = parse_npy_header(file);
  if (const auto* problem = std::get_if<NpyProblem>(&result)) RC_ASSERT(!problem->text.empty());
}

TEST(Npy, a_folder_that_does_not_exist_is_an_environment_error) {
  try {
    write_npy("/nonexistent/folder/x.npy", ValueType::f32, {});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::environment);
    EXPECT_EQ(error.diagnostics().at(0).code, "FILE-WRITE");
  }
}

}  // namespace
}  // namespace teslasim
