package import CastProtocol

/// Reads the words behind a command, each once and at its place on the command line, with the readers of documents.
///
/// It answers typed values, and `nil` for a wrong word, which gets the same diagnostic as in a document.
package struct CommandReader {
  /// What came of reading.
  package struct Findings {
    /// What is wrong with the words, by place; nothing may be done where one of them is an error.
    package var problems: [Diagnostic]
    /// The command line and the lists, for messages that quote them.
    package var sources: [SourceFile]

    package var isSound: Bool { !problems.contains { $0.severity == .error } }
  }

  let line: CommandLineText
  /// Reads what several words say together; it compiles a step only where a command has all keys of one.
  var compiler: StepCompiler
  private var lists: [SourceFile] = []
  private let names: @Sendable (String) -> Plan.DeviceSelector?

  /// - Parameters:
  ///   - receiverIsHere: Whether the device runs on this computer: then it may be sent to an address of it.
  ///   - names: Which device a name means.
  package init(
    _ line: CommandLineText, receiverIsHere: Bool = false,
    names: @escaping @Sendable (String) -> Plan.DeviceSelector? = { _ in nil }
  ) {
    self.line = line
    self.names = names
    let problems = DiagnosticCollector()
    let definitions = Definitions(
      FieldMap([], span: line.span, as: LanguageSchema.scenario), names: DefinedNames(), fileExists: { _ in true },
      receiversAreHere: receiverIsHere, reportingTo: problems)
    compiler = StepCompiler(definitions: definitions, problems: problems)
  }

  /// Some words are from this file.
  package mutating func note(_ list: SourceFile) { lists.append(list) }

  /// What came out.
  package var findings: Findings {
    let sources = [line.source] + lists
    let problems = compiler.problems.finished(file: SourceSpan.commandLine, in: sources)
    return Findings(problems: problems.map(\.forCommandLine), sources: sources)
  }

  // MARK: scalars

  /// A duration, such as `10s`.
  package mutating func duration(_ word: String) -> Duration? {
    value(word, as: .duration)?.duration
  }

  /// A position in media, such as `1m30s`, `1:30`, `start`.
  package mutating func position(_ word: String) -> PositionScalar? {
    value(word, as: .position)?.position
  }

  /// How far to go from here, with a sign: `+30s`.
  package mutating func offset(_ word: String) -> Duration? {
    value(word, as: .signedDuration)?.duration
  }

  /// Percent points, from 0 to 100.
  /// - Parameter name: What they are of.
  package mutating func percent(_ word: String, of name: String) -> Double? {
    value(word, as: .fraction, of: name)?.number
  }

  /// By how many percent points something changes, up or down.
  /// - Parameter name: What changes.
  package mutating func change(_ word: String, of name: String) -> Double? {
    // The sign is not part of the value.
    let amount = String(word.dropFirst())
    let sign = word.hasPrefix("-") ? "-" : "+"
    let points = read(amount, at: line.span(of: word), as: .fraction) { text throws(ScalarProblem) in
      try NumberScalar.percent(text, in: Self.share, field: name, sign: sign)
    }
    return points.map { sign == "-" ? -$0 : $0 }
  }

  /// How many items forward, or back where negative: `+2`, `-1`.
  package mutating func distance(_ word: String) -> Int? {
    // Documents write numbers without a plus.
    let amount = word.hasPrefix("+") ? String(word.dropFirst()) : word
    return value(amount, at: line.span(of: word), as: .anyInteger)?.int
  }

  /// A playback rate; one that many devices refuse is told.
  package mutating func rate(_ word: String) -> Double? {
    let rate = read(word, as: LanguageSchema.rate) { text throws(ScalarProblem) in
      try NumberScalar.number(text, in: -Double.infinity...Double.infinity)
    }
    guard let rate else { return nil }
    return reporting { $0.compiler.checkRate(rate, at: $0.node(word)) } ? rate : nil
  }

  /// A factor, such as `1.1x`.
  package mutating func factor(_ word: String) -> Double? {
    value(word, as: .factor)?.number
  }

  /// A BCP 47 tag.
  package mutating func language(_ word: String) -> String? {
    value(word, as: .language).map { _ in word }
  }

  /// The id of an app; `default` names the Default Media Receiver.
  package mutating func app(_ word: String) -> String? {
    var node = node(word)
    return check(&node, as: .reference(.app)) ? compiler.app(node) : nil
  }

  /// The ids or languages of tracks, as written.
  package mutating func tracks(_ words: [String]) -> [String]? {
    all(words) { reader, word in reader.read(word, as: .reference(.track)) { $0 } }
  }

  /// Whether it plays after a seek.
  package mutating func resumeState(_ word: String) -> Plan.SeekAction.Then? { choice(word, "seek", "then") }

  /// Whether an app that runs will do.
  package mutating func joinRule(_ word: String) -> Plan.LaunchAction.Join? { choice(word, "launch", "join") }

  private static let share = 0.0...100.0

  /// One of the words that a verb's key takes.
  private mutating func choice<Choice: RawRepresentable<String>>(
    _ word: String, _ verb: String, _ key: String
  ) -> Choice? {
    guard case .keys(let spec, _)? = LanguageSchema.verb(verb)?.form, let type = spec[key]?.type,
      case .choice(let noun, let words) = type
    else { return nil }
    return read(word, as: type) { text throws(ScalarProblem) in
      guard words.contains(text), let choice = Choice(rawValue: text) else {
        throw FieldType.notAChoice(text, noun, words)
      }
      return choice
    }
  }

  // MARK: small values

  /// A device by any of its names.
  package func device(_ word: String) -> Plan.DeviceSelector? { names(word) }

  /// An item of the queue that plays, by its number or its address.
  package mutating func item(_ word: String) -> Plan.QueueItemReference? {
    read(word, as: .text) { $0 } == nil ? nil : compiler.reference(node(word))
  }

  /// Several such items, each named once.
  package mutating func items(_ words: [String]) -> [Plan.QueueItemReference]? {
    guard all(words, { reader, word in reader.read(word, as: .text) { $0 } }) != nil else { return nil }
    return compiler.references(words.map { node($0) })
  }

  /// The item that others shall go before, which must be none of them.
  package mutating func item(_ word: String, behind items: [Plan.QueueItemReference]) -> Plan.QueueItemReference? {
    guard let place = item(word) else { return nil }
    return compiler.reportAnchor(place, at: node(word), among: items) ? nil : place
  }

  /// The item to go to, `next` or `previous`.
  package mutating func jump(_ word: String) -> Plan.QueueJump? {
    guard read(word, as: .words(Self.jumps, else: .text), { $0 }) != nil else { return nil }
    switch word {
    case "next": return .next
    case "previous": return .previous
    default: return compiler.reference(node(word), words: Self.jumps).map { .item($0) }
    }
  }

  private static let jumps = ["next", "previous"]

  /// JSON as it is given; a key that stands twice is told.
  package mutating func json(_ value: JSONValue) -> JSONValue? {
    reporting { $0.reportDuplicates(in: value) } ? value : nil
  }

  /// The namespace of a message, and what a document would be told of sending it there.
  /// - Parameter message: What is sent; `nil`: text or bytes.
  package mutating func namespace(_ word: String, for message: JSONValue?) -> String? {
    let name = read(word, as: .urn) { text throws(ScalarProblem) in try NameScalar.urn(text) }
    guard let name else { return nil }
    let action = Plan.SendAction(namespace: name, message: message ?? [:])
    return reporting { reader in
      let node = reader.node(word)
      reader.compiler.checkNamespace(node, name)
      reader.compiler.checkSender(action, at: node)
      if message != nil { reader.compiler.checkSize(action, at: .init(reader.line.span)) }
    } ? name : nil
  }

  /// A text style by its keys, which are typed, too.
  package mutating func textStyle(_ entries: [(key: String, value: String)]) -> TextTrackStyle? {
    let before = compiler.problems.errorCount
    let pairs = entries.map {
      YAMLNode.Pair(key: YAMLNode.Key(text: $0.key, span: line.span(of: $0.key)), value: node($0.value))
    }
    var map = map(pairs)
    check(&map, as: .map(LanguageSchema.textStyle), named: "text_style")
    let style = compiler.withMedia { $0.textStyle(FieldMap(map, as: LanguageSchema.textStyle)) }
    return compiler.problems.errorCount == before ? style : nil
  }

  private mutating func reportDuplicates(in json: JSONValue) {
    switch json {
    case .array(let items): for item in items { reportDuplicates(in: item) }
    case .object(let object):
      var seen: Set<String> = []
      for member in object.members {
        if seen.insert(member.name).inserted {
          reportDuplicates(in: member.value)
        } else {
          compiler.problems.report(.duplicate(YAMLNode.Key(text: member.name, span: line.span), first: line.span))
        }
      }
    default: break
    }
  }
}
