import CastProtocol
import Testing

@testable import ScenarioLanguage

/// What a run's folder keeps of its documents is read back as it was.
@Suite struct StoredDocumentsTests {
  struct Compiled: Sendable, CustomTestStringConvertible {
    var document: RunnableDocument
    var testDescription: String { document.file }
  }

  private static func compiled(_ source: SourceFile, _ inputs: PlanCompiler.Inputs) -> Compiled? {
    let outcome = PlanCompiler.compile(source, inputs: inputs)
    guard var document = RunnableDocument(outcome.plans) else { return nil }
    document.sources = outcome.sources
    document.warnings = outcome.diagnostics.count
    document.inputs.settings = [.init("speed", "1.5")]
    document.inputs.variableFiles = ["vars.yaml"]
    document.inputs.secrets = [.init("token", "@token.txt")]
    document.inputs.row = document.rows[0].row.map(\.argument)
    return Compiled(document: document)
  }

  /// What the pages of the language show.
  private static var shown: [SourceFile] {
    let pages = TestFiles.names(in: "\(TestFiles.root)/docs/language").map { "docs/language/\($0)" }
    return (pages + ["README.md", "docs/reference.md"]).flatMap { page -> [SourceFile] in
      let text = String(decoding: TestFiles.bytes("\(TestFiles.root)/\(page)") ?? [], as: UTF8.self)
      let blocks = text.split(separator: "```yaml", omittingEmptySubsequences: false).dropFirst()
      return blocks.enumerated().compactMap { number, block in
        guard let start = block.firstIndex(of: "\n"), let end = block.firstRange(of: "\n```") else { return nil }
        let yaml = block[block.index(after: start)..<end.lowerBound] + "\n"
        return SourceFile(name: "\(page)-\(number).yaml", bytes: Array(yaml.utf8))
      }
    }
  }

  /// Every document of this repository that can be run.
  static let documents: [Compiled] = {
    let valid = TestFiles.valid.compactMap { compiled($0.source, TestFiles.inputs) }
    let own = OwnGolden.names.compactMap { name in
      try? compiled(OwnGolden.document(name), OwnGolden.inputs(name))
    }
    return valid + own + shown.compactMap { compiled($0, TestFiles.inputs) }
  }()

  private static let limits = JSONValue.Limits(depth: JSONValue.decodingDepth, length: 32 << 20)

  private static func readBack(_ document: RunnableDocument) throws -> RunnableDocument {
    let text = try StoredDocuments.json(of: [document]).serialized()
    let json = try JSONValue(parsing: text, limits: limits)
    let read = try StoredDocuments.read(json) { path in document.sources.first { $0.name == path } }
    #expect(try StoredDocuments.json(of: read).serialized() == text)
    #expect(read.count == 1)
    return try #require(read.first)
  }

  @Test("Every document that can be run is read back as it was, all its rows", arguments: documents)
  func roundTrip(compiled: Compiled) throws {
    let document = compiled.document
    let read = try Self.readBack(document)
    #expect(read == document)
    // Equality of JSON does not look at the order of members.
    #expect(read.json.serialized() == document.json.serialized())
    #expect(read.rows.map { PlanWire($0).lines } == document.rows.map { PlanWire($0).lines })
  }

  @Test("They are many, have several rows, and use every verb")
  func coverage() {
    let rows = Self.documents.flatMap(\.document.rows)
    #expect(Self.documents.count > 30, "\(Self.documents.count)")
    #expect(Self.documents.contains { $0.document.rows.count > 1 })
    #expect(Set(LanguageSchema.verbs.map(\.name)).subtracting(rows.flatMap(\.allSteps).map(\.verb)) == [])
    #expect(rows.contains { !$0.schedules.isEmpty } && rows.contains { !$0.secrets.isEmpty })
    #expect(rows.contains { !$0.roles.isEmpty } && rows.contains { $0.devices != nil })
  }

  @Test("What only one-line commands say comes back, too")
  func oneLine() throws {
    let span = SourceSpan(file: SourceSpan.commandLine, line: 1, column: 12, endLine: 1, endColumn: .max)
    var plan = Plan(id: "send", title: "send", file: "", device: Plan.DeviceSelector(span: span))
    var launch = Plan.LaunchAction(appID: "A1B2C3D4")
    launch.appTypes = ["WEB", "ANDROID_TV"]
    var send = Plan.SendAction(namespace: "urn:x-cast:com.example", message: .null)
    send.waitsForApp = true
    for (index, payload) in [Plan.SendAction.Payload.text("no JSON"), .bytes([0, 255])].enumerated() {
      send.payload = payload
      plan.steps.append(
        Plan.Step(
          id: "s\(index)", name: "send", verb: "send", action: .send(send), timeout: .milliseconds(1_234_567),
          span: span))
    }
    plan.steps.append(
      Plan.Step(id: "s3", name: "launch", verb: "launch", action: .launch(launch), timeout: .zero, span: span))
    #expect(try Self.readBack(RunnableDocument(plan)) == RunnableDocument(plan))
  }

  // MARK: Damage

  private static func example() throws -> RunnableDocument {
    let source = SourceFile(
      name: "a.yaml",
      bytes: Array(
        """
        scenario: A
        device: TV
        schedule: [{ cron: "30 2 * * mon-fri", timezone: Europe/Oslo }]
        steps:
          - load: https://cdn.example.com/a.mp4
            retry: 2
          - expect: { title: { matches: "^A" } }
            within: 5s

        """.utf8))
    return try #require(compiled(source, Golden.inputs)?.document)
  }

  private static func read(_ json: JSONValue) throws(JSONDecodingError) -> [RunnableDocument] {
    try StoredDocuments.read(json) { $0 == "a.yaml" ? SourceFile(name: $0, bytes: []) : nil }
  }

  private static let row = "documents[0].rows[0]"
  static let damages: [(old: String, new: String, path: String, message: String)] = [
    (#""v":1"#, #""v":2"#, "v", "it is not 1: another version of showcaller wrote it"),
    (#""v":1,"#, "", "v", "it is not 1: another version of showcaller wrote it"),
    (#""documents":"#, #""document":"#, "documents", "it is missing"),
    (#""documents":[{"rows":"#, #""documents":[{"row":"#, "documents[0].rows", "it is missing"),
    (#""id":"a","#, "", "\(row).id", "it is missing"), (#""id":"a","#, #""id":7,"#, "\(row).id", "it is no text"),
    (#""load":{"#, #""fly":{"#, "\(row).steps[0].action", "Invalid number of keys found, expected one."),
    (
      #""ifFails":"stop""#, #""ifFails":"panic""#, "\(row).steps[0].ifFails",
      "Cannot initialize IfFails from invalid String value panic"
    ),
    (#""attempts":2"#, #""attempts":2.5"#, "\(row).steps[0].retry.attempts", "it is no whole number"),
    (#""within":5"#, #""within":"5s""#, "\(row).steps[1].action.expect._0.within", "it is no duration"),
    (
      #""matches":{"_0":"^A"}"#, #""matches":{"_0":"("}"#,
      "\(row).steps[1].action.expect._0.condition.field._1.matches._0", "a group is not closed"
    ),
    (#"30 2 * * mon-fri"#, #"30 2 * *"#, "\(row).schedules[0].recurrence.cron._0", "a cron time has five fields"),
    (#""sources":["a.yaml""#, #""sources":["b.yaml""#, "documents[0].sources[0]", "there is no file b.yaml"),
  ]

  @Test("What is damaged is told by the way to it", arguments: damages)
  func damage(old: String, new: String, path: String, message: String) throws {
    let text = try StoredDocuments.json(of: [Self.example()]).serialized()
    let range = try #require(text.firstRange(of: old), "\(text)")
    let json = try JSONValue(parsing: text.replacingCharacters(in: range, with: new))
    do throws(JSONDecodingError) {
      _ = try Self.read(json)
      Issue.record("it was read")
    } catch {
      #expect(error.path == path)
      #expect(error.message.hasPrefix(message), "\(error.message)")
    }
  }

  @Test("A document without rows is refused")
  func empty() throws {
    var json = try StoredDocuments.json(of: [Self.example()])
    var document = try #require(json["documents"]?.array?.first?.object)
    document["rows"] = []
    json = ["v": 1, "documents": [.object(document)]]
    #expect(throws: JSONDecodingError(path: "documents[0].rows", message: "it is empty")) { try Self.read(json) }
  }

  @Test("Whatever stands in the place of any part, it is read or refused, and never traps")
  func hostile() throws {
    let json = try StoredDocuments.json(of: [Self.example()])
    let others: [JSONValue] = [
      .null, true, -1, .int(.max), 1e300, "", "\u{0}", [], [.null], [1, 2, 3, 4, 5], [:], ["_0": [:]],
    ]
    var refused = 0
    var count = 0
    for path in json.places {
      for other in others {
        count += 1
        do throws(JSONDecodingError) {
          for document in try Self.read(json.replacing(path[...], with: other)) { _ = document.json }
        } catch {
          refused += 1
        }
      }
    }
    #expect(count > 1000 && refused > count / 2, "\(refused) of \(count)")
  }

  @Test("A text that is cut anywhere is refused")
  func truncated() throws {
    let bytes = Array(try StoredDocuments.json(of: [Self.example()]).serialized().utf8)
    for length in stride(from: 0, to: bytes.count, by: 7) {
      #expect(throws: ProtocolError.self) { try JSONValue(parsing: Array(bytes[..<length])) }
    }
  }

  @Test("Steps and conditions as deep as documents may have them are read back, deeper ones are refused")
  func depth() throws {
    var plan = try #require(Self.example().rows.first)
    var condition = Condition.field(FieldPath(["title"]), .exists(true), span: plan.steps[0].span)
    for _ in 0..<63 { condition = .not(condition) }
    plan.steps[1].condition = condition
    for _ in 1...UnrollCost.Limit.depth {
      var outer = plan.steps[1]
      outer.action = .group(Plan.GroupAction(steps: [plan.steps[1]]))
      plan.steps[1] = outer
      plan.steps[1].condition = nil
    }
    #expect(try Self.readBack(RunnableDocument(plan)) == RunnableDocument(plan))
    let json = try StoredDocuments.json(of: [Self.example()])
    let place = "documents 0 rows 0 steps 1 action expect _0 condition".split(separator: " ").map(String.init)
    var deep = try #require(place.reduce(json) { $0[$1] ?? $0.array?[Int($1) ?? 0] ?? .null })
    for _ in 0..<JSONValue.decodingDepth { deep = ["not": ["_0": deep]] }
    #expect {
      try Self.read(json.replacing(place[...], with: deep))
    } throws: { ($0 as? JSONDecodingError)?.message == "it lies too deep" }
  }
}

extension JSONValue {
  /// The way to each part, as names and numbers.
  fileprivate var places: [[String]] {
    switch self {
    case .array(let elements):
      [[]] + elements.enumerated().flatMap { index, element in element.places.map { [String(index)] + $0 } }
    case .object(let object): [[]] + object.members.flatMap { member in member.value.places.map { [member.name] + $0 } }
    default: [[]]
    }
  }

  fileprivate func replacing(_ path: ArraySlice<String>, with other: JSONValue) -> JSONValue {
    guard let first = path.first else { return other }
    switch self {
    case .array(var elements):
      if let index = Int(first) { elements[index] = elements[index].replacing(path.dropFirst(), with: other) }
      return .array(elements)
    case .object(var object):
      object[first] = object[first]?.replacing(path.dropFirst(), with: other)
      return .object(object)
    default: return self
    }
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
