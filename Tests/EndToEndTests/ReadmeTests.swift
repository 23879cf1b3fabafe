import Foundation
import Testing

/// The README is a promise: its example compiles, and its commands print what it shows.
@Suite struct ReadmeTests {
  static let text = (try? String(contentsOf: Showcaller.root.appending(path: "README.md"), encoding: .utf8)) ?? ""

  /// The contents of the fenced blocks of a kind, in order.
  static func blocks(_ kind: String) -> [String] {
    text.components(separatedBy: "```\(kind)\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
  }

  @Test("The example does what the README shows, with and without the mistake")
  func example() async throws {
    let folder = try TemporaryFolder()
    let document = try #require(Self.blocks("yaml").first)
    let sessions = Self.blocks("console")
    #expect(sessions.count == 2)
    for session in sessions {
      let lines = session.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let command = try #require(lines.first?.split(separator: " ").map(String.init))
      #expect(command.prefix(2) == ["$", "showcaller"])
      // The second session is about the misspelled document.
      let isMisspelled = command[2] == "check"
      _ = try folder.write("skip.yaml", isMisspelled ? document.replacing("load: film", with: "laod: film") : document)
      let finished = try await Showcaller.start(Array(command.dropFirst(2)), in: folder.url).finish()
      #expect(finished.exitCode == (isMisspelled ? 3 : 0), "\(finished.errors)")
      #expect(finished.output == lines.dropFirst().joined(separator: "\n"))
    }
  }

  @Test("The example passes on a virtual receiver")
  func runs() async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write("skip.yaml", try #require(Self.blocks("yaml").first))
    let finished = try await Showcaller.run(
      "run", "--virtual", "--speed", "20x", "--runs", folder.path("runs"), document)
    #expect(finished.exitCode == 0, "\(finished.errors)")
  }

  @Test("The schema for editors and the explanations that the README names are printed")
  func editorAndExplanations() async throws {
    let schema = try await Showcaller.run("schema")
    #expect(schema.exitCode == 0)
    let json = try JSONSerialization.jsonObject(with: Data(schema.output.utf8)) as? [String: Any]
    #expect(json?["$schema"] as? String == "http://json-schema.org/draft-07/schema#")
    let words = Self.text.matches(of: /explain ([A-Za-z0-9]+)`/).map { String($0.1) }
    #expect(words.count == 2)
    for word in words {
      let page = try await Showcaller.run("explain", word)
      #expect(page.exitCode == 0 && page.output.contains(word), "explain \(word)")
    }
  }

  @Test("Every make target and every linked file of the README is there")
  func targetsAndLinks() throws {
    let makefile = try String(contentsOf: Showcaller.root.appending(path: "Makefile"), encoding: .utf8)
    let targets = Self.text.matches(of: /make ([a-z]+)/).map { String($0.1) }
    #expect(targets.contains("demo") && targets.contains("test"))
    for target in targets where target != "alone" { #expect(makefile.contains("\n\(target):"), "make \(target)") }
    let links = Self.text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }
    #expect(links.count >= 5)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: Showcaller.root.appending(path: link).path), "\(link)")
    }
  }
}
