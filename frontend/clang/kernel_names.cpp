// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang/kernel_names.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>

namespace teslasim::cuda {
namespace {

/// The text up to the parenthesis or bracket that closes the one before `start`.
std::string_view until_closed(std::string_view text, std::size_t start) {
  unsigned depth = 1;
  for (std::size_t i = start; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == '}' || text[i] == ']') --depth;
    if (depth == 0) return text.substr(start, i - start);
  }
  return {};
}

/// The name in `float* noundef %a`; that of a type (`%struct.Pair* ... %pair`) comes before.
std::string name_of_parameter(std::string_view declaration) {
  const std::size_t percent = declaration.rfind('%');
  if (percent == std::string_view::npos || percent == 0) return "";
  std::string_view name = declaration.substr(percent + 1);
  name = name.substr(0, name.find_first_of(" ,)*"));
  const bool number = name.empty() || name.find_first_not_of("0123456789") == std::string_view::npos;
  return number || name.front() == '"' ? "" : std::string(name);
}

std::vector<std::string> names_of_list(std::string_view list) {
  std::vector<std::string> names;
  unsigned depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= list.size(); ++i) {
    const char c = i < list.size() ? list[i] : ',';
    if (c == '(' || c == '{' || c == '[' || c == '<') ++depth;
    if (c == ')' || c == '}' || c == ']' || c == '>') --depth;
    if (c != ',' || depth != 0) continue;
    if (i > start) names.push_back(name_of_parameter(list.substr(start, i - start)));
    start = i + 1;
  }
  return names;
}

/// `void f<int>(T*)` -> `f<int>`: without the type of the result and the parameters.
std::string without_types(std::string_view name) {
  constexpr std::string_view unnamed = "(anonymous namespace)";
  std::size_t start = 0, end = name.size();
  unsigned depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && depth != 0) --depth;
    if (depth != 0) continue;
    if (name.substr(i).starts_with(unnamed)) i += unnamed.size();
    if (i == name.size()) break;
    if (name[i] == ' ') start = i + 1;
    if (name[i] == '(') {
      end = i;
      break;
    }
  }
  return std::string(name.substr(start, end - start));
}

/// The declaration that the name of a linker stands for; the name itself if it is none.
std::string demangled(const std::string& linker_name) {
  if (!linker_name.starts_with("_Z")) return linker_name;  // "f" would be the type float
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> full(
      abi::__cxa_demangle(linker_name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && full ? full.get() : linker_name;
}

/// For comparisons: `fill<int,4>` is `fill<int, 4>`.
std::string without_blanks(std::string name) {
  std::erase(name, ' ');
  return name;
}

bool is_identifier(std::string_view name) {
  return name.find_first_of("<>() ,*&[]") == std::string_view::npos;
}

}  // namespace

std::string plain_kernel_name(const std::string& linker_name) {
  if (!linker_name.starts_with("_Z")) return linker_name;
  const std::string full = demangled(linker_name);
  return full == linker_name ? full : without_types(full);
}

std::string kernel_signature(const std::string& linker_name) {
  const std::string full = demangled(linker_name);
  const std::string plain = without_types(full);
  const std::size_t at = full.find(plain + "(");
  return at == std::string::npos ? plain : full.substr(at);
}

std::string source_name(const std::string& linker_name) {
  constexpr std::string_view within = ")::";
  const std::string full = demangled(linker_name);
  const std::size_t end_of_function = full.rfind(within);
  return end_of_function == std::string::npos ? without_types(full) : full.substr(end_of_function + within.size());
}

std::string with_source_names(std::string_view message) {
  constexpr std::string_view mark = "'_Z";
  std::string result;
  for (std::size_t at = message.find(mark); at != std::string_view::npos; at = message.find(mark)) {
    const std::size_t end = message.find('\'', at + 1);
    if (end == std::string_view::npos) break;
    result.append(message.substr(0, at + 1)).append(source_name(std::string(message.substr(at + 1, end - at - 1))));
    result += '\'';
    message.remove_prefix(end + 1);
  }
  return result.append(message);
}

std::string shown_kernel_name(const Module& module, const Kernel& kernel) {
  std::string plain = plain_kernel_name(kernel.name);
  const auto same = std::count_if(module.kernels.begin(), module.kernels.end(),
                                  [&](const Kernel& other) { return plain_kernel_name(other.name) == plain; });
  return same == 1 ? plain : kernel_signature(kernel.name);
}

Module with_shown_names(Module module) {
  std::map<std::string, unsigned> uses;
  for (const Kernel& kernel : module.kernels) ++uses[plain_kernel_name(kernel.name)];
  for (Kernel& kernel : module.kernels) {
    std::string plain = plain_kernel_name(kernel.name);
    kernel.name = uses[plain] == 1 ? std::move(plain) : kernel_signature(kernel.name);
  }
  return module;
}

bool is_called(const std::string& kernel, std::string_view name) {
  if (kernel == name) return true;
  const std::string plain = without_blanks(plain_kernel_name(kernel));
  const std::string wanted = without_blanks(plain_kernel_name(std::string(name)));
  return plain == wanted || without_blanks(kernel_signature(kernel)) == wanted ||
         std::string_view(plain).substr(0, plain.find('<')) == wanted;
}

const Kernel* find_kernel(const Module& module, const std::string& name) {
  const Kernel* found = nullptr;
  const std::string plain = without_blanks(plain_kernel_name(name));
  const std::string signature = without_blanks(kernel_signature(name));
  for (const Kernel& kernel : module.kernels) {
    if (kernel.name == name || without_blanks(kernel_signature(kernel.name)) == signature) return &kernel;
    if (without_blanks(plain_kernel_name(kernel.name)) != plain) continue;
    if (found != nullptr) return nullptr;
    found = &kernel;
  }
  return found;
}

std::map<std::string, std::vector<std::string>, std::less<>> parameter_names(std::string_view text) {
  std::map<std::string, std::vector<std::string>, std::less<>> all;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with("define ")) continue;
    const std::size_t at = line.find('@');
    const std::size_t open = at == std::string_view::npos ? at : line.find('(', at);
    if (open == std::string_view::npos) continue;
    all[std::string(line.substr(at + 1, open - at - 1))] = names_of_list(until_closed(line, open + 1));
  }
  return all;
}

void name_as_in_source(Module& module, const std::map<std::string, std::vector<std::string>, std::less<>>& parameters) {
  std::map<std::string, unsigned> uses;
  for (const Kernel& kernel : module.kernels) ++uses[plain_kernel_name(kernel.name)];
  for (Kernel& kernel : module.kernels) {
    const auto names = parameters.find(kernel.name);
    if (names != parameters.end() && names->second.size() == kernel.parameters.size()) {
      for (std::size_t i = 0; i < names->second.size(); ++i) {
        if (!names->second[i].empty()) kernel.parameters[i].name = names->second[i];
      }
    }
    std::string plain = plain_kernel_name(kernel.name);
    if (uses[plain] == 1 && is_identifier(plain)) kernel.name = std::move(plain);
  }
}

}  // namespace teslasim::cuda
