import CastReceiver
import Foundation
import Testing

@Suite struct MediaSettingDocsTests {
  /// The rows of the table of settings in docs/reference.md: name and values.
  private static func rows() throws -> [(name: String, values: String)] {
    let file = URL(filePath: #filePath).appending(path: "../../../../docs/reference.md").standardized
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("| setting | values | what it decides |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      let cells = line.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      return (cells[1].replacing("`", with: ""), cells[2])
    }
  }

  @Test("docs/reference.md lists each setting once, in its order, with the words that it takes")
  func table() throws {
    let rows = try Self.rows()
    #expect(rows.map(\.name) == MediaSetting.allCases.map(\.rawValue))
    for (row, setting) in zip(rows, MediaSetting.allCases) {
      switch setting.values {
      case .words(let words): #expect(row.values == words.map { "`\($0)`" }.joined(separator: ", "))
      case .form(let example, _): #expect(row.values.contains("`\(example)`") || row.values == "a number", "\(row)")
      }
    }
  }
}
