// SPDX-License-Identifier: Apache-2.0
// The Python module's half in C++: libteslasim with numpy arrays. What users see is in teslasim/*.py.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <teslasim/teslasim.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;
namespace embed = teslasim::embed;

namespace {

/// An error that begins here, in the words of the others.
[[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& help) {
  embed::Message one;
  one.severity = "error";
  one.code = code;
  one.message = message;
  one.help = help;
  one.text = "error[" + code + "]: " + message + "\n  = help: " + help;
  constexpr int usage = 2;
  throw embed::Error(usage, {one}, one.text);
}

std::string type_text(const py::object& object) {
  return py::str(py::type::of(object).attr("__name__"));
}

/// How an argument is called in messages: by its parameter where the kernel tells.
struct Place {
  std::size_t number;
  std::string name;
  [[nodiscard]] std::string text() const {
    return "argument " + std::to_string(number + 1) + (name.empty() ? "" : " ('" + name + "')");
  }
};

embed::Type type_of(const py::dtype& dtype, const Place& place) {
  const char kind = dtype.kind();
  const auto size = static_cast<std::size_t>(dtype.itemsize());
  const bool native = dtype.attr("isnative").cast<bool>();
  const auto of_size = [size](std::array<embed::Type, 4> types) { return types.at(size == 8 ? 3 : size / 2); };
  if (native && size <= 8) {
    if (kind == 'u' || kind == 'b')
      return of_size({embed::Type::u8, embed::Type::u16, embed::Type::u32, embed::Type::u64});
    if (kind == 'i') return of_size({embed::Type::s8, embed::Type::s16, embed::Type::s32, embed::Type::s64});
    if (kind == 'f' && size == 4) return embed::Type::f32;
    if (kind == 'f' && size == 8) return embed::Type::f64;
  }
  refuse(
      "LAUNCH-TYPE",
      place.text() + " has elements of type " + std::string(py::str(static_cast<const py::object&>(dtype))) +
          ", which kernels do not have",
      "integers, float32 or float64 of this computer's byte order; array.view(numpy.uint8) passes the bytes of others");
}

/// Arrays are used where they are: nothing is converted without being asked.
embed::Argument array_argument(const py::array& array, const Place& place) {
  const embed::Type type = type_of(array.dtype(), place);
  const bool contiguous = (array.flags() & py::array::c_style) != 0;
  if (!contiguous) {
    refuse("LAUNCH-TYPE", place.text() + " is an array whose elements do not lie one after the other",
           "numpy.ascontiguousarray(array) makes one that does; its results are not in the first one then");
  }
  const auto count = static_cast<std::size_t>(array.size());
  if (!array.writeable()) return embed::Argument(static_cast<const void*>(array.data()), count, type);
  return embed::Argument(const_cast<void*>(array.data()), count, type);
}

embed::Argument::Number number_of(const py::object& object, const Place& place) {
  if (py::isinstance<py::float_>(object)) return object.cast<double>();
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
  if (overflow == 0) return std::int64_t{whole};
  const unsigned long long large = PyLong_AsUnsignedLongLong(object.ptr());
  if (PyErr_Occurred() == nullptr) return std::uint64_t{large};
  PyErr_Clear();
  refuse("LAUNCH-RANGE", place.text() + " has more than 64 bits: " + std::string(py::str(object)),
         "parameters have at most 64 bits");
}

embed::Argument argument_of(const py::object& object, const Place& place, const py::object& numpy_number) {
  if (py::isinstance<py::array>(object)) return array_argument(py::reinterpret_borrow<py::array>(object), place);
  if (py::isinstance(object, numpy_number)) {
    const embed::Type type = type_of(py::reinterpret_borrow<py::dtype>(object.attr("dtype")), place);
    return embed::Argument(number_of(object.attr("item")(), place), type);
  }
  if (py::isinstance<py::float_>(object) || py::isinstance<py::int_>(object)) {
    const embed::Argument::Number number = number_of(object, place);
    return std::visit([](auto value) { return embed::Argument(value); }, number);
  }
  refuse("LAUNCH-TYPE", place.text() + " is a " + type_text(object) + ", neither a number nor a numpy array",
         "numpy.asarray(values, dtype=numpy.float32) makes an array of a list");
}

std::vector<embed::Argument> arguments_of(const py::tuple& objects, const embed::Kernel& kernel) {
  const py::object numpy_number = py::module_::import("numpy").attr("generic");
  std::vector<embed::Argument> arguments;
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const bool named = i < kernel.parameters().size();
    arguments.push_back(argument_of(py::reinterpret_borrow<py::object>(objects[i]),
                                    {i, named ? kernel.parameters()[i].name : ""}, numpy_number));
  }
  return arguments;
}

/// Ctrl-C and a function of the user are asked from inside a launch, which runs without the interpreter's lock.
class Watcher {
 public:
  explicit Watcher(py::object progress) : progress_(std::move(progress)) {}

  bool look(const embed::LaunchProgress& now) {
    const py::gil_scoped_acquire lock;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
      if (progress_.is_none()) return true;
      const py::object answer = progress_(now);
      if (answer.is_none()) return true;
      const int truth = PyObject_IsTrue(answer.ptr());
      if (truth < 0) throw py::error_already_set();
      return truth != 0;
    } catch (py::error_already_set& error) {
      failure_.emplace(error);
      return false;
    }
  }
  /// What was raised meanwhile.
  void raise() {
    if (failure_) throw py::error_already_set(*failure_);
  }

 private:
  py::object progress_;
  std::optional<py::error_already_set> failure_;
};

struct OptionWords {
  std::uint32_t shared = 0;
  std::vector<embed::Constant> constants;
  bool timed = true;
  std::uint64_t max_cycles = 0;
  py::object progress;
};

template <class Launch>
auto watched(const OptionWords& words, Launch launch) {
  Watcher watcher(words.progress);
  embed::LaunchOptions options;
  options.shared_bytes = words.shared;
  options.constants = words.constants;
  options.timed = words.timed;
  options.max_cycles = words.max_cycles;
  options.watch = [&watcher](const embed::LaunchProgress& now) { return watcher.look(now); };
  auto result = [&] {
    const py::gil_scoped_release released;
    return launch(options);
  }();
  watcher.raise();
  return result;
}

using Sizes = std::array<std::uint32_t, 3>;
embed::Extent extent_of(const Sizes& sizes) {
  return {sizes[0], sizes[1], sizes[2]};
}

embed::Constant constant_of(const std::string& name, std::uint32_t offset, const py::bytes& bytes) {
  const std::string text = bytes;
  return {name, offset, {text.begin(), text.end()}};
}

void bind_records(py::module_& module) {
  py::class_<embed::Message>(module, "Message")
      .def_readonly("severity", &embed::Message::severity)
      .def_readonly("code", &embed::Message::code)
      .def_readonly("message", &embed::Message::message)
      .def_readonly("file", &embed::Message::file)
      .def_readonly("line", &embed::Message::line)
      .def_readonly("column", &embed::Message::column)
      .def_readonly("excerpt", &embed::Message::excerpt)
      .def_readonly("help", &embed::Message::help)
      .def_readonly("text", &embed::Message::text)
      .def("__repr__", [](const embed::Message& message) { return message.text; });
  py::class_<embed::ParameterInfo>(module, "Parameter")
      .def_readonly("name", &embed::ParameterInfo::name)
      .def_readonly("type", &embed::ParameterInfo::type)
      .def_readonly("offset", &embed::ParameterInfo::offset)
      .def_readonly("bytes", &embed::ParameterInfo::bytes)
      .def("__repr__", [](const embed::ParameterInfo& one) { return one.type + " " + one.name; });
  py::class_<embed::LaunchProgress>(module, "Progress")
      .def_readonly("blocks_done", &embed::LaunchProgress::blocks_done)
      .def_readonly("blocks", &embed::LaunchProgress::blocks)
      .def_readonly("warp_instructions", &embed::LaunchProgress::warp_instructions)
      .def_readonly("cycles", &embed::LaunchProgress::cycles);
  py::class_<embed::MachineInfo>(module, "MachineInfo")
      .def_readonly("name", &embed::MachineInfo::name)
      .def_readonly("title", &embed::MachineInfo::title)
      .def_readonly("arch", &embed::MachineInfo::arch)
      .def_readonly("sms", &embed::MachineInfo::sms)
      .def_readonly("shader_mhz", &embed::MachineInfo::shader_mhz)
      .def_readonly("peak_gbs", &embed::MachineInfo::peak_gbs)
      .def_readonly("peak_gflops", &embed::MachineInfo::peak_gflops)
      .def("__repr__",
           [](const embed::MachineInfo& one) { return "<" + one.name + ": " + one.title + ", " + one.arch + ">"; });
  py::class_<embed::Constant>(module, "Constant");
  module.def("constant", &constant_of);
}

void bind_models(py::module_& module) {
  py::class_<embed::ModelInfo>(module, "ModelInfo")
      .def_readonly("name", &embed::ModelInfo::name)
      .def_readonly("purpose", &embed::ModelInfo::purpose)
      .def_readonly("source", &embed::ModelInfo::source)
      .def_readonly("level", &embed::ModelInfo::level)
      .def_readonly("assumptions", &embed::ModelInfo::assumptions)
      .def_readonly("limits", &embed::ModelInfo::limits)
      .def_readonly("of_launch", &embed::ModelInfo::of_launch)
      .def_readonly("inputs", &embed::ModelInfo::inputs)
      .def("__repr__", [](const embed::ModelInfo& one) { return "<model " + one.name + ": " + one.purpose + ">"; });
  py::class_<embed::PredictionTerm>(module, "Term")
      .def_readonly("name", &embed::PredictionTerm::name)
      .def_readonly("value", &embed::PredictionTerm::value)
      .def_readonly("unit", &embed::PredictionTerm::unit)
      .def_readonly("meaning", &embed::PredictionTerm::meaning);
  py::class_<embed::Prediction>(module, "Prediction")
      .def_readonly("launch", &embed::Prediction::launch)
      .def_readonly("kernel", &embed::Prediction::kernel)
      .def_readonly("model", &embed::Prediction::model)
      .def_readonly("ms", &embed::Prediction::ms)
      .def_readonly("simulated_ms", &embed::Prediction::simulated_ms)
      .def_readonly("bound", &embed::Prediction::bound)
      .def_readonly("level", &embed::Prediction::level)
      .def_readonly("refusal", &embed::Prediction::refusal)
      .def_readonly("terms", &embed::Prediction::terms)
      .def_readonly("notes", &embed::Prediction::notes);
  module.def("models", &embed::models);
}

void bind_kernel(py::module_& module) {
  const auto options = [](std::string compile, bool allow_unaligned) {
    return embed::CodeOptions{std::move(compile), allow_unaligned};
  };
  py::class_<embed::Kernel>(module, "Kernel")
      .def_static("from_file",
                  [options](const std::string& path, const std::string& name, std::string compile, bool unaligned) {
                    const py::gil_scoped_release released;
                    return embed::Kernel::from_file(path, name, options(std::move(compile), unaligned));
                  })
      .def_static("from_text",
                  [options](const std::string& text, const std::string& file, const std::string& name,
                            std::string compile, bool unaligned) {
                    const py::gil_scoped_release released;
                    return embed::Kernel::from_text(text, file, name, options(std::move(compile), unaligned));
                  })
      .def_static("names",
                  [options](const std::string& path, std::string compile, bool unaligned) {
                    const py::gil_scoped_release released;
                    return embed::Kernel::names(path, options(std::move(compile), unaligned));
                  })
      .def("name", &embed::Kernel::name)
      .def("file", &embed::Kernel::file)
      .def("parameters", &embed::Kernel::parameters)
      .def("registers", &embed::Kernel::registers)
      .def("shared_bytes", &embed::Kernel::shared_bytes)
      .def("local_bytes", &embed::Kernel::local_bytes)
      .def("instructions", &embed::Kernel::instructions)
      .def("listing", &embed::Kernel::listing);
}

void bind_machine(py::module_& module) {
  py::class_<OptionWords>(module, "Options")
      .def(py::init([](std::uint32_t shared, std::vector<embed::Constant> constants, bool timed,
                       std::uint64_t max_cycles, py::object progress) {
        return OptionWords{shared, std::move(constants), timed, max_cycles, std::move(progress)};
      }));
  py::class_<embed::Machine>(module, "Machine")
      .def(py::init([](const std::string& name, const embed::Settings& settings, unsigned threads, bool intervals,
                       std::string calibration, std::string warp_sms) {
        return embed::Machine(name, settings, {threads, intervals, std::move(calibration), std::move(warp_sms)});
      }))
      .def("name", &embed::Machine::name)
      .def("info", &embed::Machine::info)
      .def("configuration", &embed::Machine::configuration)
      .def("toml", &embed::Machine::toml)
      .def("warnings", &embed::Machine::warnings)
      .def("launch",
           [](const embed::Machine& machine, const embed::Kernel& kernel, const Sizes& grid, const Sizes& block,
              const py::tuple& objects, const OptionWords& words) {
             const std::vector<embed::Argument> arguments = arguments_of(objects, kernel);
             return watched(words, [&](const embed::LaunchOptions& options) {
               return machine.launch(kernel, extent_of(grid), extent_of(block), arguments, options);
             });
           })
      .def("predict",
           [](const embed::Machine& machine, const embed::Kernel& kernel, const Sizes& grid, const Sizes& block,
              const py::tuple& objects, const OptionWords& words) {
             const std::vector<embed::Argument> arguments = arguments_of(objects, kernel);
             return watched(words, [&](const embed::LaunchOptions& options) {
               return machine.predict(kernel, extent_of(grid), extent_of(block), arguments, options);
             });
           })
      .def("run", [](const embed::Machine& machine, const std::string& file, const OptionWords& words) {
        return watched(words, [&](const embed::LaunchOptions& options) { return machine.run(file, options); });
      });
  module.def("machines", &embed::machines);
}

void bind_run(py::module_& module) {
  py::enum_<embed::TableName>(module, "TableName")
      .value("instructions", embed::TableName::instructions)
      .value("intervals", embed::TableName::intervals)
      .value("blocks", embed::TableName::blocks)
      .value("warps", embed::TableName::warps)
      .value("statistics", embed::TableName::statistics);
  const auto released = py::call_guard<py::gil_scoped_release>();
  py::class_<embed::Run>(module, "Run")
      .def_static("load", &embed::Run::load, released)
      .def("name", &embed::Run::name)
      .def("machine", &embed::Run::machine)
      .def("status", &embed::Run::status)
      .def("digest", &embed::Run::digest)
      .def("launches", &embed::Run::launches)
      .def("timed", &embed::Run::timed)
      .def("ms", &embed::Run::ms)
      .def("cycles", &embed::Run::cycles)
      .def("host_seconds", &embed::Run::host_seconds)
      .def("kernel", &embed::Run::kernel)
      .def("stalls", &embed::Run::stalls)
      .def("statistic", &embed::Run::statistic)
      .def("statistics", &embed::Run::statistics)
      .def("csv", &embed::Run::csv, released)
      .def("table",
           [](const embed::Run& run, embed::TableName name) {
             embed::Table table = run.table(name);
             return std::pair{std::move(table.columns), std::move(table.rows)};
           })
      .def("predictions", &embed::Run::predictions)
      .def("configuration", &embed::Run::configuration)
      .def("warnings", &embed::Run::warnings)
      .def("summary", &embed::Run::summary)
      .def("stats_json", &embed::Run::stats_json, released)
      .def("report", &embed::Run::report, released)
      .def("overview", &embed::Run::overview, released)
      .def("write_report", &embed::Run::write_report, released);
}

}  // namespace

PYBIND11_MODULE(_teslasim, module) {
  module.doc() = "teslasim in C++; use the package teslasim";
  bind_records(module);
  bind_models(module);
  bind_kernel(module);
  bind_run(module);
  bind_machine(module);
  py::register_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const embed::Error& error) {
      const py::object type = py::module_::import("teslasim._errors").attr("Error");
      const py::object made = type(error.what(), error.code(), error.messages(), error.exit_code());
      PyErr_SetObject(type.ptr(), made.ptr());
    }
  });
}
