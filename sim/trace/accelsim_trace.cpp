// SPDX-License-Identifier: Apache-2.0
#include "sim/trace/accelsim_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "sim/base/text_file.h"

namespace teslasim {
namespace {

constexpr unsigned most_registers = 16;

template <typename Number>
std::optional<Number> number_of(std::string_view text, int base) {
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Words of an instruction line. The first thing that is wrong is kept with its place.
class Words {
 public:
  explicit Words(std::string_view line) : line_(line) {}

  std::string_view word() {
    position_ = std::min(line_.find_first_not_of(" \t", position_), line_.size());
    start_ = position_;
    position_ = std::min(line_.find_first_of(" \t", position_), line_.size());
    return line_.substr(start_, position_ - start_);
  }
  template <typename Number>
  Number number(int base, const char* what) {
    const std::string_view text = word();
    const std::optional<Number> value = number_of<Number>(text, base);
    if (!value) fail(fmt::format("expected {}", what));
    return value.value_or(0);
  }
  unsigned reg() {
    const std::string_view text = word();
    const std::size_t letters = text.starts_with("UR") ? 2 : 1;
    const std::optional<unsigned> value = number_of<unsigned>(text.substr(std::min(letters, text.size())), 10);
    constexpr unsigned highest = 255;
    if (!value || *value > highest) fail("expected a register such as R12");
    return value.value_or(0);
  }
  void fail(std::string text) {
    if (!problem.empty()) return;
    problem = std::move(text);
    column = start_;
    length = position_ - start_;
  }

  std::string problem;
  std::size_t column = 0, length = 0;

 private:
  std::string_view line_;
  std::size_t start_ = 0, position_ = 0;
};

/// Bytes that the suffixes of an opcode name; 4 without any.
unsigned width_of(std::string_view opcode) {
  constexpr unsigned word_bytes = 4, bits_per_byte = 8, widest = 128;
  for (std::size_t at = opcode.find('.'); at != std::string_view::npos; at = opcode.find('.', at + 1)) {
    std::string_view suffix = opcode.substr(at + 1, opcode.find('.', at + 1) - at - 1);
    if (suffix.starts_with('U') || suffix.starts_with('S')) suffix.remove_prefix(1);
    const std::optional<unsigned> bits = number_of<unsigned>(suffix, 10);
    if (bits && *bits >= bits_per_byte && *bits <= widest && std::has_single_bit(*bits)) return *bits / bits_per_byte;
  }
  return word_bytes;
}

void read_addresses(Words& words, ForeignInstruction& instruction) {
  enum Mode : unsigned { list = 0, stride = 1, differences = 2 };
  const auto mode = words.number<unsigned>(10, "how addresses are given: 0, 1 or 2");
  if (mode > differences) return words.fail("addresses are given as 0 (list), 1 (base and stride) or 2 (differences)");
  std::uint64_t address = 0;
  std::int64_t step = 0;
  bool first = true;
  if (instruction.lanes == 0 && mode != list) (void)words.word();
  for (LaneMask rest = instruction.lanes; rest != 0 && words.problem.empty(); rest &= rest - 1) {
    if (mode == list || first) {
      address = words.number<std::uint64_t>(16, "an address in hexadecimal");
    } else {
      if (mode == differences) step = words.number<std::int64_t>(10, "the distance to the address before");
      address += static_cast<std::uint64_t>(step);
    }
    if (first && mode == stride) step = words.number<std::int64_t>(10, "the distance between addresses");
    first = false;
    instruction.address[static_cast<unsigned>(std::countr_zero(rest))] = address;
  }
}

/// Three numbers as "(512,8,1)" or "512,8,1".
std::optional<std::array<std::uint32_t, 3>> triple(std::string_view text) {
  if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
  std::array<std::uint32_t, 3> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::optional<std::uint32_t> value = number_of<std::uint32_t>(text.substr(0, comma), 10);
    if (!value || (comma == text.size()) != (i + 1 == values.size())) return std::nullopt;
    values[i] = *value;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return values;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

}  // namespace

AccelSimReader::AccelSimReader(std::string path, std::unique_ptr<std::istream> text)
    : TextLines(std::move(path), std::move(text), "TRACE-FOREIGN") {
  read_head();
  throw_problems();
}

void AccelSimReader::read_head() {
  while (read_line()) {
    if (line_.starts_with('#')) {
      check_head();
      return marker_line(trimmed(line_));
    }
    if (line_.starts_with('-')) head_line();
  }
  problem(0, 1, "the file ends before its first block");
}

void AccelSimReader::check_head() {
  constexpr std::uint64_t most_blocks = 1U << 31U, most_threads = 1024;
  if (launch_.name.empty()) problem(0, 1, "the file does not name its kernel: '-kernel name = ...'");
  const bool sized = head_keys_.contains("grid dim") && head_keys_.contains("block dim");
  if (!sized || launch_.blocks() == 0 || launch_.threads() == 0 || launch_.blocks() > most_blocks)
    problem(0, 1, "the file does not say its grid and block: '-grid dim = (4,1,1)', '-block dim = (256,1,1)'");
  if (launch_.threads() > most_threads)
    problem(0, 1, fmt::format("a block of {} threads: there are at most {}", launch_.threads(), most_threads));
}

/// "-grid dim = (512,8,1)"
void AccelSimReader::head_line() {
  const std::string_view line = line_;
  const std::size_t sign = line.find('=');
  if (sign == std::string_view::npos) return problem(0, line.size(), "expected '-name = value'");
  const std::string_view key = trimmed(line.substr(1, sign - 1)), value = trimmed(line.substr(sign + 1));
  if (!head_keys_.insert(std::string(key)).second)
    return problem(0, line.size(), fmt::format("'-{}' is given twice", key));
  const auto number = [&](int base, std::uint64_t most = std::numeric_limits<std::uint32_t>::max()) {
    const std::optional<std::uint64_t> got = number_of<std::uint64_t>(value, base);
    if (!got || *got > most)
      problem(sign + 1, line.size() - sign - 1, fmt::format("'{}' is a number up to {}", key, most));
    return got.value_or(0);
  };
  const auto size = [&](std::array<std::uint32_t, 3>& target) {
    const auto got = triple(value);
    if (!got) problem(sign + 1, line.size() - sign - 1, fmt::format("'{}' is three numbers: (512,8,1)", key));
    target = got.value_or(target);
  };
  constexpr auto any = std::numeric_limits<std::uint64_t>::max();
  if (key == "kernel name") launch_.name = value;
  if (key == "grid dim") size(launch_.grid);
  if (key == "block dim") size(launch_.block);
  if (key == "shmem") launch_.shared_bytes = static_cast<std::uint32_t>(number(10));
  if (key == "nregs") launch_.registers = static_cast<std::uint32_t>(number(10));
  if (key == "shmem base_addr") launch_.shared_base = number(16, any);
  if (key == "local mem base_addr") launch_.local_base = number(16, any);
  if (key == "accelsim tracer version") launch_.version = static_cast<unsigned>(number(10));
  if (key == "enable lineinfo") launch_.line_numbers = number(10) != 0;
}

void AccelSimReader::start_block(std::string_view place) {
  if (marked_ && state_ != State::outside) problem(0, line_.size(), "the block before this lacks its #END_TB");
  end_block();
  state_ = State::block;
  warps_.assign((launch_.threads() + warp_size - 1) / warp_size, false);
  const auto got = triple(place);
  const bool inside = got && (*got)[0] < launch_.grid[0] && (*got)[1] < launch_.grid[1] && (*got)[2] < launch_.grid[2];
  if (!inside) return problem(0, line_.size(), "the block is not one of the grid");
  block_ = (*got)[0] + std::uint64_t{launch_.grid[0]} * ((*got)[1] + std::uint64_t{launch_.grid[1]} * (*got)[2]);
  if (!blocks_.insert(block_).second) problem(0, line_.size(), fmt::format("block {} is given twice", place));
}

void AccelSimReader::start_warp(std::uint64_t warp) {
  end_warp();
  if (state_ == State::outside) return problem(0, line_.size(), "a warp before its block: 'thread block = X,Y,Z'");
  state_ = State::warp;
  if (warp >= warps_.size()) return problem(0, line_.size(), "the warp is not one of the block");
  warp_ = static_cast<std::uint32_t>(warp);
  if (warps_[warp_]) problem(0, line_.size(), fmt::format("warp {} is given twice in its block", warp));
  warps_[warp_] = true;
}

void AccelSimReader::start_instructions(std::uint64_t count) {
  if (state_ != State::warp) return problem(0, line_.size(), "'insts' stands behind 'warp = N', once");
  state_ = State::instructions;
  instructions_ = left_ = count;
  count_line_ = line_number_;
}

void AccelSimReader::end_warp() {
  if (state_ == State::warp) problem(0, line_.size(), fmt::format("warp {} before this has no 'insts = N'", warp_));
  if (state_ == State::instructions && left_ != 0)
    problem(0, line_.size(),
            fmt::format("warp {} has {} instructions, 'insts = {}' in line {} says more", warp_, instructions_ - left_,
                        instructions_, count_line_));
  left_ = 0;
  if (state_ != State::outside) state_ = State::block;
}

void AccelSimReader::end_block() {
  end_warp();
  const auto missing = std::find(warps_.begin(), warps_.end(), false);
  if (state_ == State::block && missing != warps_.end())
    problem(0, line_.size(), fmt::format("the block before this has no warp {}", missing - warps_.begin()));
  state_ = State::outside;
}

/// "#BEGIN_TB" and "#END_TB" stand around each block; other lines with '#' are comments.
void AccelSimReader::marker_line(std::string_view line) {
  const bool begins = line == "#BEGIN_TB";
  if (!begins && line != "#END_TB") return;
  if (begins == marked_)
    problem(0, line_.size(), begins ? "the block before this lacks its #END_TB" : "#END_TB without #BEGIN_TB");
  marked_ = begins;
  if (!begins && state_ == State::outside) problem(0, line_.size(), "there is no block before this #END_TB");
  end_block();
}

void AccelSimReader::end_of_file() {
  if (left_ != 0) problem(0, 1, fmt::format("the file ends {} instructions before the warp does", left_));
  left_ = 0;
  end_block();
  if (marked_) problem(0, 1, "the file ends before the #END_TB of its last block");
  if (blocks_.size() < launch_.blocks() && !has_problems())
    problem(0, 1, fmt::format("the file has {} of the {} blocks of its grid", blocks_.size(), launch_.blocks()));
  throw_problems();
}

/// What stands between instructions.
void AccelSimReader::frame_line() {
  const std::string_view line = trimmed(line_);
  const std::size_t sign = std::min(line.find('='), line.size());
  const std::string_view key = trimmed(line.substr(0, sign));
  const std::string_view value = trimmed(line.substr(std::min(sign + 1, line.size())));
  if (key == "thread block") return start_block(value);
  const std::optional<std::uint64_t> number = number_of<std::uint64_t>(value, 10);
  if (number && key == "warp") return start_warp(*number);
  if (number && key == "insts") return start_instructions(*number);
  problem(0, line_.size(), "expected 'thread block = X,Y,Z', 'warp = N', 'insts = N' or an instruction");
}

/// True when an instruction is expected here; a misplaced one is reported once per warp.
bool AccelSimReader::instruction_is_counted() {
  if (left_ != 0) {
    --left_;
    return true;
  }
  if (state_ == State::instructions) {
    problem(0, line_.size(),
            fmt::format("warp {} has more instructions than 'insts = {}' in line {} says", warp_, instructions_,
                        count_line_));
    state_ = State::block;
  } else if (!has_problems()) {
    problem(0, line_.size(), "expected 'thread block = X,Y,Z', 'warp = N' or 'insts = N' before an instruction");
  }
  return false;
}

bool AccelSimReader::instruction_line(ForeignInstruction& instruction) {
  constexpr unsigned first_without_place = 3, numbers_of_place = 4;
  Words words(line_);
  if (launch_.version < first_without_place) {
    std::array<std::uint64_t, numbers_of_place> place{};
    for (std::uint64_t& number : place) number = words.number<std::uint64_t>(10, "block and warp");
    const std::uint64_t block = place[0] + launch_.grid[0] * (place[1] + launch_.grid[1] * place[2]);
    if (block != block_ || place[3] != warp_) words.fail("this instruction is of another block or warp");
  }
  if (launch_.line_numbers) (void)words.number<unsigned>(10, "the line of the source");
  instruction.pc = words.number<std::uint64_t>(16, "the address of an instruction in hexadecimal");
  instruction.lanes = words.number<std::uint32_t>(16, "the lanes in hexadecimal");
  const std::uint64_t threads = launch_.threads() - std::min(launch_.threads(), std::uint64_t{warp_} * warp_size);
  if (threads < warp_size && instruction.lanes >> threads != 0)
    words.fail(fmt::format("these lanes are more than the {} threads of the warp", threads));
  const auto registers = [&](std::vector<unsigned>& list, const char* what) {
    list.clear();
    const auto count = words.number<unsigned>(10, what);
    if (count > most_registers) words.fail("no instruction has so many registers");
    for (unsigned i = 0; i < count && words.problem.empty(); ++i) list.push_back(words.reg());
  };
  registers(instruction.destinations, "the number of destinations");
  instruction.opcode = words.word();
  if (instruction.opcode.empty() || std::isupper(static_cast<unsigned char>(instruction.opcode[0])) == 0)
    words.fail("expected an opcode");
  registers(instruction.sources, "the number of sources");
  instruction.width = words.number<unsigned>(10, "the bytes that each lane accesses, or 0");
  if (instruction.width != 0) {
    instruction.width = width_of(instruction.opcode);
    read_addresses(words, instruction);
  }
  if (words.problem.empty()) return true;
  problem(words.column, words.length, words.problem,
          "the format is that of Accel-Sim's post-processed traces (.traceg)");
  return false;
}

bool AccelSimReader::next(ForeignInstruction& instruction) {
  while (read_line()) {
    const std::string_view line = trimmed(line_);
    if (line.empty()) continue;
    if (line.starts_with('#')) {
      marker_line(line);
    } else if (line.find('=') != std::string_view::npos) {
      frame_line();
    } else if (instruction_is_counted() && instruction_line(instruction)) {
      return true;
    }
  }
  end_of_file();
  return false;
}

std::vector<std::string> accelsim_kernels(const std::string& path, std::istream& text) {
  std::vector<std::string> files;
  std::vector<Diagnostic> problems;
  std::uint32_t number = 0;
  for (std::string line; std::getline(text, line) && problems.size() < TextLines::most_problems;) {
    if (++number == 1) line.erase(0, byte_order_mark_bytes(line));
    const std::string name(trimmed(line));
    if (name.empty() || name.starts_with('#') || name.starts_with("Memcpy")) continue;
    if (name.ends_with(".traceg") && name.find('/') == std::string::npos) {
      files.push_back(name);
      continue;
    }
    Diagnostic problem;
    problem.code = "TRACE-FOREIGN";
    problem.message = "expected the name of a .traceg file beside the list, or a copy";
    problem.where = {path, number, 1, static_cast<std::uint32_t>(std::max<std::size_t>(1, name.size()))};
    problem.excerpt = line;
    if (name.ends_with(".xz")) problem.help = "decompress it: xz -dk " + name;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) throw InputError(ExitCode::input, problems);
  return files;
}

}  // namespace teslasim
