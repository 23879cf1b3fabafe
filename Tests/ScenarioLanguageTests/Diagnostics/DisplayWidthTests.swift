import Glibc
import Testing

@testable import ScenarioLanguage

@Suite struct DisplayWidthTests {
  @Test("The width of a character is what the C library says of all that terminals agree on")
  func oracle() throws {
    // The header hides it behind a macro that the module map does not set.
    let symbol = try #require(dlsym(nil, "wcwidth"))
    let wcwidth = unsafeBitCast(symbol, to: (@convention(c) (UInt32) -> Int32).self)
    let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)
    let before = uselocale(locale)
    defer {
      uselocale(before)
      freelocale(locale)
    }
    var (compared, wrong) = (0, [UInt32]())
    for value in UInt32(0x20)...0x2FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      // What is shown by another character, and what the two know of different Unicode versions.
      switch scalar.properties.generalCategory {
      case .control, .format, .unassigned, .privateUse, .lineSeparator, .paragraphSeparator, .spacingMark: continue
      default: break
      }
      let width = wcwidth(value)
      if width < 0 { continue }
      compared += 1
      if Int(width) != DisplayWidth.of(scalar) { wrong.append(value) }
    }
    #expect(compared > 100_000)
    #expect(wrong.count < 20, "\(wrong.prefix(200).map { String($0, radix: 16) })")
  }

  /// The underlined cells of a line: where they begin, counted from 0, and how many there are.
  private func cells(_ text: String, _ column: Int, _ length: Int) throws -> [Int] {
    let span = SourceSpan(file: "a.yaml", line: 1, column: column, endLine: 1, endColumn: column + length)
    let rendered = DiagnosticRenderer(sources: [SourceFile(text, name: "a.yaml")])
      .render(Diagnostic(.error, .k101, "m", at: .init(span)))
    let row = try #require(rendered.split(separator: "\n").last).dropFirst(4)
    return [row.prefix { $0 == " " }.count, row.count { $0 == "^" }]
  }

  @Test("Carets stand under what they mean behind wide, combining, right-to-left and invisible characters")
  func carets() throws {
    #expect(try cells("ab: cd", 5, 2) == [4, 2])
    #expect(try cells("映画: cd", 5, 2) == [6, 2])
    #expect(try cells("a: 映画 b", 4, 2) == [3, 4])
    #expect(try cells("😀: x", 4, 1) == [4, 1])
    #expect(try cells("e\u{301}: x", 5, 1) == [3, 1])
    #expect(try cells("a\u{202E}: x", 5, 1) == [4, 1])
    #expect(try cells("שלום: x", 7, 1) == [6, 1])
    #expect(try cells("한국: x", 5, 1) == [6, 1])
    #expect(try cells("\u{1100}\u{1161}\u{11A8}: x", 6, 1) == [4, 1])
    #expect(try cells("🇳🇴: x", 5, 1) == [4, 1])
    // A mark alone still has a caret.
    #expect(try cells("e\u{301}: x", 2, 1) == [1, 1])
    // A joiner is shown by a mark of its own, so each part of the family keeps its cells.
    #expect(try cells("👩\u{200D}👩: x", 6, 1) == [7, 1])
    #expect(try cells("\t\tx", 3, 1) == [2, 1])
  }

  @Test("A long line of wide characters is cut so that the caret stays under its character")
  func longLine() throws {
    let text = String(repeating: "映", count: 5_000) + "X" + String(repeating: "画", count: 5_000)
    #expect(try cells(text, 5_001, 1) == [1 + 60 * 2, 1])
  }
}
