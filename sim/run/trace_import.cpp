// SPDX-License-Identifier: Apache-2.0
#include "sim/run/trace_import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>

#include "frontend/cubin/text_cubin.h"
#include "frontend/frontend.h"
#include "sim/base/command_files.h"
#include "sim/base/diagnostic.h"
#include "sim/base/output_file.h"
#include "sim/report/text/format.h"
#include "sim/run/action_progress.h"
#include "sim/run/trace_workload.h"
#include "sim/run/version.h"
#include "sim/trace/accelsim_trace.h"
#include "sim/trace/stand_in.h"
#include "sim/trace/trace_recorder.h"

namespace teslasim {
namespace {

constexpr std::uint32_t local_bytes = 16384;
constexpr unsigned most_registers = 124;

/// What a first look at a file finds: the launch and its static instructions.
struct ForeignKernel {
  std::string path;
  std::string name;  ///< as our code calls it
  ForeignLaunch launch;
  std::map<std::uint64_t, ForeignInstruction> code;
  std::uint64_t bytes = 0;
};

using Unmapped = std::map<std::string, std::uint64_t>;

AccelSimReader open(const std::string& path) {
  note_input(path);
  auto file = std::make_unique<std::ifstream>(path, std::ios::binary);
  if (*file) return {path, std::move(file)};
  Diagnostic problem;
  problem.code = "TRACE-FILE";
  problem.message = "the trace '" + path + "' cannot be read";
  problem.where.file = path;
  problem.help = "check the name";
  throw InputError(ExitCode::input, std::move(problem));
}

std::vector<std::string> files_of(const std::string& input) {
  if (input.ends_with(".traceg")) return {input};
  note_input(input);
  std::ifstream list(input);
  std::vector<std::string> files = accelsim_kernels(input, list);
  const std::filesystem::path folder = std::filesystem::path(input).parent_path();
  for (std::string& file : files) file = (folder / file).string();
  if (!files.empty()) return files;
  Diagnostic problem;
  problem.code = "TRACE-FOREIGN";
  problem.message = "the list names no .traceg file";
  problem.where.file = input;
  throw InputError(ExitCode::input, std::move(problem));
}

std::string identifier(const std::string& name, std::size_t number) {
  std::string result;
  for (const char c : name) result += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return fmt::format("k{}_{}", number, result.substr(0, 60));
}

ForeignKernel survey(const std::string& path, std::size_t number, const ConsoleOptions& console, Unmapped& unmapped) {
  AccelSimReader reader = open(path);
  std::error_code unknown;  // the length of a pipe, which is read without progress
  const std::uintmax_t bytes = std::filesystem::file_size(path, unknown);
  ForeignKernel kernel{path, identifier(reader.launch().name, number), reader.launch(), {}, unknown ? 0 : bytes};
  ActionProgress progress("read " + path, console.progress, kernel.bytes);
  ForeignInstruction instruction;
  while (reader.next(instruction)) {
    kernel.code.try_emplace(instruction.pc, instruction);
    if (!stand_in_for(instruction.opcode).mapped)
      ++unmapped[instruction.opcode.substr(0, instruction.opcode.find('.'))];
    progress.look(reader.position());
  }
  return kernel;
}

/// The stand-ins of all kernels as assembly; instruction i of a kernel is that at its i-th address.
std::string assembly_of(const std::vector<ForeignKernel>& kernels) {
  std::string text = ".arch sm_13\n";
  for (const ForeignKernel& kernel : kernels) {
    const unsigned registers = std::clamp(kernel.launch.registers, 1U, most_registers);
    text +=
        fmt::format(".entry {}\n{{\n.reg {}\n.lmem {}\n.const c1[0] : u32 0\n", kernel.name, registers, local_bytes);
    std::size_t number = 0;
    for (const auto& [pc, instruction] : kernel.code) {
      std::string line = stand_in_text(instruction);
      if (line == "bra next") line = fmt::format("bra l{}", std::min(number + 1, kernel.code.size() - 1));
      text += fmt::format("l{}: {}\n", number++, line);
    }
    text += "}\n";
  }
  return text;
}

/// 64-bit addresses in 32 bits.
class AddressMap {
 public:
  std::uint32_t operator()(std::uint64_t address) {
    constexpr std::uint64_t page_bytes = 1U << 16U, most_pages = 0xbffeU;
    const std::uint64_t page = address / page_bytes;
    if (page != last_page_) {
      const auto [known, added] = pages_.try_emplace(page, static_cast<std::uint32_t>(pages_.size() + 1));
      if (known->second > most_pages) full();
      last_page_ = page;
      last_place_ = known->second;
    }
    return static_cast<std::uint32_t>(last_place_ * page_bytes + address % page_bytes);
  }

 private:
  [[noreturn]] static void full() {
    Diagnostic problem;
    problem.code = "TRACE-FOREIGN";
    problem.message = "the trace touches more than 3 GB, which the machines of this kind cannot address";
    problem.help = "import fewer kernels";
    throw InputError(ExitCode::input, std::move(problem));
  }
  std::map<std::uint64_t, std::uint32_t> pages_;
  std::uint64_t last_page_ = ~std::uint64_t{0};
  std::uint32_t last_place_ = 0;
};

/// One instruction of the trace as a record of its stand-in.
class Translation {
 public:
  Translation(const ForeignLaunch& launch, AddressMap& addresses) : launch_(launch), addresses_(addresses) {}

  void translate(const ForeignInstruction& instruction, std::uint32_t index, bool last, InstructionRecord& record) {
    record = {};
    record.index = index;
    record.active = record.executed = instruction.lanes;
    record.finished = last;
    if (record.active == 0) record.active = all_lanes;
    if (instruction.lanes == 0) return;
    switch (stand_in_for(instruction.opcode).what) {
      case StandInClass::global_load:
        return device(instruction, MemoryAccess::Kind::load, record);
      case StandInClass::global_store:
        return device(instruction, MemoryAccess::Kind::store, record);
      case StandInClass::global_atomic:
        return device(instruction, MemoryAccess::Kind::atomic, record);
      case StandInClass::global_reduction:
        return device(instruction, MemoryAccess::Kind::reduction, record);
      case StandInClass::local_load:
        return local(instruction, MemoryAccess::Kind::load, record);
      case StandInClass::local_store:
        return local(instruction, MemoryAccess::Kind::store, record);
      case StandInClass::shared_load:
      case StandInClass::shared_store:
        return shared(instruction, record);
      case StandInClass::constant_load:
        record.constant.lanes = instruction.lanes;
        return;
      default:
        return;
    }
  }

 private:
  static void start(const ForeignInstruction& instruction, AddressRecord& access) {
    access.lanes = instruction.lanes;
    access.bytes = static_cast<std::uint8_t>(instruction.width);
  }

  void device(const ForeignInstruction& instruction, MemoryAccess::Kind kind, InstructionRecord& record) {
    if (instruction.width == 0) return;
    start(instruction, record.memory);
    record.memory_kind = static_cast<std::uint8_t>(kind);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      if ((instruction.lanes >> lane & 1U) != 0)
        record.memory.address[lane] = addresses_(instruction.address[lane]) & ~(instruction.width - 1);
    }
  }

  /// As coalescing sees local memory: words of the lanes side by side.
  void local(const ForeignInstruction& instruction, MemoryAccess::Kind kind, InstructionRecord& record) const {
    constexpr std::uint32_t word_bytes = 4;
    if (instruction.width == 0) return;
    start(instruction, record.memory);
    record.memory_kind = static_cast<std::uint8_t>(kind);
    record.memory_space = static_cast<std::uint8_t>(MemoryAccess::Space::local);
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      const std::uint64_t from_base = instruction.address[lane] - launch_.local_base;
      const auto byte = static_cast<std::uint32_t>(from_base % local_bytes);
      record.memory.address[lane] = byte / word_bytes * word_bytes * warp_size +
                                    lane * std::max(word_bytes, instruction.width) + byte % word_bytes;
    }
  }

  void shared(const ForeignInstruction& instruction, InstructionRecord& record) const {
    constexpr std::uint64_t window = 1U << 16U;
    if (instruction.width == 0) return;
    start(instruction, record.shared);
    const auto place = [this](std::uint64_t address) {
      return address >= launch_.shared_base ? address - launch_.shared_base : address;
    };
    for (unsigned lane = 0; lane < warp_size; ++lane)
      record.shared.address[lane] = static_cast<std::uint32_t>(place(instruction.address[lane]) % window);
  }

  const ForeignLaunch& launch_;
  AddressMap& addresses_;
};

void write_launch(const ForeignKernel& foreign, const Kernel& kernel, std::uint32_t number, AddressMap& addresses,
                  TraceWriter& writer, ProgressStyle style) {
  SIM_CHECK(kernel.code.size() == foreign.code.size(), "one stand-in per instruction");
  std::map<std::uint64_t, std::uint32_t> index;
  for (const auto& [pc, instruction] : foreign.code) index.emplace(pc, static_cast<std::uint32_t>(index.size()));
  AccelSimReader reader = open(foreign.path);
  Translation translation(foreign.launch, addresses);
  SegmentEncoder encoder(kernel);
  ForeignInstruction instruction;
  InstructionRecord record;
  ActionProgress progress("convert " + foreign.path, style, foreign.bytes);
  while (reader.next(instruction)) {
    translation.translate(instruction, index.at(instruction.pc), reader.last_of_warp(), record);
    encoder.add(record);
    if (!reader.last_of_warp() && encoder.bytes().size() < trace_segment_bytes) continue;
    writer.add({number, reader.block(), reader.warp()}, encoder.bytes(), encoder.instructions());
    encoder.clear();
    progress.look(reader.position());
  }
}

TraceHeader header_of(const std::string& input, const std::vector<ForeignKernel>& kernels, const Module& module,
                      const Unmapped& unmapped) {
  TraceHeader header;
  header.name = std::filesystem::path(input).stem().string();
  header.generator = "teslasim " + std::string(program_version()) + " from an Accel-Sim trace";
  header.machine = "unknown";
  header.approximate = true;
  for (const auto& [opcode, count] : unmapped) header.unmapped.push_back(fmt::format("{} ({} times)", opcode, count));
  header.code = write_text_cubin(module);
  header.listing = listing_lines(module);
  for (const ForeignKernel& kernel : kernels) {
    const ForeignLaunch& launch = kernel.launch;
    header.launches.push_back({kernel.name,
                               {launch.grid[0], launch.grid[1] * launch.grid[2], 1},
                               launch.block,
                               launch_header_bytes + launch.shared_bytes,
                               0});
  }
  return header;
}

}  // namespace

int import_trace(const std::string& input, const std::string& output, const ConsoleOptions& console) {
  std::vector<ForeignKernel> kernels;
  Unmapped unmapped;
  for (const std::string& file : files_of(input)) kernels.push_back(survey(file, kernels.size(), console, unmapped));
  const Module module = read_module_bytes(input, assembly_of(kernels));
  TraceWriter writer(output, header_of(input, kernels, module, unmapped), OutputMode::replace);
  AddressMap addresses;
  for (std::uint32_t i = 0; i < kernels.size(); ++i)
    write_launch(kernels[i], module.kernels.at(i), i, addresses, writer, console.progress);
  writer.finish();
  if (console.quiet) return 0;
  std::string text = fmt::format("{}: {} warp instructions, {} bytes, approximate\n", output,
                                 grouped(writer.instructions()), grouped(writer.file_bytes()));
  for (const auto& [opcode, count] : unmapped)
    text +=
        fmt::format("  no counterpart: {}, {} times; an integer operation takes its place\n", opcode, grouped(count));
  print_result(text);
  return 0;
}

}  // namespace teslasim
