import Foundation
import Testing

@Suite struct SecurityDocsTests {
  @Test(
    "Each rule of a sender, of a virtual receiver and of editors and agents names its test in docs/security.md, and each such test is there"
  )
  func tests() throws {
    let text = try String(contentsOf: Showcaller.root.appending(path: "docs/security.md"), encoding: .utf8)
    let section = try #require(text.split(separator: "### 4.7 ").last?.split(separator: "\n## ").first)
    let rows = section.split(separator: "\n").filter { row in ["| S", "| V", "| E"].contains { row.hasPrefix($0) } }
    let rules = rows.map { $0.split(separator: " ")[1] }
    #expect(rules == (1...12).map { "S\($0)" } + (1...8).map { "V\($0)" } + (1...5).map { "E\($0)" })
    for row in rows {
      let names = row.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
      #expect(names.contains { $0.contains("Tests/") }, "\(row)")
      for name in names where name.contains("Tests/") {
        let parts = name.split(separator: "/").map(String.init)
        let folder = Showcaller.root.appending(path: "Tests/\(parts[0])")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        #expect(files.contains { $0.hasSuffix("/\(parts[1]).swift") || $0 == "\(parts[1]).swift" }, "\(name)")
      }
    }
  }
}
