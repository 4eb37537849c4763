// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/stand_in.h"

#include <fmt/format.h>

#include <array>

namespace teslasim {
namespace {

using Class = StandInClass;

struct Family {
  Class what;
  std::string_view opcodes;  ///< separated by blanks
};

constexpr std::array<Family, 23> families{{
    {Class::integer,
     " IADD IADD3 IADD32I UIADD3 LOP LOP3 LOP32I ULOP3 SHL SHR SHF USHF MOV MOV32I UMOV SEL USEL ISETP "
     "UISETP ISET ICMP IMNMX IABS LEA ULEA ISCADD ISCADD32I BFE BFI BMSK SGXT P2R R2P R2UR PLOP3 "
     "UPLOP3 PSETP PSET CSET CSETP S2R S2UR CS2R VABSDIFF VADD "},
    {Class::integer_multiply, " IMUL IMUL32I IMAD IMAD32I UIMAD XMAD IMADSP VMAD "},
    {Class::real_add, " FADD FADD32I FSETP FSET FCMP FSEL FMNMX FCHK "},
    {Class::real_multiply, " FMUL FMUL32I "},
    {Class::real_mad, " FFMA FFMA32I "},
    {Class::convert, " F2F F2I I2F I2I FRND F2FP I2FP "},
    {Class::special, " MUFU RRO "},
    {Class::real64_add, " DADD DSETP DSET DMNMX "},
    {Class::real64_multiply, " DMUL "},
    {Class::real64_mad, " DFMA "},
    {Class::global_load, " LDG LD "},
    {Class::global_store, " STG ST "},
    {Class::global_atomic, " ATOM ATOMG "},
    {Class::global_reduction, " RED "},
    {Class::shared_load, " LDS LDSM ATOMS "},
    {Class::shared_store, " STS "},
    {Class::local_load, " LDL "},
    {Class::local_store, " STL "},
    {Class::constant_load, " LDC ULDC "},
    {Class::branch,
     " BRA BRX BRXU JMP JMX CAL CALL JCAL RET PRET PBK PCNT SSY SYNC BRK CONT BSSY BSYNC BREAK RTT "
     "RPCMOV "},
    {Class::barrier, " BAR "},
    {Class::end, " EXIT "},
    {Class::nothing,
     " NOP WARPSYNC YIELD MEMBAR DEPBAR ERRBAR CCTL CCTLL CCTLT LDGDEPBAR NANOSLEEP PMTRIG BPT LEPC "
     "GETLMEMBASE BMOV "},
}};

constexpr unsigned zero_register = 124, foreign_zero = 255, registers = 120;

std::string reg(const std::vector<unsigned>& list, std::size_t position, unsigned words = 1) {
  if (position >= list.size() || list[position] == foreign_zero) {
    // Pairs and quads need registers that exist.
    return words == 1 ? fmt::format("$r{}", zero_register) : "$r0";
  }
  return fmt::format("$r{}", list[position] % registers / words * words);
}

std::string_view access_type(unsigned width) {
  constexpr std::array<std::string_view, 5> types{"u8", "u16", "u32", "b64", "b128"};
  std::size_t place = 0;
  while (place + 1 < types.size() && (1U << place) < width) ++place;
  return types[place];
}

std::string control_text(Class what) {
  if (what == Class::branch) return "bra next";  // the caller gives it a target
  if (what == Class::barrier) return "bar.sync 0";
  return what == Class::end ? "return" : "nop";
}

}  // namespace

StandIn stand_in_for(std::string_view opcode) {
  const std::string word = fmt::format(" {} ", opcode.substr(0, opcode.find('.')));
  for (const Family& family : families) {
    if (family.opcodes.find(word) != std::string_view::npos) return {family.what, true};
  }
  return {Class::integer, false};
}

std::string stand_in_text(const ForeignInstruction& instruction) {
  constexpr unsigned word_bytes = 4;
  const std::vector<unsigned>& to = instruction.destinations;
  const std::vector<unsigned>& from = instruction.sources;
  const unsigned words = instruction.width <= word_bytes ? 1 : instruction.width / word_bytes;
  const std::string d = to.empty() || to[0] == foreign_zero ? "" : reg(to, 0);
  const std::string a = reg(from, 0), b = reg(from, 1), c = reg(from, 2);
  const std::string_view type = access_type(instruction.width);
  const std::string target = d.empty() ? "$o127" : d;
  const std::string loaded = d.empty() ? "$r0" : reg(to, 0, words);
  const std::string plain = fmt::format("add.u32 {}, {}, {}", target, a, b);
  const Class what = stand_in_for(instruction.opcode).what;
  switch (what) {
    case Class::integer:
      return plain;
    case Class::integer_multiply:
      return d.empty() ? plain : fmt::format("mad24.lo.u32 {}, {}, {}, {}", d, a, b, c);
    case Class::real_add:
      return fmt::format("add.f32 {}, {}, {}", target, a, b);
    case Class::real_multiply:
      return fmt::format("mul.f32 {}, {}, {}", target, a, b);
    case Class::real_mad:
      return d.empty() ? plain : fmt::format("mad.f32 {}, {}, {}, {}", d, a, b, c);
    case Class::convert:
      return fmt::format("cvt.rn.f32.s32 {}, {}", target, a);
    case Class::special:
      return d.empty() ? plain : fmt::format("rcp.f32 {}, {}", d, a);
    case Class::real64_add:
      return fmt::format("add.rn.f64 {}, {}, {}", reg(to, 0, 2), reg(from, 0, 2), reg(from, 1, 2));
    case Class::real64_multiply:
      return fmt::format("mul.rn.f64 {}, {}, {}", reg(to, 0, 2), reg(from, 0, 2), reg(from, 1, 2));
    case Class::real64_mad:
      return fmt::format("mad.rn.f64 {}, {}, {}, {}", reg(to, 0, 2), reg(from, 0, 2), reg(from, 1, 2), reg(from, 2, 2));
    case Class::global_load:
      return fmt::format("mov.{} {}, g[{}]", type, loaded, reg(from, 0));
    case Class::global_store:
      return fmt::format("mov.{} g[{}], {}", type, reg(from, 0),
                         reg(from, from.size() < 2 ? 0 : from.size() - 1, words));
    case Class::global_atomic:
      return fmt::format("atom.add.u32 {}, g[{}], {}", loaded, reg(from, 0), reg(from, 1));
    case Class::global_reduction:
      return fmt::format("red.add.u32 g[{}], {}", reg(from, 0), reg(from, 1));
    case Class::shared_load:
      return fmt::format("mov.u32 {}, s[0x0010]", d.empty() ? "$r0" : d);
    case Class::shared_store:
      return fmt::format("mov.u32 s[0x0010], {}", reg(from, from.size() < 2 ? 0 : from.size() - 1));
    case Class::local_load:
      return fmt::format("mov.{} {}, l[0x0]", type, loaded);
    case Class::local_store:
      return fmt::format("mov.{} l[0x0], {}", type, reg(from, from.size() < 2 ? 0 : from.size() - 1, words));
    case Class::constant_load:
      return fmt::format("mov.b32 {}, c1[0x0000]", d.empty() ? "$r0" : d);
    case Class::branch:
    case Class::barrier:
    case Class::end:
    case Class::nothing:
      return control_text(what);
  }
  return plain;
}

}  // namespace teslasim
