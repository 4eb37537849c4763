// SPDX-License-Identifier: Apache-2.0
#include "frontend/ptx/ptx_reader.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "frontend/ptx/ptx_checker.h"
#include "frontend/ptx/ptx_cursor.h"
#include "frontend/ptx/ptx_declaration_parser.h"
#include "frontend/ptx/ptx_mistakes.h"
#include "frontend/ptx/ptx_names.h"
#include "frontend/ptx/ptx_operand_parser.h"

namespace teslasim::ptx {
namespace {

constexpr std::uint32_t most_lines = std::numeric_limits<std::uint32_t>::max();
constexpr std::array<std::string_view, 6> performance_directives{"maxntid",      "reqntid", "minnctapersm",
                                                                 "maxnctapersm", "maxnreg", "noreturn"};

bool is_performance_directive(std::string_view word) {
  return std::find(performance_directives.begin(), performance_directives.end(), word) != performance_directives.end();
}

/// What may follow a whole function.
bool opens_module_level(std::string_view word) {
  constexpr std::array<std::string_view, 6> others{"entry", "func", "file", "pragma", "section", "target"};
  return space_of_word(word) || linkage_of_word(word) || std::find(others.begin(), others.end(), word) != others.end();
}

class Parser {
 public:
  explicit Parser(std::string_view text) : cursor_(text) {}

  PtxModule run() {
    while (!cursor_.at_end() && cursor_.mistakes().size() < most_ptx_mistakes) {
      try {
        if (cursor_.accept(';')) continue;
        parse_top();
      } catch (const PtxStatementError&) {
        recover();
      }
    }
    return std::move(module_);
  }
  [[nodiscard]] const std::vector<PtxMistake>& mistakes() const { return cursor_.mistakes(); }

 private:
  /// After a mistake outside of functions: behind the statement or the body that it stands in.
  void recover() {
    cursor_.skip_statement();
    cursor_.accept('}');
  }

  void parse_top() {
    const PtxToken word = cursor_.peek();
    if (cursor_.is('@') && cursor_.is('@', 1)) return skip_debug_line();
    if (word.kind != PtxTokenKind::dotted)
      cursor_.fail(word.place, "PTX-SYNTAX", "expected a directive", ".version, .target, .entry, .func, .global, ...");
    if (parse_header(word)) return;
    PtxLinkage linkage = PtxLinkage::none;
    while (const auto found = linkage_of_word(cursor_.peek().text)) {
      if (cursor_.peek().kind != PtxTokenKind::dotted) break;
      linkage = *found;
      cursor_.take();
    }
    if (cursor_.is_dotted("entry") || cursor_.is_dotted("func")) return parse_function(linkage);
    if (cursor_.is_dotted("surf"))
      cursor_.fail(cursor_.peek().place, "PTX-UNSUPPORTED", "surfaces need compute capability 2.0",
                   "read through a texture, write to device memory");
    if (cursor_.peek().kind != PtxTokenKind::dotted || !space_of_word(cursor_.peek().text))
      cursor_.fail(cursor_.peek().place, "PTX-DIRECTIVE", "unknown directive of a module",
                   ".entry, .func, .global, .const, .shared, .tex");
    for (PtxVariable& variable : parse_variables(cursor_, linkage)) module_.variables.push_back(std::move(variable));
  }

  /// Directives that describe the file. Returns false when it is none of them.
  bool parse_header(const PtxToken& word) {
    if (word.text == "version") {
      cursor_.take();
      parse_version();
    } else if (word.text == "target") {
      cursor_.take();
      do {
        module_.targets.push_back(cursor_.expect_name("a target"));
      } while (cursor_.accept(','));
    } else if (word.text == "address_size") {
      cursor_.take();
      module_.address_size = static_cast<unsigned>(cursor_.expect_whole("an address size", 64));
    } else if (word.text == "file") {
      cursor_.take();
      parse_file();
    } else if (word.text == "pragma") {
      cursor_.take();
      (void)cursor_.expect_string("a pragma");
      cursor_.expect(';', "a pragma");
    } else if (word.text == "section") {
      skip_section();
    } else {
      return false;
    }
    return true;
  }

  void parse_version() {
    const PtxToken number = cursor_.take();
    const std::size_t dot = number.text.find('.');
    const auto digit = [&](std::size_t at) {
      return at < number.text.size() && number.text[at] >= '0' && number.text[at] <= '9';
    };
    if (number.kind != PtxTokenKind::number || dot != 1 || !digit(0) || !digit(2) || number.text.size() != 3)
      cursor_.fail(number.place, "PTX-SYNTAX", "a version is two digits such as 1.4");
    module_.version_major = static_cast<unsigned>(number.text[0] - '0');
    module_.version_minor = static_cast<unsigned>(number.text[2] - '0');
  }

  /// .file 1 "name", and the time and size that some write behind it.
  void parse_file() {
    PtxFile& file = module_.files.emplace_back();
    file.number = static_cast<std::uint32_t>(cursor_.expect_whole("a file number", most_lines));
    file.name = cursor_.expect_string("a file name");
    // LLVM writes the folder apart.
    if (cursor_.peek().kind == PtxTokenKind::string) {
      const std::string name = cursor_.expect_string("a file name");
      file.name = name.starts_with('/') ? name : file.name + "/" + name;
    }
    while (cursor_.accept(',')) (void)cursor_.expect_constant("a number");
  }

  /// Debug information of nvcc 1.x: a line of its own.
  void skip_debug_line() {
    const std::uint32_t line = cursor_.peek().place.line;
    while (!cursor_.at_end() && cursor_.peek().place.line == line) cursor_.take();
  }

  /// .section name { ... }: debug information.
  void skip_section() {
    cursor_.take();
    cursor_.take();
    cursor_.expect('{', "a section");
    while (!cursor_.at_end() && !cursor_.is('}')) cursor_.take();
    cursor_.expect('}', "a section");
  }

  void parse_function(PtxLinkage linkage) {
    PtxFunction function;
    function.linkage = linkage;
    function.entry = cursor_.take().text == "entry";
    if (!function.entry && cursor_.accept('(')) function.results = parse_parameters(cursor_);
    function.place = cursor_.peek().place;
    function.name = cursor_.expect_name("the name of a function");
    if (cursor_.accept('(')) function.parameters = parse_parameters(cursor_);
    parse_performance_directives(function);
    if (cursor_.is('{')) {
      function.body = parse_scope(1);
      if (function.entry && module_.version_major == 1) take_parameters(function);
    } else if (!begins_declaration()) {
      cursor_.expect(';', "a function without a body");
    }
    module_.functions.push_back(std::move(function));
  }

  /// nvcc 3 wrote no semicolon behind a function without a body.
  [[nodiscard]] bool begins_declaration() const {
    const PtxToken& word = cursor_.peek();
    return cursor_.at_end() || (word.kind == PtxTokenKind::dotted && opens_module_level(word.text));
  }

  /// Up to PTX 1.3 the parameters of a kernel stood in its body.
  static void take_parameters(PtxFunction& function) {
    std::vector<PtxStatement>& statements = function.body->statements;
    const auto first = std::stable_partition(statements.begin(), statements.end(), [](const PtxStatement& statement) {
      const auto* variable = std::get_if<PtxVariable>(&statement);
      return variable == nullptr || variable->space != PtxSpace::param;
    });
    for (auto statement = first; statement != statements.end(); ++statement)
      function.parameters.push_back(std::move(std::get<PtxVariable>(*statement)));
    statements.erase(first, statements.end());
  }

  void parse_performance_directives(PtxFunction& function) {
    while (cursor_.peek().kind == PtxTokenKind::dotted && !opens_module_level(cursor_.peek().text)) {
      const PtxToken word = cursor_.take();
      if (!is_performance_directive(word.text))
        cursor_.fail(word.place, "PTX-DIRECTIVE", "'." + std::string(word.text) + "' is no directive of a function",
                     ".maxntid, .reqntid, .minnctapersm, .maxnctapersm, .maxnreg, .noreturn");
      PtxPerformanceDirective& directive = function.directives.emplace_back();
      directive.place = word.place;
      directive.name = word.text;
      while (cursor_.peek().kind == PtxTokenKind::number) {
        directive.values.push_back(static_cast<std::uint32_t>(cursor_.expect_whole("a limit", most_lines)));
        cursor_.accept(',');
      }
    }
  }

  PtxScope parse_scope(unsigned depth) {
    PtxScope scope;
    scope.place = cursor_.peek().place;
    cursor_.expect('{', "a function");
    if (depth > deepest_ptx) cursor_.fail(scope.place, "PTX-DEPTH", "more than 64 levels of braces and parentheses");
    while (!cursor_.is('}')) {
      if (cursor_.at_end()) {
        if (!std::exchange(end_noted_, true))
          cursor_.note(scope.place, "PTX-SYNTAX", "the brace that opens here is not closed", "add }");
        return scope;
      }
      if (cursor_.mistakes().size() >= most_ptx_mistakes) throw PtxStatementError{};
      try {
        parse_statement(scope, depth);
      } catch (const PtxStatementError&) {
        cursor_.skip_statement();
      }
    }
    cursor_.take();
    return scope;
  }

  void parse_statement(PtxScope& scope, unsigned depth) {
    const PtxToken first = cursor_.peek();
    if (cursor_.accept(';')) return;
    if (cursor_.is('{')) {
      scope.statements.emplace_back(parse_scope(depth + 1));
    } else if (first.kind == PtxTokenKind::name && cursor_.is(':', 1)) {
      scope.statements.emplace_back(PtxLabel{first.place, std::string(cursor_.take().text)});
      cursor_.take();
    } else if (first.kind == PtxTokenKind::dotted) {
      parse_body_directive(scope, first);
    } else {
      scope.statements.emplace_back(parse_instruction(cursor_));
    }
  }

  void parse_body_directive(PtxScope& scope, const PtxToken& word) {
    if (word.text == "loc") {
      cursor_.take();
      scope.statements.emplace_back(parse_line_mark());
    } else if (word.text == "pragma") {
      cursor_.take();
      scope.statements.emplace_back(PtxPragma{word.place, cursor_.expect_string("a pragma")});
      cursor_.expect(';', "a pragma");
    } else if (space_of_word(word.text) || linkage_of_word(word.text)) {
      const auto linkage = linkage_of_word(word.text);
      if (linkage) cursor_.take();
      for (PtxVariable& variable : parse_variables(cursor_, linkage.value_or(PtxLinkage::none)))
        scope.statements.emplace_back(std::move(variable));
    } else {
      refuse_body_directive(word);
    }
  }

  [[noreturn]] void refuse_body_directive(const PtxToken& word) {
    constexpr std::array<std::string_view, 3> of_pointers{"callprototype", "calltargets", "branchtargets"};
    if (std::find(of_pointers.begin(), of_pointers.end(), word.text) != of_pointers.end())
      cursor_.fail(word.place, "PTX-UNSUPPORTED",
                   "calls through pointers, which virtual functions are too, need compute capability 2.0",
                   "call the functions by name, in a switch");
    cursor_.fail(word.place, "PTX-DIRECTIVE", "unknown directive '." + std::string(word.text) + "' in a function",
                 ".reg, .param, .shared, .local, .const, .global, .loc, .pragma");
  }

  PtxLineMark parse_line_mark() {
    PtxLineMark mark;
    mark.file = static_cast<std::uint32_t>(cursor_.expect_whole("a file number", most_lines));
    mark.line = static_cast<std::uint32_t>(cursor_.expect_whole("a line", most_lines));
    mark.column = static_cast<std::uint32_t>(cursor_.expect_whole("a column", most_lines));
    return mark;
  }

  PtxCursor cursor_;
  PtxModule module_;
  bool end_noted_ = false;  ///< one message for all braces that the end of the file leaves open
};

}  // namespace

PtxModule read_ptx(std::string_view text, const std::string& file) {
  Parser parser(text);
  PtxModule module = parser.run();
  throw_mistakes(parser.mistakes(), file, text);
  return module;
}

PtxModule read_checked_ptx(std::string_view text, const std::string& file) {
  Parser parser(text);
  PtxModule module = parser.run();
  // A declaration that was not understood would be missed wherever its name is used.
  throw_mistakes(parser.mistakes(), file, text);
  throw_mistakes(check_ptx(module), file, text);
  return module;
}

}  // namespace teslasim::ptx
