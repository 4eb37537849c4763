// SPDX-License-Identifier: Apache-2.0
// Runs random programs, compiled from PTX, and compares what they stored with what the host program printed.
//
// usage: run_programs EXPECTED TIMED PTX=LEVEL...: each file with optimization LEVEL for every sm from the program's
// own to sm_13; every TIMED-th program also in timing mode (0: none).
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include "frontend/compiler/compile.h"
#include "frontend/ptx/ptx_reader.h"
#include "frontend/workload/device/launch_image.h"
#include "memory/image/device_memory.h"
#include "sim/engine/simulation.h"
#include "sim/gpu/gpu_simulator.h"
#include "sim/gpu/machine/machine_loader.h"
#include "sim/model/functional_model.h"

namespace teslasim {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr SpCycle most_instructions = 50'000'000;
/// What host.h fills the output with: word times this.
constexpr std::uint32_t pattern = 2654435761U;

struct Argument {
  enum class Kind : std::uint8_t { value, input, output };
  Kind kind = Kind::value;
  Bytes bytes{};
};

struct Program {
  std::string name;
  unsigned level = 10, blocks = 1, threads = 1, words = 0;
  std::vector<Argument> arguments{};
  Bytes result{};
};

struct Expected {
  Bytes input{};
  std::vector<Program> programs{};
};

Bytes bytes_of_text(const std::string& text) {
  Bytes bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) std::from_chars(&text[2 * i], &text[2 * i] + 2, bytes[i], 16);
  return bytes;
}

Expected read_expected(const std::string& path) {
  Expected expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kind, text;
    words >> kind;
    if (kind == "kernel") {
      Program& one = expected.programs.emplace_back();
      words >> one.name >> one.level >> one.blocks >> one.threads >> one.words;
      continue;
    }
    words >> text;
    if (kind == "input") {
      expected.input = bytes_of_text(text);
    } else if (kind == "result") {
      expected.programs.back().result = bytes_of_text(text);
    } else {
      const Argument::Kind what = kind == "in"    ? Argument::Kind::input
                                  : kind == "out" ? Argument::Kind::output
                                                  : Argument::Kind::value;
      expected.programs.back().arguments.push_back({what, bytes_of_text(text)});
    }
  }
  return expected;
}

/// A kernel in the memory of a device, ready to run.
class Prepared {
 public:
  Prepared(const std::shared_ptr<const Module>& module, const Program& program, const Bytes& input) {
    LaunchSpec spec;
    spec.kernel = program.name;
    spec.module = module;
    spec.variables.resize(module->variables.size());
    std::iota(spec.variables.begin(), spec.variables.end(), std::size_t{0});
    std::vector<Address> variables;
    for (const DeviceVariable& variable : module->variables) {
      variables.push_back(memory_.allocate(variable.name, "u8", variable.bytes));
      std::copy(variable.contents.begin(), variable.contents.end(),
                reinterpret_cast<std::uint8_t*>(memory_.at(variables.back())));
    }
    const Kernel& kernel = spec.kernel_code();
    launch_.kernel = &kernel;
    launch_.module = module.get();
    launch_.grid = {program.blocks, 1, 1};
    launch_.block = {program.threads, 1, 1};
    launch_.constant_banks = constant_banks(spec, variables);
    launch_.memory = &memory_;
    launch_.machine_sm = module->sm;
    set_arguments(kernel, program, input);
    launch_.shared_bytes = std::max<std::uint32_t>(
        kernel.shared_bytes, launch_header_bytes + static_cast<std::uint32_t>(launch_.parameters.size()));
  }

  [[nodiscard]] const Launch& launch() const { return launch_; }
  [[nodiscard]] Bytes stored() const {
    const auto* first = reinterpret_cast<const std::uint8_t*>(memory_.at(output_));
    return {first, first + bytes_};
  }

 private:
  void set_arguments(const Kernel& kernel, const Program& program, const Bytes& input) {
    const Address in = memory_.allocate("in", "u32", input.size());
    std::copy(input.begin(), input.end(), reinterpret_cast<std::uint8_t*>(memory_.at(in)));
    bytes_ = 4 * std::size_t{program.words};
    output_ = memory_.allocate("out", "u32", bytes_);
    for (std::uint32_t word = 0; word < program.words; ++word) {
      const std::uint32_t value = word * pattern;
      std::memcpy(memory_.at(output_ + 4 * word), &value, 4);
    }
    for (std::size_t i = 0; i < program.arguments.size(); ++i) {
      const Argument& argument = program.arguments[i];
      const Parameter& parameter = kernel.parameters.at(i);
      Bytes bytes = argument.bytes;
      if (argument.kind != Argument::Kind::value) {
        const Address address = argument.kind == Argument::Kind::input ? in : output_;
        bytes.assign(8, 0);
        std::memcpy(bytes.data(), &address, 4);
      }
      launch_.parameters.resize(std::max(launch_.parameters.size(), parameter.offset + bytes.size()));
      std::copy(bytes.begin(), bytes.end(), launch_.parameters.begin() + parameter.offset);
    }
    launch_.parameters.resize((launch_.parameters.size() + 3) / 4 * 4);
  }

  DeviceMemory memory_;
  Launch launch_;
  Address output_ = 0;
  std::size_t bytes_ = 0;
};

std::string difference(const Program& program, const Bytes& stored) {
  for (std::size_t at = 0; at + 4 <= stored.size(); at += 4) {
    if (std::memcmp(&stored[at], &program.result[at], 4) == 0) continue;
    std::uint32_t is = 0, should = 0;
    std::memcpy(&is, &stored[at], 4);
    std::memcpy(&should, &program.result[at], 4);
    return "word " + std::to_string(at / 4) + " is " + std::to_string(is) + ", should be " + std::to_string(should);
  }
  return "";
}

std::string problem_of(const LaunchOutcome& outcome, const Program& program, const Prepared& prepared) {
  if (!outcome.errors.empty()) return render(outcome.errors.front());
  if (outcome.statistics.status != RunStatus::ok) return "does not end";
  return difference(program, prepared.stored());
}

class Runner {
 public:
  Runner(Expected expected, unsigned timed) : expected_(std::move(expected)), timed_(timed) {}

  void run(const std::string& path, unsigned optimization) {
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const ptx::PtxModule all = ptx::read_checked_ptx(text, path);
    for (unsigned sm = 10; sm <= 13; ++sm) {
      // A kernel for a later chip is an error on this one.
      ptx::PtxModule fitting = all;
      std::erase_if(fitting.functions,
                    [&](const ptx::PtxFunction& function) { return function.entry && level_of(function.name) > sm; });
      compiler::CompileOptions options;
      options.sm = static_cast<std::uint8_t>(sm);
      options.optimization = optimization;
      options.contract = false;  // the chip cuts the product of its mad
      const auto module = std::make_shared<const Module>(compiler::compile_ptx(fitting, path, options, text).module);
      for (std::size_t i = 0; i < expected_.programs.size(); ++i) {
        const Program& program = expected_.programs[i];
        if (program.level > sm) continue;
        const Prepared prepared(module, program, expected_.input);
        RunControl control;
        control.max_shader_cycles = most_instructions;
        report(path, program, sm, problem_of(run_functional(prepared.launch(), {}, control), program, prepared));
        ++runs_;
        if (timed_ != 0 && i % timed_ == 0 && sm == 13) run_timed(path, program, module);
      }
    }
  }

  [[nodiscard]] int finish() const {
    std::cout << expected_.programs.size() << " programs, " << runs_ << " runs, " << timed_runs_ << " in timing mode, "
              << problems_ << " problems\n";
    return problems_ == 0 ? 0 : 1;
  }

 private:
  [[nodiscard]] unsigned level_of(const std::string& name) const {
    for (const Program& program : expected_.programs) {
      if (program.name == name) return program.level;
    }
    return 0;
  }

  void run_timed(const std::string& path, const Program& program, const std::shared_ptr<const Module>& module) {
    if (!gpu_) gpu_ = std::make_unique<GpuSimulator>(load_machine({"gtx280"}, {}).spec, TimingOptions{});
    const Prepared prepared(module, program, expected_.input);
    report(path + " (timing)", program, 13, problem_of(gpu_->run(prepared.launch(), RunControl{}), program, prepared));
    ++timed_runs_;
  }

  void report(const std::string& path, const Program& program, unsigned sm, const std::string& problem) {
    if (problem.empty()) return;
    ++problems_;
    std::cout << path << ", " << program.name << ", sm_" << sm << ": " << problem << "\n";
  }

  Expected expected_;
  unsigned timed_;
  std::size_t runs_ = 0, timed_runs_ = 0, problems_ = 0;
  std::unique_ptr<GpuSimulator> gpu_{};
};

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) {
    std::cerr << "usage: run_programs EXPECTED TIMED PTX=LEVEL...\n";
    return 2;
  }
  Runner runner(read_expected(arguments[0]), static_cast<unsigned>(std::stoul(arguments[1])));
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].rfind('=');
    runner.run(arguments[i].substr(0, equals), static_cast<unsigned>(std::stoul(arguments[i].substr(equals + 1))));
  }
  return runner.finish();
}

}  // namespace
}  // namespace teslasim

extern "C" int sc_main(int argc, char* argv[]) {
  try {
    return teslasim::run({argv + 1, argv + argc});
  } catch (const teslasim::InputError& error) {
    for (const teslasim::Diagnostic& one : error.diagnostics()) std::cout << render(one) << "\n";
    return 1;
  } catch (const teslasim::InternalError& error) {
    std::cout << error.what() << "\n";
    return 1;
  }
}

int main(int argc, char* argv[]) {
  return teslasim::enter_systemc(argc, argv);
}
