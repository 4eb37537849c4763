// SPDX-License-Identifier: Apache-2.0
// GPU code inside other files is found wherever it lies, and the best image for the machine is taken.
#include "frontend/cubin/embedded_images.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>

#include "frontend/cubin/elf_cubin.h"
#include "frontend/cubin/packed_image.h"
#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "frontend/text/assembler.h"
#include "sim/base/diagnostic.h"

namespace teslasim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
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

std::string packed(const std::string& bytes) {
  std::string block(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(bytes.size()))), '\0');
  const int size =
      LZ4_compress_default(bytes.data(), block.data(), static_cast<int>(bytes.size()), static_cast<int>(block.size()));
  block.resize(static_cast<std::size_t>(size));
  return block;
}

/// An entry whose payload is compressed: its header says both sizes.
std::string packed_container(std::uint16_t kind, const std::string& payload, std::size_t unpacked_bytes) {
  std::string bytes = container(kind, 12, payload);
  const auto put = [&](std::size_t at, std::size_t value) {
    for (std::size_t i = 0; i < 4; ++i) bytes[16 + at + i] = static_cast<char>(value >> (8 * i) & 0xffU);
  };
  put(8, payload.size());
  put(16, payload.size());
  put(40, 0x2000);
  put(56, unpacked_bytes);
  bytes[8] = static_cast<char>((64 + payload.size()) & 0xffU);
  bytes[9] = static_cast<char>((64 + payload.size()) >> 8U);
  return bytes;
}

TEST(EmbeddedImages, CompressedCubinsAreUnpacked) {
  const std::string elf = write_elf_cubin(program("sm_12", "k", 30), 64);
  const std::string text = write_text_cubin(program("sm_12", "k", 30));
  ASSERT_LT(packed(elf).size(), elf.size() / 2);
  for (const auto& [kind, image] : {std::pair<std::uint16_t, std::string>{2, elf}, {4, text}}) {
    const Module module = read_module_bytes("a.out", host(packed_container(kind, packed(image), image.size())));
    EXPECT_EQ(instructions(module), 31U);
    EXPECT_THAT(module.images, ElementsAre(HasSubstr(std::to_string(image.size()) + " unpacked, taken")));
  }
}

TEST(EmbeddedImages, DamagedCompressionIsNamedNotRead) {
  const std::string elf = write_elf_cubin(program("sm_12", "k", 30), 64);
  const std::string good = packed(elf);
  for (std::size_t cut = 8; cut < good.size(); cut += 7) {
    const Diagnostic problem = refusal(host(packed_container(2, good.substr(0, cut), elf.size())));
    EXPECT_THAT(problem.details, ElementsAre(HasSubstr("compressed cubin for sm_12"))) << cut;
  }
  EXPECT_EQ(refusal(host(packed_container(2, good, std::size_t{1} << 31U))).code, "CUBIN-IMAGE");
}

TEST(PackedImage, WhatAnotherPackerMade) {
  // By liblz4 1.9.4.
  const std::string packed_text =
      "\xff\x06the quick brown fox, \x15\x00\x02\x1f"
      "a\x01\x00\xff\x19\x02\x43\x01\xf0\x0blazy dog: 0123456789abcdef"s;
  const std::string fox = "the quick brown fox, ";
  const std::string text = fox + fox + std::string(300, 'a') + ", the lazy dog: 0123456789abcdef";
  EXPECT_EQ(unpacked_image(packed_text, text.size()), text);
  EXPECT_EQ(unpacked_image(packed_text, text.size() + 1), std::nullopt);
  EXPECT_EQ(unpacked_image(packed_text, text.size() - 1), std::nullopt);
  EXPECT_EQ(unpacked_image(packed_text + "\x00"s, text.size()), std::nullopt) << "more than the block";
  for (std::size_t cut = 0; cut < packed_text.size(); ++cut) {
    EXPECT_EQ(unpacked_image(packed_text.substr(0, cut), text.size()), std::nullopt) << cut;
  }
  EXPECT_EQ(unpacked_image("", 0), "");
  EXPECT_EQ(unpacked_image("\x10z\x02\x00"s, 20), std::nullopt) << "a copy from before the beginning";
  EXPECT_EQ(unpacked_image("\x10z\x00\x00"s, 20), std::nullopt) << "a copy of nothing";
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
