import Testing

@testable import ScenarioLanguage

/// What an editor offers where `|` stands.
@Suite struct OfferTests {
  private static func offer(_ text: String, lastReadable: String? = nil) -> (labels: [String], replaced: String)? {
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let before = parts[0]
    let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
    let source = SourceFile(name: "a.yaml", bytes: Array((before + parts[1]).utf8))
    let last = lastReadable.map { SourceFile(name: "a.yaml", bytes: Array($0.utf8)) }
    let edited = EditedDocument(source, lastReadable: last, inputs: PlanCompiler.Inputs())
    guard let offer = edited.offer(line: lines.count, column: lines[lines.count - 1].unicodeScalars.count + 1) else {
      return nil
    }
    let line = Array(lines[lines.count - 1].unicodeScalars)
    let replaced = String(String.UnicodeScalarView(line[(offer.replaced.column - 1)...]))
    return (offer.candidates.map(\.label), replaced)
  }

  private static let head = "scenario: S\ndevice: TV\n"

  @Test(
    "What may stand at a place is offered, in block and in flow form",
    arguments: [
      ("|", "scenario"), ("sce|", "scenario"), (head + "ste|", "steps"), (head + "steps:\n  - pl|", "play"),
      (head + "steps:\n  - load: film\n    with|", "id"),
      (head + "steps:\n  - expect: { player: playing }\n    with|", "within"),
      (head + "steps: [pl|", "play"), (head + "steps:\n  - expect: { pl|", "player"),
      (head + "steps:\n  - expect: { player: pla|", "playing"),
      (head + "steps:\n  - expect:\n      player: |", "playing"),
      (head + "steps:\n  - expect: { position: { m|", "min"),
      (head + "steps:\n  - expect: { player: { one_of: [pl|", "playing"),
      (head + "media:\n  film: { url: https://e.com/a.mp4 }\nsteps:\n  - load: f|", "film"),
      (head + "media:\n  film: { url: https://e.com/a.mp4 }\nsteps:\n  - load: { media: f|", "film"),
      (head + "media:\n  film:\n    str|", "stream"), (head + "media:\n  film: { stream: l|", "live"),
      (head + "retry: { before: re|", "reconnect"), (head + "vars: { n: 1 }\nsteps:\n  - log: \"x ${|", "n"),
      (head + "secrets: { t: { env: T } }\nsteps:\n  - log: ${se|", "secret.t"),
      (head + "blocks:\n  intro: { steps: [play] }\nsteps:\n  - use: |", "intro"),
      ("scenario: S\ninventory:\n  lobby: { name: Lobby }\ndevice: l|", "lobby"),
      (head + "steps:\n  - group:\n      steps:\n        - st|", "stop"),
      (head + "steps:\n  - expect: { device: x,\n      pl|", "player"),
      (head + "steps:\n  - mute: t|", "true"), (head + "session: { join: |", "auto"),
      ("playlist: P\nprogram:\n  - pl|", "play"), ("playlist: P\nprogram:\n  - during: |", "any_time"),
      (head + "vars:\n  n: { ty|", "type"), (head + "blocks:\n  b:\n    params:\n      n: { de|", "default"),
      ("library: L\nreceiver: { mo|", "model"),
    ])
  func offered(text: String, label: String) throws {
    let offer = try #require(Self.offer(text), "\(text)")
    #expect(offer.labels.contains(label), "\(text): \(offer.labels)")
  }

  @Test(
    "What stands there already, or beside what excludes it, is not offered again",
    arguments: [
      (head + "steps: [play]\n|", "steps"), (head + "|", "playlist"), (head + "steps:\n  - load: film\n    |", "play"),
      (head + "steps:\n  - play:\n    |", "within"), (head + "watch: [{ always: {}, |", "never"),
    ])
  func notOffered(text: String, label: String) throws {
    let offer = try #require(Self.offer(text), "\(text)")
    #expect(!offer.labels.contains(label))
    #expect(!offer.labels.isEmpty)
  }

  @Test(
    "Nothing is offered in a comment, behind a colon without a space, or where anything may stand",
    arguments: [
      head + "# st|", head + "steps:|", head + "steps:\n  -|", head + "description: some wo|",
    ])
  func nothing(text: String) { #expect(Self.offer(text)?.labels.isEmpty ?? true) }

  @Test(
    "Only what is typed of the word is replaced",
    arguments: [
      (head + "steps:\n  - expect: { player: pla|", "pla"), (head + "steps:\n  - log: \"${na|", "na"),
      (head + "ste|", "ste"),
      (head + "steps:\n  - load: |", ""), (head + "steps:\n  - load: \"fi|", "fi"),
    ])
  func replaced(text: String, word: String) throws {
    #expect(try #require(Self.offer(text + "\"")).replaced == word)
  }

  @Test("What is defined below is known from the last text that was YAML")
  func lastReadable() throws {
    let media = "media:\n  film: { url: https://e.com/a.mp4 }\n"
    let text = Self.head + "steps:\n  - load: |\n  - { \n" + media
    let offer = try #require(Self.offer(text, lastReadable: Self.head + "steps: [play]\n" + media))
    #expect(offer.labels == ["film"])
  }

  @Test("Every place of every example can be asked for, whatever is typed there")
  func anywhere() {
    let text =
      Self.head
      + "vars: { a: [1, \"x\"] }\nsteps:\n  - expect: { any: [{ player: playing }, { position: { min: 1s } }] }\n    within: ${a}\n"
    for end in text.indices {
      for tail in ["", " ", "{", "[", "\"", "'", "${", "-", ":", "#", "\t", "|"] {
        let typed = String(text[..<end]) + tail
        let lines = typed.split(separator: "\n", omittingEmptySubsequences: false)
        let edited = EditedDocument(
          SourceFile(name: "a.yaml", bytes: Array(typed.utf8)), inputs: PlanCompiler.Inputs())
        _ = edited.offer(line: lines.count, column: (lines.last?.unicodeScalars.count ?? 0) + 1)
        _ = edited.explanation(line: lines.count, column: 3)
        _ = edited.definition(line: lines.count, column: 3)
      }
    }
  }

  @Test(
    "The page of a key is that of the place where it stands",
    arguments: [
      ("vars: { n: { type: int } }", 5, 14, "the key `type` of"),
      ("steps: [{ expect: { break: { clip: a } } }]", 3, 32, "break.clip"),
      ("media: { a: { type: video/mp4 } }", 3, 17, "the key `type` of a media"),
      ("steps: [{ load: a, timeout: 5s }]", 3, 22, "the key `timeout` of a step"),
    ])
  func pages(line: String, number: Int, column: Int, part: String) throws {
    let text = Self.head + (number == 5 ? "tags: [x]\nid: y\n" : "") + line + "\n"
    let edited = EditedDocument(
      SourceFile(name: "a.yaml", bytes: Array(text.utf8)), inputs: PlanCompiler.Inputs())
    #expect(try #require(edited.explanation(line: number, column: column)).text.contains(part))
  }
}
