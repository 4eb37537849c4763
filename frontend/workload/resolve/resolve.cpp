// SPDX-License-Identifier: Apache-2.0
#include "frontend/workload/resolve/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "frontend/clang/kernel_names.h"
#include "frontend/workload/device/buffer_contents.h"
#include "frontend/workload/device/element.h"
#include "frontend/workload/resolve/resolve_expectations.h"
#include "frontend/workload/resolve/resolve_parameters.h"
#include "frontend/workload/resolve/resolve_textures.h"
#include "frontend/workload/resolve/value_checks.h"

namespace teslasim {

namespace {

// What the launch header and $r0 can express; the limits of a machine are checked when it is known.
constexpr std::int64_t most_blocks = 65535;                              ///< u16 fields of the launch header
constexpr std::array<std::int64_t, 3> most_threads = {65535, 1024, 64};  ///< bits of the thread index in $r0
constexpr std::int64_t shared_space = 65536;                             ///< s[] addresses have 16 bits
constexpr std::int64_t constant_space = 65536;                           ///< bytes of a constant bank
constexpr std::int64_t last_bank = 15;

class Resolver {
 public:
  Resolver(const WorkloadDraft& draft, const ResolveContext& context, MistakeList& mistakes)
      : draft_(draft),
        context_(context),
        mistakes_(mistakes),
        parameters_(context.folder, workload_.buffers, workload_.files, mistakes),
        textures_(parameters_, workload_.buffers, mistakes) {}

  Workload resolve() {
    if (context_.module) add_variables(*context_.module);
    // Buffers of the top level exist before the first launch, also when every launch has its own list.
    if (draft_.defaults.parameters) default_parameters_ = parameters_.resolve(draft_.defaults.parameters->value);
    if (draft_.launches.empty()) {
      add_launch(draft_.defaults);
    } else {
      for (const LaunchDraft& launch : draft_.launches) add_launch(launch);
    }
    for (const ExpectationDraft& expectation : draft_.expectations) {
      auto resolved = resolve_expectation(expectation, context_.folder, workload_, mistakes_);
      if (!resolved) continue;
      if (!resolved->file.empty()) workload_.files.push_back(resolved->file);
      workload_.expectations.push_back(*std::move(resolved));
    }
    leave_out();
    workload_.warnings = mistakes_.warnings();
    return std::move(workload_);
  }

 private:
  /// Launches that --kernel does not name go, and with them checks of the file whose buffer or numbers they alone have.
  /// A check of --check that needs them is a mistake.
  void leave_out() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < draft_.launches.size(); ++i) {
      if (draft_.launches[i].left_out) continue;
      if (kept != i) workload_.launches[kept] = std::move(workload_.launches[i]);
      ++kept;
    }
    if (kept == draft_.launches.size() || mistakes_.has_errors()) return;
    workload_.launches.resize(kept);
    std::size_t next = 0;
    std::erase_if(workload_.expectations, [this, &next](const Expectation& expectation) {
      const ExpectationDraft& draft = draft_.expectations[next++];
      if (draft.file_from == NameFrom::option) return !can_be_made(draft, mistakes_);
      MistakeList unheard = mistakes_;
      return !is_touched(expectation.buffer) || !can_be_made(draft, unheard);
    });
  }

  bool can_be_made(const ExpectationDraft& draft, MistakeList& mistakes) const {
    return resolve_expectation(draft, context_.folder, workload_, mistakes).has_value();
  }

  [[nodiscard]] bool is_touched(const std::string& buffer) const {
    return std::any_of(workload_.launches.begin(), workload_.launches.end(),
                       [&](const LaunchSpec& launch) { return touches(launch, buffer); });
  }

  [[nodiscard]] bool touches(const LaunchSpec& launch, const std::string& buffer) const {
    const auto is_it = [&](std::size_t i) { return workload_.buffers[i].name == buffer; };
    return std::any_of(launch.variables.begin(), launch.variables.end(), is_it) ||
           std::any_of(launch.parameters.begin(), launch.parameters.end(),
                       [&](const ParameterValue& parameter) { return parameter.buffer && is_it(*parameter.buffer); }) ||
           std::any_of(launch.textures.begin(), launch.textures.end(),
                       [&](const TextureSpec& texture) { return is_it(texture.buffer); });
  }

  /// Device variables of the program are buffers like those of parameters: they can be dumped and checked.
  void add_variables(const Module& module) {
    for (const DeviceVariable& variable : module.variables) {
      BufferSpec buffer;
      buffer.name = variable.name;
      const bool words = variable.bytes % bytes_of(ValueType::u32) == 0;
      buffer.type = words ? ValueType::u32 : ValueType::u8;
      buffer.count = variable.bytes / bytes_of(buffer.type);
      buffer.initialiser = BufferSpec::Initialiser::contents;
      buffer.contents = variable.contents;
      variables_.push_back(workload_.buffers.size());
      workload_.buffers.push_back(std::move(buffer));
    }
  }

  void add_launch(const LaunchDraft& launch) {
    LaunchSpec spec;
    spec.module = context_.module;
    spec.where = launch.where;
    const Kernel* kernel = find_kernel(launch);
    if (kernel != nullptr) spec.kernel = kernel->name;
    spec.grid = extents(launch.grid ? launch.grid : draft_.defaults.grid, "grid", launch);
    spec.block = extents(launch.block ? launch.block : draft_.defaults.block, "block", launch);
    const auto& dynamic =
        launch.dynamic_shared_bytes ? launch.dynamic_shared_bytes : draft_.defaults.dynamic_shared_bytes;
    if (dynamic) {
      const auto bytes = whole(*dynamic, "dynamic_shared_bytes", {0, shared_space}, mistakes_);
      spec.dynamic_shared_bytes = static_cast<std::uint32_t>(bytes.value_or(0));
    }
    ResolvedParameters parameters = parameters_of(launch);
    spec.variables = variables_;
    if (kernel != nullptr) match_parameters(*kernel, parameters, parameters_place(launch), mistakes_);
    spec.parameters = parameters.values;
    for (const ConstantDraft& constant : draft_.defaults.constants) add_constant(constant, spec);
    if (&launch != &draft_.defaults) {
      for (const ConstantDraft& constant : launch.constants) add_constant(constant, spec);
    }
    spec.textures = textures_of(launch);
    if (kernel != nullptr) textures_.check_bound(*kernel, spec.textures, *context_.module, launch.where);
    pad_tiled_images(spec);
    workload_.launches.push_back(std::move(spec));
  }

  /// Those of the launch, and those of the top level for the slots that are left. The latter may name buffers of the
  /// first launch, so they are resolved after its parameters.
  std::vector<TextureSpec> textures_of(const LaunchDraft& launch) {
    if (!default_textures_) default_textures_ = textures_.resolve(draft_.defaults.textures, context_.module.get());
    std::vector<TextureSpec> all;
    if (&launch != &draft_.defaults) all = textures_.resolve(launch.textures, context_.module.get());
    const std::size_t own = all.size();
    for (const TextureSpec& texture : *default_textures_) {
      const auto same_slot = [&texture](const TextureSpec& other) { return other.slot == texture.slot; };
      const auto own_end = all.begin() + static_cast<std::ptrdiff_t>(own);
      if (std::none_of(all.begin(), own_end, same_slot)) all.push_back(texture);
    }
    return all;
  }

  /// A tiled image ends with a whole tile, and so does each row of tiles.
  void pad_tiled_images(const LaunchSpec& spec) {
    constexpr std::uint64_t tile_width = 64;
    constexpr std::uint64_t tile_height = 4;
    for (const TextureSpec& texture : spec.textures) {
      if (!texture.tiled) continue;
      const std::uint64_t across =
          (std::uint64_t{texture.size[0]} * texture.texel_bytes() + tile_width - 1) / tile_width;
      const std::uint64_t down = (texture.size[1] + tile_height - 1) / tile_height;
      BufferSpec& buffer = workload_.buffers[texture.buffer];
      const std::uint64_t tiled = across * down * texture.size[2] * tile_width * tile_height;
      buffer.padding_bytes = tiled - buffer.count * bytes_of(buffer.type);
    }
  }

  ResolvedParameters parameters_of(const LaunchDraft& launch) {
    if (&launch == &draft_.defaults || !launch.parameters) return default_parameters_;
    return parameters_.resolve(launch.parameters->value);
  }
  SourceLocation parameters_place(const LaunchDraft& launch) const {
    if (launch.parameters) return launch.parameters->where;
    return draft_.defaults.parameters ? draft_.defaults.parameters->where : launch.where;
  }

  const Kernel* find_kernel(const LaunchDraft& launch) {
    if (!context_.module) return nullptr;
    const std::vector<Kernel>& kernels = context_.module->kernels;
    const std::optional<LocatedText>& named = launch.kernel ? launch.kernel : draft_.defaults.kernel;
    const std::string wanted = named ? named->value : context_.kernel;
    std::vector<std::string> names;
    if (const Kernel* kernel = cuda::find_kernel(*context_.module, wanted)) return kernel;
    for (const Kernel& kernel : kernels) names.push_back(cuda::shown_kernel_name(*context_.module, kernel));
    if (wanted.empty() && kernels.size() == 1) return &kernels.front();
    const std::string file = std::filesystem::path(context_.module->path).filename().string();
    if (wanted.empty()) {
      mistakes_.error({"LAUNCH-KERNEL",
                       fmt::format("'{}' has {} kernels: say which to run", file, kernels.size()),
                       launch.where,
                       "add kernel = \"NAME\" (or --kernel NAME); the kernels are: " + listed(names),
                       {}});
      return nullptr;
    }
    mistakes_.error({"LAUNCH-KERNEL",
                     fmt::format("there is no kernel '{}' in '{}'", wanted, file),
                     named ? named->where : launch.where,
                     did_you_mean(wanted, names, "the kernels are"),
                     {}});
    return nullptr;
  }

  std::array<std::uint32_t, 3> extents(const std::optional<LocatedNumbers>& given, const std::string& key,
                                       const LaunchDraft& launch) {
    std::array<std::uint32_t, 3> result{1, 1, 1};
    const bool grid = key == "grid";
    if (!given && (launch.damaged || draft_.defaults.damaged)) return result;
    if (!given) {
      mistakes_.error(
          {"LAUNCH-MISSING",
           "the launch has no '" + key + "'",
           launch.where,
           grid ? "add: grid = [BLOCKS] or [BLOCKS_X, BLOCKS_Y]" : "add: block = [THREADS] or up to three extents",
           {}});
      return result;
    }
    if (given->value.empty() && launch.damaged) return result;  // what stands there has been refused
    const std::size_t dimensions = grid ? 2 : 3;
    if (given->value.empty() || given->value.size() > dimensions) {
      mistakes_.error(
          {"LAUNCH-RANGE",
           fmt::format("'{}' has {} dimensions, 1 to {} are possible", key, given->value.size(), dimensions),
           given->where,
           grid ? "grids of compute capability 1.x have two dimensions" : "",
           {}});
      return result;
    }
    for (std::size_t i = 0; i < given->value.size(); ++i) {
      const std::int64_t most = grid ? most_blocks : most_threads[i];
      const auto extent = whole(given->value[i], key, {1, most}, mistakes_);
      result[i] = static_cast<std::uint32_t>(extent.value_or(1));
    }
    return result;
  }

  void add_constant(const ConstantDraft& draft, LaunchSpec& spec) {
    ConstantSegment segment;
    segment.bank = 0;
    if (draft.bank)
      segment.bank = static_cast<std::uint8_t>(whole(*draft.bank, "bank", {0, last_bank}, mistakes_).value_or(0));
    if (draft.offset) {
      const auto offset = whole(*draft.offset, "offset", {0, constant_space - 1}, mistakes_);
      segment.offset = static_cast<std::uint32_t>(offset.value_or(0));
    }
    if (!draft.type || (draft.values.has_value() == draft.file.has_value())) {
      if (draft.damaged) return;
      const std::string what = !draft.type    ? "a constant has no type"
                               : draft.values ? "a constant has 'values' and 'file'"
                                              : "a constant has neither 'values' nor 'file'";
      mistakes_.error(
          {"LAUNCH-MISSING", what, draft.where, "for example: type = \"f32\", values = [0.25, 0.5, 0.25]", {}});
      return;
    }
    const std::optional<ValueType> type = checked_type(*draft.type, mistakes_);
    if (!type) return;
    segment.bytes = draft.file ? constant_file(*draft.file, *type) : constant_values(*draft.values, *type);
    if (segment.offset + segment.bytes.size() > static_cast<std::size_t>(constant_space)) {
      mistakes_.error({"LAUNCH-RANGE",
                       fmt::format("a constant bank has {} bytes, this ends at {}", constant_space,
                                   segment.offset + segment.bytes.size()),
                       draft.where,
                       "",
                       {}});
    }
    spec.constants.push_back(std::move(segment));
  }

  std::vector<std::uint8_t> constant_values(const LocatedNumbers& values, ValueType type) {
    std::vector<std::uint8_t> bytes;
    for (const LocatedNumber& value : values.value) {
      const std::uint64_t bits = bits_of_type(value, "values", type, mistakes_).value_or(0);
      for (unsigned i = 0; i < bytes_of(type); ++i) bytes.push_back(static_cast<std::uint8_t>(bits >> (8 * i)));
    }
    return bytes;
  }

  std::vector<std::uint8_t> constant_file(const LocatedText& file, ValueType type) {
    const std::string path = path_in(context_.folder, file.value);
    const std::optional<std::uint64_t> elements = elements_in_file(path, type, file.where, mistakes_);
    if (!elements) return {};
    if (*elements * bytes_of(type) > static_cast<std::uint64_t>(constant_space)) {
      mistakes_.error({"LAUNCH-FILE",
                       fmt::format("'{}' is larger than a constant bank ({} bytes)", path, constant_space),
                       file.where,
                       "",
                       {}});
      return {};
    }
    workload_.files.push_back(path);
    const std::vector<std::byte> data = read_elements(path, type, *elements);
    std::vector<std::uint8_t> bytes(data.size());
    std::transform(data.begin(), data.end(), bytes.begin(),
                   [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    return bytes;
  }

  const WorkloadDraft& draft_;
  const ResolveContext& context_;
  MistakeList& mistakes_;
  Workload workload_;
  ParameterResolver parameters_;
  TextureResolver textures_;
  ResolvedParameters default_parameters_;
  std::optional<std::vector<TextureSpec>> default_textures_;
  std::vector<std::size_t> variables_;
};

}  // namespace

std::string path_in(const std::string& folder, const std::string& file) {
  const std::filesystem::path path(file);
  if (path.is_absolute() || folder.empty()) return file;
  return (std::filesystem::path(folder) / path).lexically_normal().string();
}

Workload resolve(const WorkloadDraft& draft, const ResolveContext& context, MistakeList& mistakes) {
  return Resolver(draft, context, mistakes).resolve();
}

}  // namespace teslasim
