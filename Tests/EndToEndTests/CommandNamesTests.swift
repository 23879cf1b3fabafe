import Foundation
import Testing

/// Texts name only commands that there are.
@Suite struct CommandNamesTests {
  /// Files whose texts people read, or whose code prints them.
  private static let files: [URL] = {
    let root = Showcaller.root
    var files = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map { root.appending(path: $0) }
    for folder in ["Sources", "docs", "examples", "playlists"] {
      let found = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
      for case let file as URL in found ?? .init() where ["swift", "md", "yaml"].contains(file.pathExtension) {
        files.append(file)
      }
    }
    return files
  }()

  /// The names of a help text's commands.
  private static func commands(in help: String) -> Set<String> {
    let list = help.components(separatedBy: "SUBCOMMANDS:\n").last ?? ""
    return Set(list.matches(of: /(?m)^  ([a-z][a-z-]*)/).map { String($0.1) })
  }

  @Test("Every command that a text names is there")
  func names() async throws {
    let commands = Self.commands(in: try await Showcaller.run("--help").output).union(["help", "docs"])
    let queue = Self.commands(in: try await Showcaller.run("queue", "--help").output).union(["NAME", "add"])
    #expect(commands.count > 30 && queue.contains("jump"))
    var count = 0
    for file in Self.files {
      let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
      for (index, line) in lines.enumerated() {
        for match in line.matches(of: /(?:`|\$ |^ {2,}|# |"|\| )showcaller ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/) {
          let word = String(match.1)
          // Sentences about the program itself.
          if ["itself", "knows", "shows", "does", "never", "accepts", "speaks", "virtual"].contains(word) { continue }
          count += 1
          let place = "\(file.lastPathComponent):\(index + 1): \(line)"
          #expect(commands.contains(word), "\(place)")
          if word == "queue", let next = match.2 { #expect(queue.contains(String(next)), "\(place)") }
        }
      }
    }
    #expect(count > 100)
  }
}
