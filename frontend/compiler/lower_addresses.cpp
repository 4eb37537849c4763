// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/lower_addresses.h"

#include <algorithm>
#include <utility>

#include "frontend/compiler/compile_options.h"
#include "frontend/compiler/ir_rewriter.h"
#include "frontend/compiler/mixed_accesses.h"
#include "frontend/compiler/pointer_origins.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

class AddressLowering final : public IrRewriter {
 public:
  AddressLowering(IrFunction& function, unsigned sm, std::vector<ptx::PtxMistake>& mistakes,
                  std::vector<ptx::PtxMistake>& warnings)
      : IrRewriter(function), origins_(function), sm_(sm), mistakes_(mistakes), warnings_(warnings) {}

 private:
  bool rewrite(NodeIndex index) override {
    IrNode& node = function_.nodes[index];
    if (node.operation == Op::compare_64 && compares_pointers(node)) {
      node.operation = Op::compare;
      node.type = ValueType::u32;
      node.arguments = {node.arguments[0], node.arguments[2]};
      note_change();
      return false;
    }
    const bool memory = node.operation == Op::load || node.operation == Op::store || node.operation == Op::atomic ||
                        node.operation == Op::locked_atomic;
    if (!memory) return false;
    if (node.space == IrSpace::generic) {
      node.space = resolved(node);
      if (node.operation == Op::atomic && node.space != IrSpace::global) settle_atomic(node);
    }
    if (node.space != IrSpace::global || node.offset == 0) return false;
    const IrArgument base = node.arguments[0];
    const std::uint32_t offset = node.offset;
    const IrArgument address = ir_.add(base, constant_argument(offset));
    function_.nodes[index].arguments[0] = address;
    function_.nodes[index].offset = 0;
    return false;
  }

  /// Addresses have 32 bits: the upper words of two pointers into one memory, or of a pointer and 0, are equal.
  [[nodiscard]] bool compares_pointers(const IrNode& node) const {
    const auto is_null = [](const IrArgument& low, const IrArgument& high) {
      return low == constant_argument(0) && high == constant_argument(0);
    };
    const auto& a = node.arguments;
    const IrSpaces left = origins_.of(a[0]), right = origins_.of(a[2]);
    if (left != bit_of(IrSpace::global) && right != bit_of(IrSpace::global)) return false;
    return left == right || is_null(a[0], a[1]) || is_null(a[2], a[3]);
  }

  IrSpace resolved(const IrNode& node) {
    const IrSpaces spaces = origins_.of(node.arguments[0]);
    for (const IrSpace space : {IrSpace::global, IrSpace::shared, IrSpace::local, IrSpace::constant}) {
      if (spaces == bit_of(space)) return space;
    }
    const ptx::PtxPlace place{node.ptx_line, 1, 1};
    if (spaces != 0) {
      mistakes_.push_back({place, "CUDA-GENERIC", "this address may point into several kinds of memory",
                           "chips of compute capability 1.x must know which: write the branches apart"});
    } else if (!origins_.from_launch(node.arguments[0])) {
      warn(place);
    }
    return IrSpace::global;
  }

  /// LLVM 14 leaves the space of some atomic operations open (`atom.inc`, `atom.dec`).
  void settle_atomic(IrNode& node) {
    const ptx::PtxPlace place{node.ptx_line, 1, 1};
    if (node.space != IrSpace::shared) {
      mistakes_.push_back({place, "PTX-UNSUPPORTED", "atomic operations reach device memory and shared memory only",
                           "keep the variable in one of the two"});
    } else if (node.type == ValueType::u64) {
      mistakes_.push_back(
          {place, "PTX-UNSUPPORTED", "64-bit atomics on shared memory need compute capability 2.0", ""});
    } else if (sm_ < 12) {
      mistakes_.push_back({place, "PTX-UNSUPPORTED", "this atomic operation needs sm_12", help_for_level(12)});
    } else {
      node.operation = Op::locked_atomic;
    }
  }

  void warn(const ptx::PtxPlace& place) {
    const bool said = std::any_of(warnings_.begin(), warnings_.end(), [&](const ptx::PtxMistake& one) {
      return one.code == "CUDA-GENERIC" && one.place.line == place.line;
    });
    if (!said)
      warnings_.push_back(
          {place, "CUDA-GENERIC", "cannot tell what this pointer points to; assuming device memory", ""});
  }

  PointerOrigins origins_;
  unsigned sm_;
  std::vector<ptx::PtxMistake>&mistakes_, &warnings_;
};

/// Accesses whose space was found here only may have several words, which shared memory and constants move one by one.
class WordAccesses final : public IrRewriter {
 public:
  explicit WordAccesses(IrFunction& function) : IrRewriter(function) {}

 private:
  bool rewrite(NodeIndex index) override {
    const IrNode whole = node(index);
    const bool apart = whole.space == IrSpace::shared || whole.space == IrSpace::constant;
    if (apart && whole.operation == Op::load && whole.results.size() > 1) return split_load(index, whole);
    if (apart && whole.operation == Op::store && whole.arguments.size() > 2) return split_store(whole);
    return false;
  }

  static IrNode word_of(const IrNode& whole, std::size_t number) {
    IrNode word = whole;
    word.results.clear();
    word.type = ValueType::b32;
    word.offset = whole.offset + static_cast<std::uint32_t>(number * sizeof(std::uint32_t));
    return word;
  }

  bool split_load(NodeIndex index, const IrNode& whole) {
    for (std::size_t i = 0; i < whole.results.size(); ++i) replace_result(index, i, ir_.add_node(word_of(whole, i)));
    return true;
  }

  bool split_store(const IrNode& whole) {
    for (std::size_t i = 1; i < whole.arguments.size(); ++i) {
      IrNode word = word_of(whole, i - 1);
      word.arguments = {whole.arguments[0], whole.arguments[i]};
      ir_.append(std::move(word), 0);
    }
    return true;
  }
};

}  // namespace

void lower_addresses(IrFunction& function, unsigned sm, std::vector<ptx::PtxMistake>& mistakes,
                     std::vector<ptx::PtxMistake>& warnings) {
  split_mixed_accesses(function);
  AddressLowering(function, sm, mistakes, warnings).run();
  WordAccesses(function).run();
  // From here on a pointer is a number.
  for (IrBlock& block : function.blocks) {
    for (const NodeIndex index : block.nodes) function.nodes[index].origin = IrSpace::none;
  }
}

}  // namespace teslasim::compiler
