import CastProtocol
import Testing

@testable import ScenarioLanguage

/// C508: how long messages are measured.
@Suite struct MessageSizeTests {
  /// The frame's body as a run would send it.
  static func framed(_ request: MediaRequest) -> Int {
    CastMessage(
      source: .sender, destination: EndpointID("2c6d0a3e-54d5-4a4f-9a86-0d8a3a4f7b11"), namespace: .media,
      json: request.json(requestID: Int(Int32.max))
    ).encoded().count
  }

  static func items(_ count: Int) -> [Plan.QueueItem] {
    (1...count).map { number in
      var media = MediaInformation()
      media.contentID = "https://cdn.example.com/\(number)-\"ü\".mp4"
      media.contentType = "video/mp4"
      media.metadata = ["metadataType": 0, "title": .string("\n\(number)")]
      media.customData = ["a": [1, 2.5, .null]]
      return Plan.QueueItem(mediaID: nil, media: media)
    }
  }

  @Test("The size of a QUEUE_LOAD is that of its frame, to the byte", arguments: [1, 2, 90, 700])
  func queueLoad(count: Int) {
    let items = Self.items(count)
    var request = QueueLoadRequest(items: [])
    request.startIndex = 0
    var size = MessageSize(envelopeOf: .queueLoad(request))
    var cache: [String: MessageSize.Measure] = [:]
    for item in items { size.add(item, hasID: false, cache: &cache) }
    request.items = items.map { QueueItem(media: $0.media) }
    let framed = Self.framed(.queueLoad(request))
    // The length field of a short message is shorter than the one reckoned with.
    #expect((0...2).contains(size.bytes - framed))
    #expect(size.fits == (framed <= 65_536))
  }

  @Test("The size of a QUEUE_UPDATE counts the ids of the items", arguments: [1, 300])
  func queueUpdate(count: Int) {
    let items = Self.items(count)
    var request = QueueUpdateRequest()
    request.items = []
    var size = MessageSize(envelopeOf: MediaRequest(.queueUpdate(request), session: Int(Int32.max)))
    var cache: [String: MessageSize.Measure] = [:]
    for item in items { size.add(item, hasID: true, cache: &cache) }
    request.items = items.map { item in
      var wire = QueueItem(media: item.media)
      wire.itemID = Int(Int32.max)
      return wire
    }
    let framed = Self.framed(MediaRequest(.queueUpdate(request), session: Int(Int32.max)))
    #expect((0...2).contains(size.bytes - framed))
  }

  static let counts: [(items: Int, bytes: Int, round: Int?)] = [
    (1, 70_000, nil), (2, 40_000, 1), (10, 10_000, 5), (30, 2_500, 20), (212, 340, 100), (2_000, 70, 500),
  ]

  @Test("The number of items that fit is a round one, for people", arguments: counts)
  func roundCount(items: Int, bytes: Int, round: Int?) {
    var size = MessageSize(envelopeOf: .queueLoad(QueueLoadRequest(items: [])))
    var cache: [String: MessageSize.Measure] = [:]
    var media = MediaInformation()
    media.contentID = String(repeating: "x", count: bytes)
    for _ in 1...items { size.add(Plan.QueueItem(mediaID: "a", media: media), hasID: false, cache: &cache) }
    #expect(size.roundCount == round)
    #expect(size.largestPart?.name == "items[*].media.url")
  }

  /// A library whose list of episodes makes the QUEUE_LOAD as long as golden document 34 says.
  static func episodes() -> String {
    let lines = (1...212).map { number -> String in
      let id = "acme-\(1_000 + number)-hd-eu\(number.isMultiple(of: 2) ? "ro" : "r")"
      let data = String(repeating: "x", count: 226)
      return "    - { content_id: \(id), type: video/mp4, custom: { key: \"\(data)\" } }"
    }
    return "vars:\n  episodes:\n\(lines.joined(separator: "\n"))\n"
  }

  @Test("Golden document 34: a season of 212 episodes is too long for one message")
  func season() throws {
    var inputs = PlanCompiler.Inputs()
    let season = SourceFile(name: "season.yaml", bytes: Array("library: Season\n\(Self.episodes())".utf8))
    inputs.includedFile = { path, _ in path == "season.yaml" ? .success(season) : .failure(.notFound) }
    let outcome = PlanCompiler.compile(try Golden.document("34-C508"), inputs: inputs)
    let rendered = DiagnosticRenderer(sources: outcome.sources).render(outcome.diagnostics)
    #expect(rendered == (try Golden.output("34-C508")))
  }

  @Test("A queue that is too long for other verbs says what to do there", arguments: ["queue_insert", "queue_update"])
  func otherVerbs(verb: String) throws {
    let list = verb == "queue_insert" ? "\"${episodes}\"" : "\"${changes}\""
    let changes = (1...300).map {
      "    - { item: \($0), media: { content_id: a, type: video/mp4, custom: { a: \"\(String(repeating: "x", count: 250))\" } } }"
    }
    let outcome = Compiling.outcome(
      "scenario: S\ndevice: TV\nsteps:\n  - \(verb): { items: \(list) }\n  - expect: { player: playing }\n"
        + (verb == "queue_insert" ? Self.episodes() : "vars:\n  changes:\n" + changes.joined(separator: "\n") + "\n"))
    let problem = try #require(outcome.diagnostics.first)
    #expect(problem.code == .c508)
    #expect(problem.message.hasPrefix("this \(verb.uppercased()) message is "))
    #expect(problem.primary.span.line == 4)
    guard case .help(let help)? = problem.footers.first else {
      Issue.record("no help")
      return
    }
    #expect(help.hasPrefix(verb == "queue_insert" ? "insert the first 100 and" : "replace the first 100 and"))
  }
}
