// SPDX-License-Identifier: Apache-2.0
// GPU code inside other files is found wherever it lies, and the best image for the machine is taken.
#include "frontend/cubin/embedded_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "frontend/text/assembler.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using namespace std::string_literals;

Module program(const std::string& level, const std::string& kernel, unsigned instructions) {
  std::string text = ".arch " + level + "\n.entry " + kernel + "\n{\n";
  for (unsigned i = 0; i < instructions; ++i) text += "add.u32 $r1, $r1, $r2\n";
  return assemble_text(text + "return\n}\n");
}

std::string host(const std::string& contents) {
  return "\x7f"
         "ELF\x02\x01\x01"s +
         std::string(57, '\0') + contents + std::string(13, '\0');
}

std::size_t instructions(const Module& module, std::size_t kernel = 0) {
  return module.kernels.at(kernel).code.size();
}

TEST(EmbeddedImages, AnElfCubinIsFoundAtAnyOffset) {
  const std::string file = host("abc" + write_elf_cubin(program("sm_12", "k", 3), 64));
  const Module module = read_module_bytes("a.out", file);
  EXPECT_EQ(module.kernels.at(0).name, "k");
  EXPECT_EQ(module.sm, 12);
  EXPECT_THAT(module.images, ElementsAre(HasSubstr("ELF cubin for sm_12")));
}

TEST(EmbeddedImages, ATextCubinEndsAtItsZeroByte) {
  const std::string file = host(write_text_cubin(program("sm_11", "k", 3)) + "\0rubbish {"s);
  EXPECT_EQ(read_module_bytes("a.out", file).kernels.at(0).name, "k");
}

TEST(EmbeddedImages, TheBestLevelThatTheMachineExecutesIsTaken) {
  const std::string file = host(write_elf_cubin(program("sm_10", "k", 1)) + write_elf_cubin(program("sm_12", "k", 2)) +
                                write_elf_cubin(program("sm_13", "k", 3)));
  EXPECT_EQ(instructions(read_module_bytes("a.out", file)), 4U);
  EXPECT_EQ(instructions(read_module_bytes("a.out", file, {13, ""})), 4U);
  EXPECT_EQ(instructions(read_module_bytes("a.out", file, {12, ""})), 3U);
  EXPECT_EQ(instructions(read_module_bytes("a.out", file, {11, ""})), 2U);
  EXPECT_THAT(read_module_bytes("a.out", file, {12, ""}).images,
              ElementsAre(HasSubstr("sm_10"), HasSubstr("taken"), HasSubstr("sm_13")));
}

TEST(EmbeddedImages, KernelsOfSeveralSourceFilesAreOneProgram) {
  Module first = program("sm_10", "a", 1), second = program("sm_10", "b", 2);
  first.constants = {{0, 0, {1}}};
  second.constants = {{0, 0, {2}}};
  const Module module = read_module_bytes("a.out", host(write_elf_cubin(first) + write_elf_cubin(second)));
  ASSERT_THAT(module.kernels, SizeIs(2));
  EXPECT_THAT(module.kernels[0].constants.at(0).bytes, ElementsAre(1));
  EXPECT_THAT(module.kernels[1].constants.at(0).bytes, ElementsAre(2));
}

/// The container of CUDA 4.0 and later with one entry.
std::string container(std::uint16_t kind, std::uint32_t level, const std::string& payload) {
  std::string entry(64, '\0');
  entry[0] = static_cast<char>(kind);
  entry[4] = 64;
  entry[8] = static_cast<char>(payload.size());
  entry[28] = static_cast<char>(level);
  std::string bytes = "\x50\xed\x55\xba\x01\x00\x10\x00"s + std::string(8, '\0');
  bytes[8] = static_cast<char>(entry.size() + payload.size());
  return bytes + entry + payload;
}

Diagnostic refusal(const std::string& bytes, ReadOptions options = {}) {
  try {
    (void)read_module_bytes("a.out", bytes, options);
  } catch (const InputError& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::input);
    return error.diagnostics().at(0);
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(EmbeddedImages, PtxAndCompressedImagesAreNamed) {
  const std::string ptx = ".version 1.4\n.target sm_10\n";
  Diagnostic problem = refusal(host(container(1, 10, ptx)));
  EXPECT_EQ(problem.code, "CUBIN-IMAGE");
  EXPECT_THAT(problem.details, ElementsAre(HasSubstr("PTX for sm_10")));
  EXPECT_THAT(problem.help, HasSubstr("ptxas"));
  problem = refusal(host(container(2, 13, "\x01\x02\x03\x04\x05\x06\x07\x08")));
  EXPECT_THAT(problem.details, ElementsAre(HasSubstr("compressed cubin for sm_13")));
  EXPECT_THAT(problem.help, HasSubstr("cuobjdump"));
  problem = refusal(host(ptx + '\0'));
  EXPECT_THAT(problem.details, ElementsAre(HasSubstr("PTX for sm_10")));
}

TEST(EmbeddedImages, CodeForNewerMachinesOnlyIsRefusedWithTheList) {
  const Diagnostic problem = refusal(host(write_elf_cubin(program("sm_13", "k", 1))), {11, "8800gt"});
  EXPECT_EQ(problem.code, "CUBIN-IMAGE");
  EXPECT_THAT(problem.message, HasSubstr("sm_11"));
  EXPECT_THAT(problem.details, ElementsAre(HasSubstr("ELF cubin for sm_13")));
}

TEST(EmbeddedImages, AHostProgramWithoutGpuCodeIsRefused) {
  EXPECT_THAT(refusal(host("nothing")).message, HasSubstr("holds none"));
}

TEST(EmbeddedImages, DamagedImagesAreErrorsWithTheOffsetInTheFile) {
  std::string image = write_elf_cubin(program("sm_12", "k", 3), 64);
  constexpr std::size_t lost = 200;
  image.resize(image.size() - lost);
  EXPECT_THAT(refusal(host(image)).details.at(0), HasSubstr("file offset 0x"));
}

}  // namespace
}  // namespace teslasim
