// SPDX-License-Identifier: Apache-2.0
// The parameters and buffers of all launches of a workload, in the order in which they are written.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "frontend/workload.h"
#include "frontend/workload/read/draft.h"
#include "frontend/workload/read/source_text.h"

namespace teslasim {

/// A parameter list of one launch; `complete` is false when an entry could not be understood.
struct ResolvedParameters {
  std::vector<ParameterValue> values;  ///< one per entry, wrong ones included, so that names can be compared
  std::vector<bool> understood;
};

class ParameterResolver {
 public:
  ParameterResolver(std::string folder, std::vector<BufferSpec>& buffers, std::vector<std::string>& files,
                    MistakeList& mistakes)
      : folder_(std::move(folder)), buffers_(buffers), files_(files), mistakes_(mistakes) {}

  /// Declares the buffers of a list; a name alone stands for a parameter of an earlier list.
  [[nodiscard]] ResolvedParameters resolve(const std::vector<ParameterDraft>& drafts);

 private:
  std::optional<ParameterValue> entry(const ParameterDraft& draft);
  std::optional<ParameterValue> earlier(const ParameterDraft& draft);
  std::optional<ParameterValue> scalar(const ParameterDraft& draft, ValueType type);
  std::optional<ParameterValue> buffer(const ParameterDraft& draft, ValueType type);
  bool set_initialiser(const ParameterDraft& draft, BufferSpec& buffer);
  bool set_count(const ParameterDraft& draft, BufferSpec& buffer);
  bool set_values(const ParameterDraft& draft, BufferSpec& buffer);
  bool set_random_range(const ParameterDraft& draft, BufferSpec& buffer);
  bool set_permutation(const ParameterDraft& draft, BufferSpec& buffer);
  bool check_lattice(const ParameterDraft& draft, const BufferSpec& buffer);
  void missing(const ParameterDraft& draft, const std::string& what, const std::string& help);
  void refuse(const SourceLocation& where, const std::string& key, const std::string& why);
  [[nodiscard]] std::vector<std::string> known_names() const;

  std::string folder_;
  std::vector<BufferSpec>& buffers_;
  std::vector<std::string>& files_;
  MistakeList& mistakes_;
  std::map<std::string, ParameterValue> known_;
  std::uint64_t bytes_so_far_ = 0;
};

/// Compares a list with what the kernel declares; kernels without declarations (text cubins) accept any list. Where the
/// kernel tells sizes but no names (ELF cubins) the places are compared, and buffers get 8 bytes where it wants 8.
void match_parameters(const Kernel& kernel, ResolvedParameters& given, const SourceLocation& where,
                      MistakeList& mistakes);

}  // namespace teslasim
