// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/lower_products.h"

#include <bit>
#include <utility>
#include <vector>

#include "frontend/compiler/ir_rewriter.h"
#include "frontend/compiler/known_bits.h"
#include "frontend/compiler/loop_frame.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;
using Half = Operand::Half;

constexpr std::uint32_t short_bits = 0xffff, medium_bits = 0xffffff;

IrArgument half_of(IrArgument argument, Half half) {
  if (argument.is_constant())
    return constant_argument(half == Half::low ? argument.constant & short_bits : argument.constant >> 16U);
  argument.half = half;
  return argument;
}

class ProductLowering final : public IrRewriter {
 public:
  explicit ProductLowering(IrFunction& function) : IrRewriter(function), bits_(function) {}

 private:
  bool rewrite(NodeIndex index) override {
    const IrNode now = node(index);
    if (now.operation == Op::multiply) {
      replace_result(index, 0, product(now.arguments[0], now.arguments[1]));
      return true;
    }
    if (now.operation != Op::multiply_high) return false;
    IrArgument value = high_product(now.arguments[0], now.arguments[1]);
    if (now.type == ValueType::s32) value = with_signs(value, now.arguments[0], now.arguments[1]);
    replace_result(index, 0, value);
    return true;
  }

  [[nodiscard]] bool is_short(const IrArgument& argument) const { return bits_.possible(argument) <= short_bits; }
  [[nodiscard]] bool is_medium(const IrArgument& argument) const { return bits_.possible(argument) <= medium_bits; }

  IrArgument multiply_halves(const IrArgument& left, Half left_half, const IrArgument& right, Half right_half) {
    return ir_.emit(Op::multiply_16, {half_of(left, left_half), half_of(right, right_half)}, ValueType::u32);
  }
  IrArgument add_halves(const IrArgument& left, Half left_half, const IrArgument& right, Half right_half,
                        const IrArgument& sum) {
    return ir_.emit(Op::multiply_add_16, {half_of(left, left_half), half_of(right, right_half), sum}, ValueType::u32);
  }

  /// Has 16 bits by its type, not only by its value.
  [[nodiscard]] bool is_narrow(const IrArgument& argument) const {
    const IrNode* node = function_.source(argument);
    if (node == nullptr) return false;
    switch (node->operation) {
      case Op::load:
      case Op::launch_word:
        return bytes_of(node->type) <= 2;
      case Op::convert:
        return bytes_of(node->source_type) <= 2;
      case Op::bit_and:
        return is_field(*node);
      default:
        return false;
    }
  }
  /// A conversion from 8 or 16 bits, or part of the index of the thread.
  [[nodiscard]] bool is_field(const IrNode& node) const {
    if (!node.arguments[1].is_constant()) return false;
    const std::uint32_t mask = node.arguments[1].constant;
    return mask == 0xff || mask == short_bits || is_thread(node);
  }
  [[nodiscard]] bool is_thread(const IrNode& node) const {
    const IrNode* of = function_.source(node.arguments[0]);
    if (of != nullptr && of->operation == Op::shift_right) of = function_.source(of->arguments[0]);
    return of != nullptr && of->operation == Op::thread_index;
  }

  /// NVIDIA's compiler knew types, not values: a product of 16 bits where both factors had them, as with
  /// `blockIdx.x * blockDim.x`, and one of 32 bits otherwise (decision 0096).
  IrArgument product(const IrArgument& left, const IrArgument& right) {
    const bool by_constant = left.is_constant() || right.is_constant();
    if (!by_constant && !(is_narrow(left) && is_narrow(right))) return full_product(left, right);
    if (is_short(left) && is_short(right)) return multiply_halves(left, Half::low, right, Half::low);
    if (bits_.is_short(left) && bits_.is_short(right))
      return ir_.emit(Op::multiply_16, {half_of(left, Half::low), half_of(right, Half::low)}, ValueType::s32);
    if (is_medium(left) && is_medium(right)) return ir_.emit(Op::multiply_24, {left, right}, ValueType::u32);
    if (right.is_constant() && std::popcount(right.constant) == 2) return two_shifts(left, right.constant);
    IrArgument upper;
    if (is_short(right)) {
      upper = multiply_halves(left, Half::high, right, Half::low);
    } else {
      upper = multiply_halves(left, Half::low, right, Half::high);
      if (!is_short(left)) upper = add_halves(left, Half::high, right, Half::low, upper);
    }
    return add_halves(left, Half::low, right, Half::low, ir_.shift_left(upper, 16));
  }

  IrArgument full_product(const IrArgument& left, const IrArgument& right) {
    const IrArgument first = multiply_halves(left, Half::low, right, Half::high);
    const IrArgument upper = add_halves(left, Half::high, right, Half::low, first);
    return add_halves(left, Half::low, right, Half::low, ir_.shift_left(upper, 16));
  }

  IrArgument two_shifts(const IrArgument& value, std::uint32_t constant) {
    const auto low = static_cast<unsigned>(std::countr_zero(constant));
    const auto high = 31U - static_cast<unsigned>(std::countl_zero(constant));
    const IrArgument small = low == 0 ? value : ir_.shift_left(value, low);
    return ir_.add(ir_.shift_left(value, high), small);
  }

  /// Bits 63 to 32 of a product without signs, by the school's method on halves. With a factor of one half nothing
  /// overflows: the product of two halves is at most 2^32 - 2^17 + 1.
  IrArgument high_product(const IrArgument& left, const IrArgument& right) {
    const bool first = is_short(left);
    if (!first && !is_short(right)) return ir_.emit(Op::upper_product, {left, right}, ValueType::u32);
    const IrArgument carried = ir_.shift_right(multiply_halves(left, Half::low, right, Half::low), 16);
    const IrArgument middle = first ? add_halves(left, Half::low, right, Half::high, carried)
                                    : add_halves(left, Half::high, right, Half::low, carried);
    return ir_.shift_right(middle, 16);
  }

  /// A number below 0 was taken for one that is 2^32 larger.
  IrArgument with_signs(IrArgument value, const IrArgument& left, const IrArgument& right) {
    const auto correct = [&](const IrArgument& number, const IrArgument& other) {
      if ((bits_.possible(number) & 0x80000000U) == 0) return;
      const IrArgument negative = ir_.compare(Relations::less, number, constant_argument(0), ValueType::s32);
      value = ir_.select(negative, ir_.subtract(value, other), value);
    };
    correct(left, right);
    correct(right, left);
    return value;
  }

  KnownBits bits_;
};

class ProductFusion final : public IrRewriter {
 public:
  ProductFusion(IrFunction& function, bool contract)
      : IrRewriter(function),
        contract_(contract),
        uses_(function.uses()),
        places_(function),
        loops_(function.graph()) {}

 private:
  bool rewrite(NodeIndex index) override {
    IrNode& node = function_.nodes[index];
    depth_ = loops_.depth(places_[index]);
    if (node.operation == Op::add && !node.saturate) fuse_integer(node, false);
    if (node.operation == Op::subtract && !node.saturate) fuse_integer(node, true);
    if (node.operation == Op::float_add && contract_ && !node.exact) fuse_float(node);
    return false;
  }

  /// The product that nothing but the sum at hand reads. One before a loop stays out of it: a sum takes fewer operands.
  [[nodiscard]] const IrNode* only_reader(const IrArgument& argument, Op operation) const {
    const IrNode* node = function_.source(argument);
    if (node == nullptr || node->operation != operation || argument.absolute || argument.half != Half::full)
      return nullptr;
    if (loops_.depth(places_[function_.values[argument.value].node]) < depth_) return nullptr;
    return argument.value < uses_.size() && uses_[argument.value] == 1 ? node : nullptr;
  }

  /// sum = product + other; difference: other - product.
  void fuse_integer(IrNode& node, bool difference) {
    for (std::size_t i = difference ? 1 : 0; i < 2; ++i) {
      const IrNode* product = only_reader(node.arguments[i], Op::multiply_16);
      const bool medium = product == nullptr;
      if (medium) product = only_reader(node.arguments[i], Op::multiply_24);
      if (product == nullptr || product->high) continue;
      const IrArgument other = node.arguments[1 - i];
      node.operation = medium ? Op::multiply_add_24 : Op::multiply_add_16;
      node.type = product->type;
      node.subtract_product = difference;
      node.arguments = {product->arguments[0], product->arguments[1], other};
      return note_change();
    }
  }

  void fuse_float(IrNode& node) {
    for (std::size_t i = 0; i < 2; ++i) {
      const IrNode* product = only_reader(node.arguments[i], Op::float_multiply);
      if (product == nullptr || product->exact || product->saturate) continue;
      const IrArgument other = node.arguments[1 - i];
      IrArgument first = product->arguments[0];
      first.negate = first.negate != node.arguments[i].negate;
      node.operation = Op::float_multiply_add;
      node.arguments = {first, product->arguments[1], other};
      return note_change();
    }
  }

  bool contract_;
  std::vector<std::uint32_t> uses_;
  NodePlaces places_;
  Loops loops_;
  unsigned depth_ = 0;  ///< loops around the sum at hand
};

}  // namespace

void lower_products(IrFunction& function) {
  ProductLowering(function).run();
}

void fuse_products(IrFunction& function, bool contract) {
  ProductFusion(function, contract).run();
}

}  // namespace teslasim::compiler
