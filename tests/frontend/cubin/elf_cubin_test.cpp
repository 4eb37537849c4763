// SPDX-License-Identifier: Apache-2.0
// ELF cubins: what the sections say is what the kernel gets; damage is found and named with its offset.
#include "frontend/cubin/elf_cubin.h"

#include <elf.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "frontend/frontend.h"
#include "frontend/text/assembler.h"
#include "frontend/workload/device/launch_image.h"
#include "frontend/workload/read/load.h"
#include "isa/encoding/encoding.h"
#include "sim/base/diagnostic.h"
#include "sim/base/text_file.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Module two_kernels() {
  Module module = assemble_text(R"(.arch sm_13
.const table c0 : u32 1, 2, 3
.entry first
{
  .lmem 32
  .param u32 n
  .param u64 data
  .const c1 : u32 0x3ff
  bar.sync 0
  add.u32 $r1, $r0, c1[0]
  mov.b32 $r9, s[n]
  return
}
.entry second
{
  add.rn.f64 $r0, $r2, $r4
  return
}
)");
  module.variables = {{"counter", 4, {7, 0, 0, 0}}, {"table", 64, {}}};
  module.textures = {{"image", 0}, {"palette", 5}};
  module.constants.push_back({14, 0, std::vector<std::uint8_t>(8)});
  module.kernels.at(1).most_threads = 96;
  for (Kernel& kernel : module.kernels) kernel.address_slots = {{14, 0, 1, 16}, {14, 4, 0, 0}};
  return module;
}

std::vector<Diagnostic> problems_with(std::string_view bytes) {
  try {
    (void)read_elf_cubin("x.cubin", bytes);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::input);
    return error.diagnostics();
  }
  return {};
}

class ElfCubin : public ::testing::TestWithParam<unsigned> {
 protected:
  std::string bytes = write_elf_cubin(two_kernels(), GetParam());
  Module module = read_elf_cubin("x.cubin", bytes);
};
INSTANTIATE_TEST_SUITE_P(Class, ElfCubin, ::testing::Values(32U, 64U));

TEST_P(ElfCubin, SaysItsClassAndLevel) {
  EXPECT_EQ(module.container, fmt::format("{}-bit ELF cubin", GetParam()));
  EXPECT_EQ(module.sm, 13);
}

TEST_P(ElfCubin, ResourcesComeFromSectionSizesAndFlags) {
  const Kernel& kernel = module.kernels.at(0);
  EXPECT_EQ(kernel.name, "first");
  EXPECT_EQ(kernel.registers, 10U);
  EXPECT_EQ(kernel.barriers, 1U);
  EXPECT_EQ(kernel.local_bytes, 32U);
  EXPECT_EQ(kernel.shared_bytes, 16U + 16U);
  EXPECT_EQ(module.kernels.at(1).name, "second");
  EXPECT_EQ(module.kernels.at(1).local_bytes, 0U);
  EXPECT_EQ(kernel.most_threads, 0U);
  EXPECT_EQ(module.kernels.at(1).most_threads, 96U);
}

TEST_P(ElfCubin, ParametersHaveSizesAndPlacesButNoNames) {
  const Kernel& kernel = module.kernels.at(0);
  EXPECT_FALSE(kernel.parameters_named);
  ASSERT_THAT(kernel.parameters, SizeIs(2));
  EXPECT_EQ(kernel.parameters[0].name, "p0");
  EXPECT_EQ(kernel.parameters[0].bytes, 4U);
  EXPECT_EQ(kernel.parameters[1].offset, 8U);
  EXPECT_EQ(kernel.parameters[1].bytes, 8U);
}

TEST_P(ElfCubin, TexturesHaveNamesAndSlotsOnceForAllKernels) {
  ASSERT_THAT(module.textures, SizeIs(2));
  EXPECT_EQ(module.textures[0].name, "image");
  EXPECT_EQ(module.textures[0].slot, 0U);
  EXPECT_EQ(module.textures[1].name, "palette");
  EXPECT_EQ(module.textures[1].slot, 5U);
}

TEST_P(ElfCubin, ConstantsBelongToOneKernelOrToAll) {
  ASSERT_THAT(module.kernels.at(0).constants, SizeIs(1));
  EXPECT_EQ(module.kernels[0].constants[0].bank, 1);
  EXPECT_THAT(module.kernels[0].constants[0].bytes, ElementsAre(0xff, 0x03, 0, 0));
  ASSERT_THAT(module.constants, SizeIs(2));
  EXPECT_THAT(module.constants[0].bytes, SizeIs(12));
}

TEST_P(ElfCubin, ConstantsOfAllKernelsHaveTheirNames) {
  Module written = two_kernels();
  written.constants = {{0, 4, {1, 2, 3, 4}, "factor"}, {0, 12, {5, 6}, "pair"}, {0, 16, {7}}};
  const Module read = read_elf_cubin("x.cubin", write_elf_cubin(written, GetParam()));
  ASSERT_THAT(read.constants, SizeIs(5));  // and what lies between them
  EXPECT_EQ(read.constants[1].name, "factor");
  EXPECT_EQ(read.constants[1].offset, 4U);
  EXPECT_THAT(read.constants[1].bytes, ElementsAre(1, 2, 3, 4));
  EXPECT_EQ(read.constants[3].name, "pair");
  EXPECT_EQ(read.constants[3].offset, 12U);
  EXPECT_THAT(read.constants[3].bytes, ElementsAre(5, 6));
  EXPECT_EQ(read.constants[4].name, "");
  EXPECT_THAT(read.constants[4].bytes, ElementsAre(0, 0, 7));
}

TEST_P(ElfCubin, RelocationsAskForAddressesOfDeviceVariables) {
  ASSERT_THAT(module.variables, SizeIs(2));
  EXPECT_EQ(module.variables[0].name, "counter");
  EXPECT_THAT(module.variables[0].contents, ElementsAre(7, 0, 0, 0));
  EXPECT_EQ(module.variables[1].bytes, 64U);
  ASSERT_THAT(module.kernels[1].address_slots, SizeIs(2));
  EXPECT_EQ(module.kernels[1].address_slots[0].variable, 1U);
  EXPECT_EQ(module.kernels[1].address_slots[0].addend, 16U);
}

TEST_P(ElfCubin, VariablesThatStartAsZeroTakeNoRoomInTheFile) {
  constexpr std::uint64_t huge = std::uint64_t{1} << 30U;
  Module original = two_kernels();
  original.variables.push_back({"huge", huge, {}});
  const std::string written = write_elf_cubin(original, GetParam());
  EXPECT_LT(written.size(), 16384U);
  const Module again = read_elf_cubin("x.cubin", written);
  ASSERT_THAT(again.variables, SizeIs(3));
  EXPECT_EQ(again.variables[2].name, "huge");
  EXPECT_EQ(again.variables[2].bytes, huge);
  EXPECT_THAT(again.variables[2].contents, IsEmpty());
}

TEST_P(ElfCubin, DeviceVariablesBecomeBuffersAndTheirAddressesConstants) {
  const auto shared = std::make_shared<const Module>(module);
  const Workload workload = workload_from_text(
      "x.launch.toml", "schema = \"teslasim.launch/1\"\nkernel = \"second\"\ngrid = [1]\nblock = [1]\n", shared);
  ASSERT_THAT(workload.buffers, SizeIs(2));
  EXPECT_EQ(workload.buffers[0].name, "counter");
  const auto banks = constant_banks(workload.launches.at(0), {0x11223344, 0x1000});
  EXPECT_THAT(banks[14], ElementsAre(0x10, 0x10, 0, 0, 0x44, 0x33, 0x22, 0x11));
}

TEST_P(ElfCubin, VariablesMayStartWithAddressesOfOthers) {
  Module original = two_kernels();
  original.variables.push_back({"links", 16, std::vector<std::uint8_t>(16), {{4, 1, 8}, {8, 2, 0}}});
  original.constants.insert(original.constants.begin(), {0, 0, std::vector<std::uint8_t>(8), "rows"});
  for (Kernel& kernel : original.kernels) kernel.address_slots.push_back({0, 4, 2, 12});
  const std::string written = write_elf_cubin(original, GetParam());
  const Module again = read_elf_cubin("x.cubin", written);
  const auto named = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find_if(again.variables.begin(), again.variables.end(),
                                                 [&](const DeviceVariable& one) { return one.name == name; }) -
                                    again.variables.begin());
  };
  ASSERT_LT(named("links"), again.variables.size());
  const std::vector<VariableAddress>& addresses = again.variables[named("links")].addresses;
  ASSERT_THAT(addresses, SizeIs(2));
  EXPECT_EQ(addresses[0].offset, 4U);
  EXPECT_EQ(addresses[0].variable, named("table"));
  EXPECT_EQ(addresses[0].addend, 8U);
  EXPECT_EQ(addresses[1].offset, 8U);
  EXPECT_EQ(addresses[1].variable, named("links"));
  for (const Kernel& kernel : again.kernels) {
    ASSERT_THAT(kernel.address_slots, SizeIs(3));
    EXPECT_TRUE(std::any_of(kernel.address_slots.begin(), kernel.address_slots.end(), [&](const AddressSlot& slot) {
      return slot.bank == 0 && slot.offset == 4 && slot.variable == named("links") && slot.addend == 12;
    }));
  }
  EXPECT_EQ(written, write_elf_cubin(again, GetParam()));
}

TEST_P(ElfCubin, CodeIsTheSameWordByWord) {
  const Module original = two_kernels();
  for (std::size_t k = 0; k < original.kernels.size(); ++k) {
    ASSERT_EQ(module.kernels[k].code.size(), original.kernels[k].code.size());
    for (std::size_t i = 0; i < original.kernels[k].code.size(); ++i)
      EXPECT_EQ(encode(module.kernels[k].code[i], 13).words, encode(original.kernels[k].code[i], 13).words);
  }
  EXPECT_EQ(write_elf_cubin(module, GetParam()), write_elf_cubin(read_elf_cubin("y", bytes), GetParam()));
}

TEST_P(ElfCubin, AnyTruncationIsAnErrorOrHarmless) {
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(problems_with(std::string_view(bytes).substr(0, size)), ::testing::Not(IsEmpty())) << size;
}

TEST_P(ElfCubin, AnyFlippedBitIsReadOrRefused) {
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    for (const Diagnostic& problem : problems_with(damaged)) {
      EXPECT_FALSE(problem.code.empty());
      EXPECT_FALSE(problem.help.empty()) << problem.message;
    }
  }
}

TEST_P(ElfCubin, WordsThatMeanNothingAreListedWithTheirOffset) {
  const std::size_t code = bytes.find(std::string_view("\xff\x03\x00\x00", 4));
  ASSERT_NE(code, std::string::npos);
  std::string damaged = bytes;
  const Module original = two_kernels();
  const EncodedWords words = *encode(original.kernels[0].code[1], 13).words;
  const std::string_view pattern(reinterpret_cast<const char*>(&words), 8);  // NOLINT: words as stored
  const std::size_t place = bytes.find(pattern);
  ASSERT_NE(place, std::string::npos);
  damaged.replace(place, 8, "\xff\xff\xff\xff\xff\xff\xff\xff");
  const std::vector<Diagnostic> problems = problems_with(damaged);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].code, "ISA-UNKNOWN-OP");
  EXPECT_THAT(problems[0].details.at(0), HasSubstr("pc 0x0008: ffffffff ffffffff"));
  EXPECT_THAT(problems[0].details.at(1), HasSubstr("file offset 0x"));
  EXPECT_THAT(problems[0].notes, ElementsAre("the other 3 instructions are known"));
}

Elf32_Shdr* section_table(std::string& bytes) {
  Elf32_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  return reinterpret_cast<Elf32_Shdr*>(bytes.data() + header.e_shoff);  // NOLINT: the table as stored
}

TEST(ElfCubinDamage, OverlappingSectionsAreNamed) {
  std::string bytes = write_elf_cubin(two_kernels(), 32);
  Elf32_Shdr* const table = section_table(bytes);
  table[2].sh_offset = table[1].sh_offset;
  const std::vector<Diagnostic> problems = problems_with(bytes);
  ASSERT_THAT(problems, SizeIs(1));
  EXPECT_EQ(problems[0].code, "CUBIN-ELF");
  EXPECT_THAT(problems[0].message, HasSubstr("overlaps"));
  EXPECT_THAT(problems[0].details.at(0), HasSubstr("offset 0x"));
}

TEST(ElfCubinDamage, ASectionBeyondTheFileIsNamed) {
  std::string bytes = write_elf_cubin(two_kernels(), 32);
  section_table(bytes)[3].sh_size = 0xfffffff0;
  EXPECT_THAT(problems_with(bytes).at(0).message, HasSubstr("reaches beyond"));
}

TEST(ElfCubinDamage, TooManyRegistersOrTooMuchSharedMemoryIsRefused) {
  Module module = two_kernels();
  module.kernels[0].shared_bytes = 20000;
  EXPECT_THAT(problems_with(write_elf_cubin(module, 32)).at(0).message, HasSubstr("shared memory"));
}

TEST(ElfCubinDamage, CodeForLaterMachinesIsRefused) {
  Module module = two_kernels();
  std::string bytes = write_elf_cubin(module, 32);
  Elf32_Ehdr header;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.e_flags = 0x140114;
  std::memcpy(bytes.data(), &header, sizeof header);
  EXPECT_EQ(problems_with(bytes).at(0).code, "ISA-LEVEL");
  EXPECT_THAT(problems_with(bytes).at(0).message, HasSubstr("sm_20"));
}

TEST(ElfCubinLevel, OpcodesNewerThanTheMachineAreListed) {
  const std::string bytes = write_elf_cubin(two_kernels(), 32);
  try {
    (void)read_elf_cubin("x.cubin", bytes, {10, "8800gtx"});
    FAIL() << "accepted";
  } catch (const InputError& error) {
    const Diagnostic& problem = error.diagnostics().at(0);
    EXPECT_EQ(problem.code, "ISA-UNKNOWN-OP");
    EXPECT_THAT(problem.help, HasSubstr("first appears in sm_13; the configuration is sm_10 (8800gtx)"));
    EXPECT_THAT(problem.help, HasSubstr("--retarget sm_13"));
  }
}

TEST(ElfCubinReal, IsTheSameProgramAsItsTextForm) {
  const std::filesystem::path folder = std::filesystem::path(TESLASIM_SOURCE_DIR) / "../shared/cubins/small";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "../shared/cubins/small is absent";
  const Module elf = read_module((folder / "matrix_add_sm12_elf.cubin").string());
  const Module text = read_module((folder / "matrix_add_sm12_text.cubin").string());
  const Kernel &left = elf.kernels.at(0), &right = text.kernels.at(0);
  EXPECT_EQ(elf.sm, text.sm);
  EXPECT_EQ(left.name, right.name);
  EXPECT_EQ(left.registers, right.registers);
  EXPECT_EQ(left.shared_bytes, right.shared_bytes);
  EXPECT_EQ(left.constants.at(0).bytes, right.constants.at(0).bytes);
  ASSERT_EQ(left.code.size(), right.code.size());
  for (std::size_t i = 0; i < left.code.size(); ++i) EXPECT_TRUE(equivalent(left.code[i], right.code[i])) << i;
  ASSERT_THAT(left.parameters, SizeIs(3));
  EXPECT_EQ(left.parameters[2].offset, 16U);
}

}  // namespace
}  // namespace teslasim
