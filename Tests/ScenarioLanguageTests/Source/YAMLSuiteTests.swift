import Glibc
import Testing

@testable import ScenarioLanguage

/// The public YAML test suite (the layout of its `data` branch: `ID/in.yaml`, `ID/test.event`, `ID/error`), read from
/// the folder that `SHOWCALLER_YAML_SUITE` names. Nothing of it is in this repository.
@Suite struct YAMLSuiteTests {
  struct Sample: Sendable {
    var name: String
    var bytes: [UInt8]
    /// The suite calls it an error.
    var isError: Bool
    var events: String
  }

  static let folder: String? = getenv("SHOWCALLER_YAML_SUITE").map { String(cString: $0) }

  static let samples: [Sample] = {
    guard let folder else {
      print("YAML TEST SUITE NOT READ: set SHOWCALLER_YAML_SUITE to a checkout of its `data` branch")
      return []
    }
    var samples: [Sample] = []
    for name in TestFiles.names(in: folder) where name.utf8.count == 4 && name != "name" && name != "tags" {
      let path = "\(folder)/\(name)"
      let parts = TestFiles.bytes("\(path)/in.yaml") == nil ? TestFiles.names(in: path).map { "/\($0)" } : [""]
      for part in parts {
        guard let bytes = TestFiles.bytes("\(path)\(part)/in.yaml") else { continue }
        let events = TestFiles.bytes("\(path)\(part)/test.event") ?? []
        samples.append(
          Sample(
            name: name + part, bytes: bytes, isError: TestFiles.bytes("\(path)\(part)/error") != nil,
            events: String(decoding: events, as: UTF8.self)))
      }
    }
    return samples
  }()

  /// How a document of the suite fares with us.
  enum Verdict: Hashable {
    case accepted
    /// By a rule of ours, although it is YAML.
    case refused(String)
    /// Neither libyaml nor we read it.
    case noYAML
    case wrong(String)
  }

  static func verdict(_ sample: Sample) -> Verdict {
    let problems = DiagnosticCollector()
    let document = YAMLParser.parse(SourceFile(name: sample.name, bytes: sample.bytes), reportingTo: problems)
    let found = problems.finished()
    let errors = found.filter { $0.severity == .error }
    let events = EventTree.events(sample.bytes)
    guard errors.isEmpty else {
      if events == nil { return .noYAML }
      // What libyaml reads and we do not is refused by a rule, never by a complaint about syntax.
      return errors.contains { $0.code == .y309 }
        ? .wrong("syntax error for what libyaml reads") : .refused(errors[0].code.rawValue)
    }
    guard let document else { return .wrong("neither a tree nor a message") }
    guard let events else { return .wrong("a tree for what libyaml does not read") }
    guard let expected = tree(events) else { return .wrong("libyaml's events are not one tree") }
    return expected == EventTree(document.root) ? .accepted : .wrong("another tree than libyaml's events")
  }

  @Test("What we accept is what libyaml's events say, and all else is refused by a rule", .enabled(if: folder != nil))
  func agreement() {
    var counts: [String: Int] = [:]
    for sample in Self.samples {
      let verdict = Self.verdict(sample)
      switch verdict {
      case .accepted: counts["accepted", default: 0] += 1
      case .refused(let code): counts["refused \(code)", default: 0] += 1
      case .noYAML: counts[sample.isError ? "no YAML" : "YAML that libyaml does not read", default: 0] += 1
      case .wrong(let why):
        counts["wrong", default: 0] += 1
        Issue.record("\(sample.name): \(why)\n\(String(decoding: sample.bytes, as: UTF8.self))")
      }
      // Where libyaml reads what the suite calls an error, we follow libyaml.
      if sample.isError, verdict == .accepted { counts["accepted against the suite", default: 0] += 1 }
    }
    print("YAML test suite, \(Self.samples.count) documents:")
    for (what, count) in counts.sorted(by: { $0.key < $1.key }) { print("  \(what): \(count)") }
    #expect(Self.samples.count > 300)
  }

  @Test("fmt keeps the meaning of every document of the suite that we accept", .enabled(if: folder != nil))
  func formatting() {
    var count = 0
    for sample in Self.samples where Self.verdict(sample) == .accepted {
      guard case .formatted(let once) = DocumentFormatter.format(SourceFile(name: sample.name, bytes: sample.bytes))
      else {
        Issue.record("\(sample.name) is not formatted\n\(String(decoding: sample.bytes, as: UTF8.self))")
        continue
      }
      #expect(YAMLEvent.areSame(once, sample.bytes))
      guard case .formatted(let twice) = DocumentFormatter.format(SourceFile(name: sample.name, bytes: once)) else {
        Issue.record("\(sample.name) is not formatted again\n\(String(decoding: once, as: UTF8.self))")
        continue
      }
      #expect(twice == once, "\(sample.name)")
      count += 1
    }
    print("YAML test suite: \(count) documents formatted")
  }
}

/// A tree of texts and styles, aliases put in: what a composer makes of events.
indirect enum EventTree: Equatable {
  case scalar(String, YAMLNode.Scalar.Style)
  case list([EventTree])
  /// Keys and values in turn.
  case map([EventTree])

  init(_ node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar): self = .scalar(scalar.text, scalar.style)
    case .sequence(let items): self = .list(items.map { EventTree($0) })
    case .mapping(let pairs): self = .map(pairs.flatMap { [.key($0.key.text), EventTree($0.value)] })
    }
  }

  /// Our tree does not keep how a key was quoted.
  /// What the events of a text say; `nil` when it is no YAML.
  static func events(_ bytes: [UInt8]) -> [YAMLEvent.Content]? {
    let parser = LibYAML(bytes)
    var contents: [YAMLEvent.Content] = []
    while contents.last?.kind != .streamEnd {
      guard let event = try? parser.event() else { return nil }
      contents.append(event.content)
    }
    return contents
  }

  static func key(_ text: String) -> EventTree { .scalar(text, .plain) }
}

extension YAMLSuiteTests {
  /// A composer of its own, to compare ours with: one document's tree from events.
  static func tree(_ events: [YAMLEvent.Content]) -> EventTree? {
    struct Open {
      var isMap: Bool
      var parts: [EventTree] = []
      var anchor: String?
    }
    var stack: [Open] = []
    var anchors: [String: EventTree] = [:]
    var roots: [EventTree] = []
    func add(_ tree: EventTree, _ anchor: String?) {
      if let anchor { anchors[anchor] = tree }
      guard !stack.isEmpty else { return roots.append(tree) }
      var tree = tree
      let isKey = stack[stack.count - 1].isMap && stack[stack.count - 1].parts.count % 2 == 0
      if isKey, case .scalar(let text, _) = tree { tree = .key(text) }
      stack[stack.count - 1].parts.append(tree)
    }
    for event in events {
      switch event.kind {
      case .scalar: add(.scalar(event.text, event.style), event.anchor)
      case .alias:
        guard let tree = anchors[event.anchor ?? ""] else { return nil }
        add(tree, nil)
      case .sequenceStart: stack.append(Open(isMap: false, anchor: event.anchor))
      case .mappingStart: stack.append(Open(isMap: true, anchor: event.anchor))
      case .sequenceEnd, .mappingEnd:
        guard let open = stack.popLast() else { return nil }
        add(open.isMap ? .map(open.parts) : .list(open.parts), open.anchor)
      default: break
      }
    }
    return roots.count == 1 ? roots[0] : nil
  }
}
