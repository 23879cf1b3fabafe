import Foundation
import Testing

/// The editor schema judged by a validator that is not ours.
@Suite struct SchemaTests {
  static let python: URL? = PeerTests.python

  /// K and T errors of golden pairs that no schema can see, and why.
  static let notExpressible = [
    "03-K102": "exactly one verb is for `check` to say: a choice of objects makes editors offer everything twice",
    "11-T206": "an editor's YAML reads 010 as the number 10",
    "101-K101-argument": "a schema does not know the parameters of a block",
    "103-K103-include": "a schema does not see the included file",
    "103-K103-library": "a schema does not see the included file",
    "105-K105-argument": "a schema does not know the parameters of a block",
    "105-K105-first": "a schema knows no order of keys",
    "105-K105-role": "a schema cannot count the roles of the document while it looks at a step",
    "107-K107-otherwise": "a schema cannot say that something must be the last of a list",
    "107-K107-parallel": "a schema cannot compare branches",
    "107-K107-transfer": "a schema cannot compare two values",
    "201-T201-argument": "a schema does not know the parameters of a block",
    "212-T212": "an editor's YAML has typed free data before the schema sees it",
    "213-T213-devices": "a schema cannot compare two values",
    "213-T213-every": "a duration is a text to a schema",
    "213-T213-start": "a schema cannot compare a number with the length of a list",
    "214-T214-date": "a schema has no calendar",
    "214-T214-day-end": "as the end of a window 24:00 is right, and a time is one type",
    "215-T215-item": "a schema does not put values in",
    "216-T216": "a schema cannot compile a regular expression",
    "217-T217": "a schema cannot count within a text",
    "217-T217-never": "a schema has no calendar",
    "218-T218": "a schema has no list of time zones",
    "218-T218-city": "a schema has no list of time zones",
    "220-T220-set": "a schema does not know the types of variables",
    "221-T221": "an editor's YAML reads .5 as the number 0.5",
  ]

  private struct Judgement {
    var word: String
    var path: String
    var line: String
  }

  private func judge(_ paths: [String]) async throws -> [Judgement] {
    let python = try #require(Self.python)
    let schema = try await Showcaller.run("schema")
    #expect(schema.exitCode == 0)
    let file = FileManager.default.temporaryDirectory.appending(path: "showcaller-\(UUID().uuidString).json")
    try Data(schema.output.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let script = Showcaller.root.appending(path: "Tests/EndToEndTests/Peers/schema.py").path
    let peer = try Running(python, [script], in: Showcaller.root)
    peer.send(([file.path] + paths).joined(separator: "\n"))
    peer.closeInput()
    let finished = try await peer.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let judgements = finished.output.split(separator: "\n").map { line in
      let words = line.split(separator: " ", maxSplits: 2).map(String.init)
      return Judgement(word: words[0], path: words[1], line: String(line))
    }
    #expect(judgements.map(\.path) == paths)
    return judgements
  }

  private func documents(_ folder: String) throws -> [String] {
    let folder = Showcaller.root.appending(path: folder).path
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".yaml") }.sorted()
      .map { "\(folder)/\($0)" }
  }

  @Test("jsonschema accepts the schema, every example and every valid golden document", .enabled(if: python != nil))
  func valid() async throws {
    let paths = try [
      "examples", "playlists", "Tests/ScenarioLanguageTests/Fixtures/golden/documents",
      "Tests/ScenarioLanguageTests/Fixtures/valid",
    ].flatMap(
      documents)
    #expect(paths.count >= 6)
    for judgement in try await judge(paths) { #expect(judgement.word == "valid", "\(judgement.line)") }
  }

  @Test("jsonschema refuses every golden document with a mistake in keys or types", .enabled(if: python != nil))
  func invalid() async throws {
    let fixtures = "Tests/ScenarioLanguageTests/Fixtures"
    let paths = try (documents("\(fixtures)/golden/diagnostics") + documents("\(fixtures)/own")).filter { path in
      let name = path.split(separator: "/").last ?? ""
      let code = name.split(separator: "-").dropFirst().first ?? ""
      return (code.hasPrefix("K") || code.hasPrefix("T")) && isError(path)
    }
    #expect(paths.count > 40)
    for judgement in try await judge(paths) {
      let name = String((judgement.path.split(separator: "/").last ?? "").dropLast(5))
      let isSeen = judgement.word != "valid"
      #expect(isSeen == (Self.notExpressible[name] == nil), "\(judgement.line)")
    }
  }

  /// Whether the message of a golden pair is an error: a warning's document is valid.
  private func isError(_ path: String) -> Bool {
    let text = try? String(contentsOfFile: String(path.dropLast(5)) + ".txt", encoding: .utf8)
    return text?.hasPrefix("error") ?? false
  }

  @Test("The schema is the same on every call")
  func deterministic() async throws {
    let first = try await Showcaller.run("schema")
    let second = try await Showcaller.run("schema")
    #expect(first.output == second.output && first.output.utf8.count > 10_000)
  }
}
