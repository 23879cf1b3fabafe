import CastProtocol

/// Reads the words behind a command with the readers of documents, each word once, at its place on the command line.
///
/// What a command means by its words becomes steps as a document has them, checked by the same tables.
package struct CommandReader {
  /// What the words come to.
  package struct Reading {
    /// The steps in their order.
    package var steps: [Plan.Step]
    /// What is wrong with the words, by place; nothing may be done where one of them is an error.
    package var problems: [Diagnostic]
    /// The command line and the lists, for messages that quote them.
    package var sources: [SourceFile]

    package var isSound: Bool { !problems.contains { $0.severity == .error } }
  }

  /// The steps that were read so far; those of words that are wrong are left out.
  package var steps: [Plan.Step] = []
  private let line: CommandLineText
  private var compiler: StepCompiler
  private var lists: [SourceFile] = []

  /// - Parameter timeouts: How long steps may take that do not say.
  package init(_ line: CommandLineText, timeouts: Plan.Timeouts) {
    self.line = line
    var problems = DiagnosticCollector()
    let definitions = Definitions(
      DecodedMap([], span: line.span, as: Language.scenario), names: DefinedNames(), fileExists: { _ in true },
      reportingTo: &problems)
    compiler = StepCompiler(definitions: definitions, problems: problems)
    compiler.defaults.timeouts = timeouts
  }

  /// Some words are from this file.
  package mutating func note(_ list: SourceFile) { lists.append(list) }

  // MARK: reading

  /// Reads one step and adds it to the others.
  package mutating func add(_ verb: String, _ value: CommandValue? = nil) {
    let key = YAMLNode.Key(text: verb, span: line.span)
    let nothing = YAMLNode(.scalar(.init(text: "", style: .plain)), span: line.span)
    let pair = YAMLNode.Pair(key: key, value: value.map { node($0) } ?? nothing)
    let step = YAMLNode(.mapping([pair]), span: line.span)
    compiler.withChecker { _ = $0.checkStep(step) }
    guard let decoded = DecodedStep(step) else { return }
    compiler.offset = steps.count
    steps += compiler.steps([decoded], prefix: "s")
  }

  /// Waits for the end of what plays, and judges whether that was its own end.
  /// - Parameter limit: How long it may play; `nil`: a film is as long as it is.
  package mutating func addWaitForTheEnd(atMost limit: Duration?) {
    add("wait_until", .map([("player", .fixed("idle"))]))
    add("expect", .map([("idle_reason", .fixed("finished"))]))
    for index in steps.indices {
      switch steps[index].action {
      case .waitUntil:
        steps[index].timeout = limit ?? Self.longest
        // A connection that breaks meanwhile is made anew, as often as it takes.
        steps[index].retry.attempts = Self.mostReconnects
        steps[index].retry.errors = [.connectionLost]
      case .expect(var action):
        action.within = .zero
        steps[index].action = .expect(action)
      default: break
      }
    }
  }

  private static let longest = Duration.seconds(30 * 86_400)
  private static let mostReconnects = 1_000

  /// Reads a duration; `nil` where it is none, which is then told.
  /// - Parameter name: What it is the value of.
  package mutating func duration(_ word: String, of name: String) -> Duration? {
    let node = node(.word(word))
    var isSound = false
    compiler.withChecker { isSound = $0.check(node, as: .duration, field: .init(name: name)) }
    guard isSound else { return nil }
    return try? DurationScalar.read(word)
  }

  /// Reads by how many percent points something changes, up or down; `nil` where the word does not say, which is then
  /// told.
  /// - Parameter name: What changes.
  package mutating func change(_ word: String, of name: String) -> Double? {
    let node = node(.signed(word))
    guard let amount = node.text, !amount.isEmpty else {
      compiler.withChecker { _ = $0.check(node, as: .share, field: .init(name: name)) }
      return nil
    }
    let sign = word.hasPrefix("-") ? "-" : "+"
    do throws(ScalarProblem) {
      let points = try NumberScalar.percent(amount, in: 0...100, field: name, sign: sign)
      return sign == "-" ? -points : points
    } catch {
      compiler.problems.report(Diagnostic(error, at: node))
      return nil
    }
  }

  /// What came out.
  package var finished: Reading {
    let sources = [line.source] + lists
    let problems = compiler.problems.finished(file: SourceSpan.commandLine, in: sources)
    return Reading(steps: steps, problems: problems.map(\.forCommandLine), sources: sources)
  }

  // MARK: nodes

  private mutating func node(_ value: CommandValue) -> YAMLNode {
    switch value {
    case .word(let text): typed(text, at: line.span(of: text))
    case .signed(let text): typed(String(text.dropFirst()), at: line.span(of: text))
    case .listed(let text, let span): typed(text, at: span)
    case .fixed(let text): typed(text, at: line.span)
    case .json(let json): node(json)
    case .map(let entries): map(entries) { [line] _ in line.span }
    case .typedMap(let entries): map(entries) { [line] in line.span(of: $0) }
    case .list(let items): YAMLNode(.sequence(items.map { node($0) }), span: line.span)
    }
  }

  private func typed(_ text: String, at span: SourceSpan) -> YAMLNode {
    YAMLNode(.scalar(.init(text: text, style: .typed)), span: span)
  }

  private mutating func map(
    _ entries: [(key: String, value: CommandValue)], place: (String) -> SourceSpan
  ) -> YAMLNode {
    var pairs: [YAMLNode.Pair] = []
    for entry in entries {
      let key = YAMLNode.Key(text: entry.key, span: place(entry.key))
      if let first = pairs.first(where: { $0.key.text == key.text }) {
        compiler.problems.report(.duplicate(key, first: first.key.span))
      } else {
        pairs.append(YAMLNode.Pair(key: key, value: node(entry.value)))
      }
    }
    return YAMLNode(.mapping(pairs), span: line.span)
  }

  /// Free data: its texts are texts whatever they look like.
  private mutating func node(_ json: JSONValue) -> YAMLNode {
    switch json {
    case .string(let text): typed(text, at: line.span)
    case .array(let items): YAMLNode(.sequence(items.map { node($0) }), span: line.span)
    case .object(let object): map(object.members.map { ($0.name, .json($0.value)) }) { [line] _ in line.span }
    default: YAMLNode(.scalar(.init(text: json.serialized(), style: .plain)), span: line.span)
    }
  }
}
