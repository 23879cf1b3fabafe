import Foundation
import Testing

@testable import Completions

@Suite struct FileCandidatesTests {
  @Test("Files with one of the endings and folders are offered, hidden ones when they are asked for")
  func files() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "completions-tests-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for path in ["sub/deep", ".hidden"] {
      try FileManager.default.createDirectory(at: folder.appending(path: path), withIntermediateDirectories: true)
    }
    for name in ["ads.yaml", "b c.yml", "notes.txt", "evil\u{1B}.yaml"] {
      try Data().write(to: folder.appending(path: name))
    }
    let root = folder.path(percentEncoded: false)
    let cases: [(typed: String, extensions: [String]?, found: [String])] = [
      ("/", ["yaml", "yml"], ["/ads.yaml", "/b c.yml", "/sub/"]), ("/a", ["yaml"], ["/ads.yaml"]),
      ("/", nil, ["/sub/"]),
      ("/n", [], ["/notes.txt"]), ("/.", nil, ["/.hidden/"]), ("/sub/", nil, ["/sub/deep/"]), ("/nowhere/x", [], []),
    ]
    for (typed, extensions, found) in cases {
      #expect(
        FileCandidates.of(root + typed, extensions: extensions, home: nil) == found.map { root + $0 }, "\(typed)")
      #expect(FileCandidates.of("~" + typed, extensions: extensions, home: root) == found.map { "~" + $0 }, "\(typed)")
    }
  }
}
