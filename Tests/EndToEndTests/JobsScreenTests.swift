import Foundation
import Testing

/// `run --jobs` in a real terminal.
@Suite(.serialized, .enabled(if: TmuxSession.isThere)) struct JobsScreenTests {
  /// The lines of the block, which are the last of the screen.
  private static func block(_ screen: String) -> [Substring] {
    let lines = screen.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
    return lines.reversed().prefix { $0.hasPrefix(" ▶") || $0.hasPrefix(" … and") }.reversed()
  }

  @Test(
    "Every scenario that goes on has a line below what is finished, no more than fit, also in a window that changes")
  func resized() async throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("qa"), withIntermediateDirectories: true)
    for number in 10..<22 {
      _ = try folder.write(
        "qa/d\(number).yaml",
        """
        scenario: D\(number)
        device: TV
        steps:
          - load: { media: { url: https://cdn.example.com/film.mp4, duration: 10m } }
          - name: a step with a name that is far too long for a line of a terminal beside a device and a document
            wait: 150s
          - expect: { player: playing }
        """)
    }
    let terminal = try await TmuxSession(
      "cd \(folder.url.path); $S run --virtual --speed 10x --jobs 12 qa; echo \"over with $?\"", columns: 80, rows: 24)
    let first = try await terminal.waitFor("a line for each") { screen in
      Self.block(screen).count == 12 && Self.block(screen).allSatisfy { $0.contains(" s2 ") }
    }
    for (number, line) in zip(10..., Self.block(first)) {
      #expect(line.hasPrefix(" ▶ tv d\(number) s2 "), "\(first)")
      #expect(line.count <= 80)
    }
    try await terminal.resize(columns: 50, rows: 8)
    let small = try await terminal.waitFor("a small block") {
      Self.block($0).count == 7 && $0.contains(" … and 6 more")
    }
    #expect(Self.block(small).first?.hasPrefix(" ▶ tv d10 s2 ") == true, "\(small)")
    try await terminal.resize(columns: 120, rows: 40)
    try await terminal.waitFor("all of it again, longer") { screen in
      Self.block(screen).count == 12 && Self.block(screen).allSatisfy { $0.count > 50 }
    }
    let last = try await terminal.waitFor("over with 0")
    let end = last.split(separator: "\n").reversed().prefix { !$0.contains(" ▶") }
    #expect(end.contains { $0.hasPrefix("PASSED 12 of 12 documents in ") }, "\(last)")
    terminal.end()
  }
}
