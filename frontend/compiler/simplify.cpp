// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/simplify.h"

#include <bit>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "frontend/compiler/fold_constants.h"
#include "frontend/compiler/ir_rewriter.h"
#include "frontend/compiler/known_bits.h"
#include "frontend/compiler/loop_comparisons.h"
#include "frontend/compiler/near_addresses.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

constexpr std::uint32_t sign_bit = 0x80000000U, one_as_float = 0x3f800000U;

class Simplifier final : public IrRewriter {
 public:
  explicit Simplifier(IrFunction& function)
      : IrRewriter(function), bits_(function), uses_(function.uses()), addresses_(function) {}

 private:
  bool rewrite(NodeIndex index) override {
    order_constants(function_.nodes[index]);
    const IrNode now = node(index);
    if (now.results.size() != 1) return false;
    std::optional<IrArgument> value;
    if (const auto constant = folded(now)) value = constant_argument(*constant);
    if (!value) value = same(now);
    if (!value && now.type != ValueType::f32) value = shortened(now);
    if (value) {
      replace_result(index, 0, *value);
      return true;
    }
    fold_sign(index);
    if (now.operation == Op::shift_right) shifted_.insert(now.results[0]);
    return false;
  }

  /// The constant of a sum or product is its second argument.
  static void order_constants(IrNode& node) {
    if (row_of(node.operation).commutes && node.arguments.size() >= 2 && node.arguments[0].is_constant() &&
        !node.arguments[1].is_constant())
      std::swap(node.arguments[0], node.arguments[1]);
  }

  [[nodiscard]] const IrNode* source(const IrArgument& argument, Op operation) const {
    const IrNode* node = function_.source(argument);
    return node != nullptr && node->operation == operation && argument.is_plain() ? node : nullptr;
  }

  static bool is(const IrArgument& argument, std::uint32_t constant) {
    return argument.is_constant() && argument.is_plain() && argument.constant == constant;
  }

  /// A value that is there already.
  std::optional<IrArgument> same(const IrNode& node) const {
    const auto& a = node.arguments;
    switch (node.operation) {
      case Op::phi:
        return same_phi(node);
      case Op::copy:
        return node.origin == IrSpace::none ? std::optional(a[0]) : std::nullopt;
      case Op::add:
      case Op::bit_or:
      case Op::bit_xor:
      case Op::subtract:
      case Op::shift_left:
      case Op::shift_right:
        if (is(a[1], 0) && a[0].is_plain() && !node.saturate) return a[0];
        return same_of_equals(node);
      case Op::bit_and:
        if (is(a[1], 0)) return a[1];
        if (a[1].is_constant() && (bits_.possible(a[0]) & ~a[1].constant) == 0 && a[0].is_plain()) return a[0];
        return same_of_equals(node);
      case Op::multiply:
        if (is(a[1], 1)) return a[0];
        return is(a[1], 0) ? std::optional(a[1]) : std::nullopt;
      case Op::reciprocal:
        return same_root(node);
      case Op::float_multiply:
        return is(a[1], one_as_float) && is_rounded(a[0]) && !node.saturate ? std::optional(a[0]) : std::nullopt;
      case Op::select:
        if (a[1] == a[2]) return a[1];
        if (a[0].is_constant()) return a[0].constant != 0 ? a[1] : a[2];
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  /// 1 / sqrtf(x): the root is the reciprocal of this already (CUDA C Programming Guide 4.2, section 5.4.1).
  std::optional<IrArgument> same_root(const IrNode& node) const {
    const IrNode* root = function_.source(node.arguments[0]);
    if (root == nullptr || root->operation != Op::reciprocal || !node.arguments[0].is_plain()) return std::nullopt;
    const IrNode* inverse = function_.source(root->arguments[0]);
    const bool is_root =
        inverse != nullptr && inverse->operation == Op::reciprocal_root && root->arguments[0].is_plain();
    return is_root ? std::optional(root->arguments[0]) : std::nullopt;
  }

  /// What arithmetic has made is neither a denormal nor a NaN of another's.
  [[nodiscard]] bool is_rounded(const IrArgument& argument) const {
    const IrNode* node = function_.source(argument);
    return node != nullptr && argument.is_plain() &&
           (node->operation == Op::reciprocal || node->operation == Op::float_add ||
            node->operation == Op::float_multiply);
  }

  std::optional<IrArgument> same_of_equals(const IrNode& node) const {
    const auto& a = node.arguments;
    if (a[0] != a[1] || node.saturate || !a[0].is_plain()) return std::nullopt;
    if (node.operation == Op::bit_and || node.operation == Op::bit_or) return a[0];
    if (node.operation == Op::bit_xor || node.operation == Op::subtract) return constant_argument(0);
    return std::nullopt;
  }

  static std::optional<IrArgument> same_phi(const IrNode& node) {
    std::optional<IrArgument> only;
    for (const IrArgument& argument : node.arguments) {
      if (argument == value_argument(node.results[0])) continue;
      if (only && *only != argument) return std::nullopt;
      only = argument;
    }
    return only ? *only : constant_argument(0);
  }

  /// Less work for the same.
  std::optional<IrArgument> shortened(const IrNode& node) {
    switch (node.operation) {
      case Op::add:
        return shortened_sum(node);
      case Op::subtract:
        if (node.arguments[1].is_constant() && node.arguments[1].is_plain() && !node.saturate)
          return ir_.add(node.arguments[0], constant_argument(0U - node.arguments[1].constant));
        return std::nullopt;
      case Op::multiply:
        return shortened_product(node);
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor:
        return shortened_logic(node);
      case Op::shift_left:
      case Op::shift_right:
        return shortened_shift(node);
      case Op::bit_not:
        if (const IrNode* inner = source(node.arguments[0], Op::bit_not)) return inner->arguments[0];
        return inverted_comparison(node.arguments[0]);
      case Op::compare:
        return shortened_comparison(node);
      case Op::select:
        return shortened_select(node);
      case Op::convert:
        return shortened_conversion(node);
      case Op::multiply_high:
        return shortened_high(node);
      default:
        return std::nullopt;
    }
  }

  std::optional<IrArgument> shortened_sum(const IrNode& node) {
    if (node.saturate) return std::nullopt;
    if (!node.arguments[1].is_constant()) return sum_before_offset(node);
    const IrNode* inner = source(node.arguments[0], Op::add);
    if (inner == nullptr || inner->saturate || !inner->arguments[1].is_constant()) return std::nullopt;
    return ir_.add(inner->arguments[0], constant_argument(inner->arguments[1].constant + node.arguments[1].constant));
  }

  [[nodiscard]] bool is_address(const IrNode& node) const { return addresses_.contains(node.results[0]); }

  /// A sum with a constant that nobody else reads, or that takes part in an address, where the constant costs nothing.
  [[nodiscard]] const IrNode* offset_of(const IrArgument& argument, const IrNode& reader) const {
    const IrNode* sum = source(argument, Op::add);
    const bool own = sum != nullptr && argument.value < uses_.size() && uses_[argument.value] == 1;
    return (own || (sum != nullptr && is_address(reader))) && !sum->saturate && sum->arguments[1].is_constant() &&
                   !sum->arguments[0].is_constant()
               ? sum
               : nullptr;
  }

  /// Constants are added last, where accesses to memory take them as their offset.
  std::optional<IrArgument> sum_before_offset(const IrNode& node) {
    for (std::size_t side = 0; side < 2; ++side) {
      const IrNode* inner = offset_of(node.arguments[side], node);
      if (inner == nullptr || !node.arguments[1 - side].is_plain()) continue;
      const IrArgument first = inner->arguments[0], offset = inner->arguments[1];
      return ir_.add(ir_.add(node.arguments[1 - side], first), offset);
    }
    return std::nullopt;
  }

  std::optional<IrArgument> shortened_product(const IrNode& node) {
    const IrArgument& factor = node.arguments[1];
    if (!factor.is_constant()) return std::nullopt;
    if (const IrNode* sum = source(node.arguments[0], Op::add);
        sum != nullptr && sum->arguments[1].is_constant() && !sum->saturate && is_address(node)) {
      const std::uint32_t offset = sum->arguments[1].constant * factor.constant;
      return ir_.add(ir_.emit(Op::multiply, {sum->arguments[0], factor}, node.type), constant_argument(offset));
    }
    if (std::has_single_bit(factor.constant))
      return ir_.shift_left(node.arguments[0], static_cast<unsigned>(std::countr_zero(factor.constant)));
    if (std::has_single_bit(0U - factor.constant)) {
      const auto count = static_cast<unsigned>(std::countr_zero(0U - factor.constant));
      return ir_.subtract(constant_argument(0), ir_.shift_left(node.arguments[0], count));
    }
    return std::nullopt;
  }

  std::optional<IrArgument> shortened_high(const IrNode& node) const {
    const std::uint32_t left = bits_.possible(node.arguments[0]), right = bits_.possible(node.arguments[1]);
    if (left <= 0xffffU && right <= 0xffffU) return constant_argument(0);
    return std::nullopt;
  }

  std::optional<IrArgument> shortened_logic(const IrNode& node) {
    const IrArgument& mask = node.arguments[1];
    if (!mask.is_constant()) return std::nullopt;
    const IrNode* inner = source(node.arguments[0], node.operation);
    if (inner != nullptr && inner->arguments[1].is_constant()) {
      const std::uint32_t before = inner->arguments[1].constant;
      const std::uint32_t both = node.operation == Op::bit_and  ? before & mask.constant
                                 : node.operation == Op::bit_or ? before | mask.constant
                                                                : before ^ mask.constant;
      return ir_.emit(node.operation, {inner->arguments[0], constant_argument(both)});
    }
    if (node.operation == Op::bit_xor && mask.constant == ~0U) return ir_.emit(Op::bit_not, {node.arguments[0]});
    return std::nullopt;
  }

  /// Two shifts in one direction; a shift there and back is a mask.
  std::optional<IrArgument> shortened_shift(const IrNode& node) {
    const IrArgument& count = node.arguments[1];
    if (!count.is_constant()) return std::nullopt;
    const bool right = node.operation == Op::shift_right;
    if (count.constant >= 32) {
      if (right && node.type == ValueType::s32) return ir_.sign_of(node.arguments[0]);
      return constant_argument(0);
    }
    if (right && (bits_.possible(node.arguments[0]) >> count.constant) == 0) return constant_argument(0);
    const IrNode* inner = source(node.arguments[0], node.operation);
    if (inner != nullptr && inner->type == node.type && inner->arguments[1].is_constant() &&
        inner->arguments[1].constant < 32)
      return ir_.emit(node.operation,
                      {inner->arguments[0], constant_argument(inner->arguments[1].constant + count.constant)},
                      node.type);
    if (const IrNode* sum = right ? nullptr : offset_of(node.arguments[0], node)) {
      const std::uint32_t offset = sum->arguments[1].constant << count.constant;
      return ir_.add(ir_.shift_left(sum->arguments[0], count.constant), constant_argument(offset));
    }
    const IrNode* back = right ? source(node.arguments[0], Op::shift_left) : nullptr;
    if (back != nullptr && node.type != ValueType::s32 && back->arguments[1] == count)
      return ir_.bit_and(back->arguments[0], ~0U >> count.constant);
    return std::nullopt;
  }

  /// The other way round, when nobody else asks for the comparison as it is: two comparisons are no gain.
  std::optional<IrArgument> inverted_comparison(const IrArgument& truth) {
    const IrNode* inner = source(truth, Op::compare);
    const IrNode* inner_float = source(truth, Op::float_compare);
    if (inner == nullptr && inner_float == nullptr) return std::nullopt;
    if (truth.value >= uses_.size() || uses_[truth.value] != 1) return std::nullopt;
    IrNode node = inner != nullptr ? *inner : *inner_float;
    node.compare = static_cast<Relations>(static_cast<unsigned>(node.compare) ^ (inner != nullptr ? 7U : 15U));
    return ir_.add_node(std::move(node));
  }

  std::optional<IrArgument> shortened_comparison(const IrNode& node) {
    const bool against_zero = is(node.arguments[1], 0);
    const bool equality = node.compare == Relations::equal || node.compare == static_cast<Relations>(5);
    if (against_zero && equality) {
      // A truth value against 0 is itself, or its opposite.
      if (is_truth(node.arguments[0]))
        return node.compare == Relations::equal ? ir_.emit(Op::bit_not, {node.arguments[0]}) : node.arguments[0];
      if (const IrNode* masked = source(node.arguments[0], Op::bit_and);
          masked != nullptr && is(masked->arguments[1], 1) && is_truth(masked->arguments[0]))
        return node.compare == Relations::equal ? ir_.emit(Op::bit_not, {masked->arguments[0]}) : masked->arguments[0];
      if (const IrNode* chosen = source(node.arguments[0], Op::select);
          chosen != nullptr && is(chosen->arguments[2], 0) && chosen->arguments[1].is_constant() &&
          chosen->arguments[1].constant != 0)
        return node.compare == Relations::equal ? ir_.emit(Op::bit_not, {chosen->arguments[0]}) : chosen->arguments[0];
    }
    // Words that differ in no bit are equal.
    if (against_zero && equality && node.type == ValueType::u32) {
      if (const IrNode* difference = source(node.arguments[0], Op::bit_xor))
        return ir_.compare(node.compare, difference->arguments[0], difference->arguments[1], ValueType::u32);
    }
    // Numbers without sign that are smaller than the constant.
    if (node.arguments[1].is_constant() && node.type == ValueType::u32) {
      const std::uint32_t most = filled(bits_.possible(node.arguments[0]));
      if (most < node.arguments[1].constant)
        return constant_argument(includes(node.compare, Relations::less) ? ~0U : 0U);
      if (const auto next = comparison_with_next(function_, node, ir_.block()); next && shifted_.contains(next->value))
        return ir_.compare(node.compare, value_argument(next->value), constant_argument(next->limit), ValueType::u32);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_truth(const IrArgument& argument) const {
    const IrNode* node = function_.source(argument);
    if (node == nullptr || !argument.is_plain()) return false;
    switch (node->operation) {
      case Op::compare:
      case Op::compare_64:
      case Op::float_compare:
      case Op::double_compare:
      case Op::vote:
        return true;
      case Op::bit_and:
      case Op::bit_or:
      case Op::bit_xor:
        return is_truth(node->arguments[0]) && is_truth(node->arguments[1]);
      case Op::bit_not:
        return is_truth(node->arguments[0]);
      default:
        return false;
    }
  }

  std::optional<IrArgument> shortened_select(const IrNode& node) {
    const auto& a = node.arguments;
    if (const IrNode* inverted = source(a[0], Op::bit_not)) {
      if (is_truth(inverted->arguments[0])) return ir_.select(inverted->arguments[0], a[2], a[1]);
    }
    if (!is_truth(a[0])) return std::nullopt;
    if (is(a[2], 0)) {
      if (is(a[1], ~0U)) return a[0];
      return ir_.emit(Op::bit_and, {a[0], a[1]});
    }
    if (is(a[1], 0) && is(a[2], ~0U)) return ir_.emit(Op::bit_not, {a[0]});
    if (is(a[1], 0)) return ir_.emit(Op::bit_and, {ir_.emit(Op::bit_not, {a[0]}), a[2]});
    return std::nullopt;
  }

  std::optional<IrArgument> shortened_conversion(const IrNode& node) const {
    const bool extends =
        node.type == ValueType::s32 && (node.source_type == ValueType::s16 || node.source_type == ValueType::s8);
    if (!extends || !node.arguments[0].is_plain()) return std::nullopt;
    const IrNode* inner = function_.source(node.arguments[0]);
    if (bits_.possible(node.arguments[0]) <= (node.source_type == ValueType::s16 ? 0x7fffU : 0x7fU))
      return node.arguments[0];
    const bool already =
        inner != nullptr &&
        ((inner->operation == Op::convert && inner->type == ValueType::s32 && inner->source_type == node.source_type) ||
         (inner->operation == Op::load && inner->type == node.source_type));
    return already ? std::optional(node.arguments[0]) : std::nullopt;
  }

  /// Changed signs of floats become modifiers of what reads them.
  void fold_sign(NodeIndex index) {
    IrNode& node = function_.nodes[index];
    const bool both = node.operation == Op::float_add || node.operation == Op::float_compare ||
                      node.operation == Op::float_minimum || node.operation == Op::float_maximum ||
                      node.operation == Op::reciprocal || node.operation == Op::reciprocal_root ||
                      node.operation == Op::logarithm || node.operation == Op::prepare_sine ||
                      node.operation == Op::prepare_power;
    const bool negation = both || node.operation == Op::float_multiply || node.operation == Op::float_multiply_add;
    if (!negation) return;
    for (IrArgument& argument : node.arguments) {
      const IrNode* inner = function_.source(argument);
      if (inner == nullptr || inner->arguments.empty()) continue;
      const bool flips = inner->operation == Op::bit_xor && is(inner->arguments[1], sign_bit);
      const bool clears = inner->operation == Op::bit_and && is(inner->arguments[1], ~sign_bit);
      const bool sum = node.operation == Op::float_add;
      if (flips && !argument.absolute) {
        argument.value = inner->arguments[0].value;
        argument.constant = inner->arguments[0].constant;
        argument.negate = !argument.negate;
        note_change();
      } else if (clears && both && !sum) {
        argument.value = inner->arguments[0].value;
        argument.constant = inner->arguments[0].constant;
        argument.absolute = true;
        note_change();
      }
    }
  }

  KnownBits bits_;
  std::vector<std::uint32_t> uses_;
  NearAddresses addresses_;
  std::unordered_set<ValueIndex> shifted_{};  ///< shifts to the right that stand before where we are
};

}  // namespace

bool simplify(IrFunction& function) {
  return Simplifier(function).run();
}

}  // namespace teslasim::compiler
