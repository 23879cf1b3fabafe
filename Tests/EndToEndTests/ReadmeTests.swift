import CastProtocol
import Foundation
import Testing

/// The README and the pages behind it are a promise: their examples compile, and their commands print what they show.
@Suite(.serialized) struct ReadmeTests {
  static let text = (try? String(contentsOf: Showcaller.root.appending(path: "README.md"), encoding: .utf8)) ?? ""

  @Test("Whoever types the blocks of the README from top to bottom gets what it shows")
  func blocks() async throws {
    let blocks = DocumentedBlock.all(of: "README.md")
    #expect(Set(blocks.map(\.kind)) == ["sh", "yaml", "console", "crontab"])
    let lines = blocks.flatMap { $0.text.split(separator: "\n") }
    let receivers = lines.filter { $0.hasPrefix("showcaller receive ") && $0.hasSuffix("&") }
    let receiver = try #require(receivers.count == 1 ? receivers.first : nil)
    let reader = try await Reader(startingWith: String(receiver.dropLast()))
    for block in blocks {
      let problems = try await reader.problems(following: block)
      #expect(problems == [])
    }
    let schema = try Data(contentsOf: reader.folder.url.appending(path: "showcaller.schema.json"))
    let json = try JSONSerialization.jsonObject(with: schema) as? [String: Any]
    #expect(json?["$schema"] as? String == "http://json-schema.org/draft-07/schema#")
    try await reader.end()
  }

  @Test("A block that shows something else than what comes is told")
  func wrongBlocks() async throws {
    let reader = try await Reader()
    let bad: [(kind: String, text: String)] = [
      ("console", "$ showcaller check examples/hello.yaml\nvalid\n"), ("sh", "showcaller check nowhere.yaml\n"),
      ("sh", "make nothing\n"), ("crontab", "* * * * * showcaller seek +30s -d Nobody || logger exit $?\n"),
      ("crontab", "* * * showcaller status\n"),
      ("crontab", "0 7 * * * showcaller --version %\n"), ("yaml", "scenario: A\n"), ("text", "?\n"),
    ]
    for (kind, text) in bad {
      let block = DocumentedBlock(kind: kind, file: "bad.yaml", text: text, line: 1)
      #expect(try await reader.problems(following: block).count == 1, "\(kind): \(text)")
    }
    try await reader.end()
  }

  @Test("The commands of the page on one-line commands do what they say, as they are written")
  func oneLine() async throws {
    let reader = try await Reader()
    _ = try await reader.type("mkdir -p .config/showcaller; echo '127.0.0.1 Living Room TV' > .config/showcaller/hosts")
    let blocks = DocumentedBlock.all(of: "docs/one-line.md")
    #expect(!blocks.isEmpty)
    for block in blocks { #expect(try await reader.problems(following: block) == []) }
    try await reader.end()
  }

  @Test("The commands of the page on playlists print what it shows")
  func playlists() async throws {
    let reader = try await Reader()
    let blocks = DocumentedBlock.all(of: "docs/language/playlist.md").filter { $0.kind != "yaml" }
    #expect(blocks.map(\.kind) == ["console", "console", "sh", "console", "console", "console"])
    for block in blocks {
      let problems = try await reader.problems(following: block)
      #expect(problems == [])
    }
    try await reader.end()
  }

  @Test("The settings that the reference shows are read, and mean what it says")
  func settings() async throws {
    let blocks = DocumentedBlock.all(of: "docs/reference.md")
    #expect(blocks.map(\.kind) == ["yaml"])
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/config.yaml", try #require(blocks.first).text)
    let config = try await Showcaller.run("config", environment: ["XDG_CONFIG_HOME": folder.url.path])
    #expect(config.exitCode == 0 && config.errors.isEmpty, "\(config.errors)")
    for word in ["kitchen", "require", "Kitchen speaker", "192.0.2.14"] {
      #expect(config.output.contains(word), "\(word)\n\(config.output)")
    }
  }

  @Test("The event that the page on runs shows has the members of every event, and the drawing of a problem is one")
  func shown() throws {
    let events = DocumentedBlock.all(of: "docs/runs.md")
    #expect(events.map(\.kind) == ["json"])
    for line in events.flatMap({ $0.text.split(separator: "\n") }) {
      let event = try JSONValue(parsing: String(line))
      #expect(event["v"] == 1 && event["n"]?.int != nil && event["e"]?.number != nil && event["type"]?.string != nil)
    }
    let drawing = try #require(DocumentedBlock.all(of: "docs/language/codes.md").first).text
    #expect(DocumentedBlock.all(of: "README.md").contains { $0.kind == "console" && $0.text.hasSuffix(drawing) })
  }

  @Test("The explanations that the README names are printed")
  func explanations() async throws {
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
    let targets = Self.text.matches(of: /`?make ([a-z]+)/).map { String($0.1) }
    #expect(targets.contains("demo") && targets.contains("test") && targets.contains("build"))
    for target in targets where target != "alone" { #expect(makefile.contains("\n\(target):"), "make \(target)") }
    let links = Self.text.matches(of: /\]\(([^)#]+)(?:#[^)]*)?\)/).map { String($0.1) }
    #expect(links.count >= 10)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: Showcaller.root.appending(path: link).path), "\(link)")
    }
  }
}
