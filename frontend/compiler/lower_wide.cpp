// SPDX-License-Identifier: Apache-2.0
#include "frontend/compiler/lower_wide.h"

#include "frontend/compiler/ir_rewriter.h"

namespace teslasim::compiler {
namespace {

using Op = IrOperation;

class WideLowering final : public IrRewriter {
 public:
  explicit WideLowering(IrFunction& function) : IrRewriter(function) {}

 private:
  bool rewrite(NodeIndex index) override {
    const IrNode now = node(index);
    switch (now.operation) {
      case Op::shift_left_64:
        return shift_left(index, now.arguments[0], now.arguments[1], now.arguments[2]);
      case Op::shift_right_64:
        return shift_right(index, now);
      case Op::compare_64:
        replace_result(index, 0, compared(now));
        return true;
      default:
        return false;
    }
  }

  IrArgument bit_or(const IrArgument& left, const IrArgument& right) { return ir_.emit(Op::bit_or, {left, right}); }
  IrArgument left_by(const IrArgument& value, const IrArgument& count) {
    return ir_.emit(Op::shift_left, {value, count});
  }
  IrArgument right_by(const IrArgument& value, const IrArgument& count, ValueType type = ValueType::u32) {
    return ir_.emit(Op::shift_right, {value, count}, type);
  }

  /// Counts beyond 31, also those below 0, shift everything out: one of the two parts of the upper word is 0.
  bool shift_left(NodeIndex index, const IrArgument& low, const IrArgument& high, const IrArgument& count) {
    const IrArgument rest = ir_.subtract(constant_argument(32), count);
    const IrArgument beyond = ir_.add(count, constant_argument(0U - 32U));
    const IrArgument carried = bit_or(right_by(low, rest), left_by(low, beyond));
    replace_result(index, 0, left_by(low, count));
    replace_result(index, 1, bit_or(left_by(high, count), carried));
    return true;
  }

  bool shift_right(NodeIndex index, const IrNode& now) {
    const IrArgument &low = now.arguments[0], &high = now.arguments[1], &count = now.arguments[2];
    const ValueType type = now.type == ValueType::s64 ? ValueType::s32 : ValueType::u32;
    const IrArgument rest = ir_.subtract(constant_argument(32), count);
    const IrArgument beyond = ir_.add(count, constant_argument(0U - 32U));
    const IrArgument near = bit_or(right_by(low, count), left_by(high, rest));
    const IrArgument is_far = ir_.compare(static_cast<Relations>(6), count, constant_argument(32), ValueType::u32);
    replace_result(index, 0, ir_.select(is_far, right_by(high, beyond, type), near));
    replace_result(index, 1, right_by(high, count, type));
    return true;
  }

  IrArgument compared(const IrNode& now) {
    const auto& a = now.arguments;
    const ValueType type = now.type == ValueType::s64 ? ValueType::s32 : ValueType::u32;
    const bool less = includes(now.compare, Relations::less), greater = includes(now.compare, Relations::greater);
    if (less == greater) {
      const IrArgument difference = bit_or(ir_.emit(Op::bit_xor, {a[0], a[2]}), ir_.emit(Op::bit_xor, {a[1], a[3]}));
      return ir_.compare(now.compare, difference, constant_argument(0), ValueType::u32);
    }
    const IrArgument above = ir_.compare(less ? Relations::less : Relations::greater, a[1], a[3], type);
    const IrArgument level = ir_.compare(Relations::equal, a[1], a[3], ValueType::u32);
    const IrArgument below = ir_.compare(now.compare, a[0], a[2], ValueType::u32);
    return bit_or(above, ir_.emit(Op::bit_and, {level, below}));
  }
};

}  // namespace

void lower_wide(IrFunction& function) {
  WideLowering(function).run();
}

}  // namespace teslasim::compiler
