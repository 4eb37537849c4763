// SPDX-License-Identifier: Apache-2.0
// All directives but .rept and .macro, and raw words.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/text/module_builder.h"

namespace teslasim::text {

class Directives {
 public:
  explicit Directives(ModuleBuilder& builder) : builder_(builder) {}
  /// Takes a statement that begins with '.'; TextError when something is wrong.
  void run(Cursor& cursor, LineReference where);
  /// d.u32 W0, W1, ...: instruction words, decoded.
  void raw_words(Cursor& cursor, LineReference where);

 private:
  using Directive = void (Directives::*)(Cursor&, LineReference);

  void entry(Cursor& cursor, LineReference where);
  void arch(Cursor& cursor, LineReference where);
  void equ(Cursor& cursor, LineReference where);
  void alias(Cursor& cursor, LineReference where);
  void param(Cursor& cursor, LineReference where);
  void placed_parameter(Cursor& cursor, KernelBuilder& kernel);
  void shared(Cursor& cursor, LineReference where);
  void reg(Cursor& cursor, LineReference where);
  void smem(Cursor& cursor, LineReference where);
  void lmem(Cursor& cursor, LineReference where);
  void bar(Cursor& cursor, LineReference where);
  void constants(Cursor& cursor, LineReference where);
  void unaligned(Cursor& cursor, LineReference where);
  void declare(Cursor& cursor, LineReference where, KernelBuilder::Resource resource, std::int64_t minimum,
               std::int64_t maximum, std::string_view what);

  ModuleBuilder& builder_;
};

/// .const: bytes of constant memory (constant_data.cpp).
void define_constants(Cursor& cursor, ModuleBuilder& builder);

}  // namespace teslasim::text
