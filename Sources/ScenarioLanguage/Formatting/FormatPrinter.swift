/// Writes the tokens of a document again, line by line as they stand, with canonical indentation and spacing.
///
/// Lines are never joined or split. A line's indentation follows from the collections that are open where it begins.
struct FormatPrinter {
  /// A block collection that is open.
  private struct Context {
    enum Kind { case mapping, sequence, indentless }
    var kind: Kind
    /// Its column in the source and in the output.
    var source: Int
    var output: Int
  }

  /// A flow collection that is open.
  private struct Flow {
    /// Where lines inside it begin, known once its first part is.
    var child: Int?
    /// Where a line that closes it begins.
    var close: Int
    /// Where its content begins when it does on the line of the bracket.
    var aligned: Int
    /// The line of the bracket.
    var line: Int
  }

  static let step = 2

  private let text: [Unicode.Scalar]
  private var lines = FormatLines()
  private var contexts: [Context] = []
  private var flows: [Flow] = []
  private var previous: YAMLToken?
  /// The next character belongs to a line that has not begun.
  private var startsLine = true
  /// Where the line that is being written begins, when it begins inside a flow collection.
  private var flowLineIndent: Int?

  private init(_ text: [Unicode.Scalar]) { self.text = text }

  static func print(_ text: [Unicode.Scalar], _ tokens: [YAMLToken]) -> String {
    var printer = FormatPrinter(text)
    var pending: [YAMLToken] = []
    for token in tokens {
      switch token.kind {
      case .blockSequenceStart, .blockMappingStart, .blockEnd: pending.append(token)
      case .key where token.isEmpty: pending.append(token)
      default:
        printer.write(token, after: pending)
        pending.removeAll(keepingCapacity: true)
      }
    }
    return printer.lines.rendered()
  }

  // MARK: Tokens

  /// Writes a token that has characters; `pending` are the structural ones before it.
  private mutating func write(_ token: YAMLToken, after pending: [YAMLToken]) {
    var endsText = false
    if case .streamEnd = token.kind { endsText = true }
    let gap = FormatGap(
      text, (previous?.end ?? 0)..<max(token.start, previous?.end ?? 0), startsLine: startsLine, endsText: endsText)
    let isNewLine = startsLine || gap.hasBreak
    if !flows.isEmpty, flows[flows.count - 1].child == nil {
      let close = flows[flows.count - 1].close
      flows[flows.count - 1].child = isNewLine ? close + Self.step : flows[flows.count - 1].aligned
      if !isNewLine { flows[flows.count - 1].close = flows[flows.count - 1].aligned - 1 }
    }
    let before = gap.lines.isEmpty ? [] : contexts
    let space = isNewLine || !needsSpace(before: token) ? 0 : 1
    let startsEntry = open(pending, isNewLine: isNewLine, column: lines.column + space)
    enter(token)
    let indent = isNewLine ? indentation(of: token, startsEntry: startsEntry) : 0
    // Where the lines of an open bracket begin follows from the bracket's column.
    if isNewLine, flows.last?.line == lines.lineIndex { lines.fixColumns() }
    if let comment = gap.trailing { lines.appendComment(comment) }
    write(gap.lines, before: token, at: indent, contexts: before, endsText: endsText)
    if endsText { return }
    if isNewLine {
      lines.startLine(indent: indent)
      flowLineIndent = flows.isEmpty ? nil : indent
    } else if space > 0 {
      writeSpace(before: token)
    }
    startsLine = false
    content(of: token)
    previous = token
  }

  /// A space; parts behind a dash decide where lines begin, every other one may stand in a column of its own.
  private mutating func writeSpace(before token: YAMLToken) {
    let start = previous?.end ?? token.start
    if case .blockEntry = previous?.kind { return lines.append(" ") }
    guard start < token.start, !text[start..<token.start].contains("\t") else { return lines.append(" ") }
    lines.appendSpace(source: token.column, space: token.start - start, depth: flows.count)
  }

  /// Opens and closes collections; answers whether an entry of a block mapping begins.
  private mutating func open(_ pending: [YAMLToken], isNewLine: Bool, column: Int) -> Bool {
    var startsEntry = false
    for token in pending {
      switch token.kind {
      case .blockEnd:
        leaveIndentless()
        if !contexts.isEmpty { contexts.removeLast() }
      case .blockMappingStart, .blockSequenceStart:
        var kind = Context.Kind.mapping
        if case .blockSequenceStart = token.kind { kind = .sequence }
        let output = isNewLine ? contexts.last.map { $0.output + Self.step } ?? 0 : column
        contexts.append(Context(kind: kind, source: token.column, output: output))
      default:
        guard flows.isEmpty else { continue }
        leaveIndentless()
        startsEntry = true
      }
    }
    return startsEntry
  }

  /// A list whose dashes stand in the column of the key above has no token of its own.
  private mutating func enter(_ token: YAMLToken) {
    guard flows.isEmpty else { return }
    switch token.kind {
    case .blockEntry:
      if let last = contexts.last, last.kind == .mapping {
        contexts.append(Context(kind: .indentless, source: token.column, output: last.output + Self.step))
      }
    case .key, .value: leaveIndentless()
    default: break
    }
  }

  private mutating func leaveIndentless() {
    if contexts.last?.kind == .indentless { contexts.removeLast() }
  }

  /// Where a line begins that begins with this token.
  private func indentation(of token: YAMLToken, startsEntry: Bool) -> Int {
    if let flow = flows.last {
      switch token.kind {
      case .flowSequenceEnd, .flowMappingEnd: return flow.close
      default: return flow.child ?? 0
      }
    }
    switch token.kind {
    case .documentStart, .documentEnd, .streamEnd: return 0
    case .blockEntry, .key, .value: return contexts.last?.output ?? 0
    default: return startsEntry ? contexts.last?.output ?? 0 : contexts.last.map { $0.output + Self.step } ?? 0
    }
  }

  /// Whether a space stands between the token before and this one in one line.
  private func needsSpace(before token: YAMLToken) -> Bool {
    guard let previous else { return false }
    switch (previous.kind, token.kind) {
    case (.value, _): return true
    case (_, .value):
      if case .key = previous.kind { return true }
      if case .alias = previous.kind { return true }
      return false
    case (_, .flowEntry): return false
    case (.flowSequenceStart, _), (_, .flowSequenceEnd): return false
    case (.flowMappingStart, .flowMappingEnd): return false
    default: return true
    }
  }

  // MARK: Comments

  private mutating func write(
    _ gap: [FormatGap.Line], before token: YAMLToken, at indent: Int, contexts: [Context], endsText: Bool
  ) {
    for line in gap {
      switch line {
      case .blank: lines.separate()
      case .comment(let comment):
        lines.startComment(
          comment.text,
          indent: commentIndent(
            comment.column, next: endsText ? 0 : token.column, at: indent, contexts: contexts))
      }
    }
  }

  /// A comment belongs to the line below it, unless it is indented more: then to the collection that it stands in.
  private func commentIndent(_ column: Int, next: Int, at indent: Int, contexts: [Context]) -> Int {
    if let flow = flows.last { return flow.child ?? 0 }
    guard column > next else { return indent }
    if let last = contexts.last, column > last.source {
      // Nothing is there yet below a key or a dash: the comment stands in for it.
      switch previous?.kind {
      case .value, .blockEntry: return last.output + Self.step
      default: break
      }
    }
    return contexts.last { $0.source <= column && $0.source > next }?.output ?? indent
  }

  // MARK: Content

  private mutating func content(of token: YAMLToken) {
    switch token.kind {
    case .scalar(.literal), .scalar(.folded): blockScalar(token)
    case .scalar(let style): flowScalar(token, style)
    case .flowSequenceStart: openFlow(token, inside: 1)
    case .flowMappingStart: openFlow(token, inside: 2)
    case .flowSequenceEnd, .flowMappingEnd:
      lines.append(text[token.start..<token.end])
      if !flows.isEmpty { flows.removeLast() }
    default: lines.append(text[token.start..<token.end])
    }
  }

  private mutating func openFlow(_ token: YAMLToken, inside: Int) {
    // A closing bracket stands below the key or item that the collection is the value of.
    let base: Int
    if let flowLineIndent {
      base = flowLineIndent
    } else if let last = contexts.last {
      base = last.kind == .mapping ? last.output : last.output + Self.step
    } else {
      base = 0
    }
    flows.append(Flow(child: nil, close: base, aligned: lines.column + inside, line: lines.lineIndex))
    lines.append(text[token.start..<token.end])
  }

  /// A plain or quoted scalar: what it means does not depend on how its further lines are indented.
  private mutating func flowScalar(_ token: YAMLToken, _ style: YAMLNode.Scalar.Style) {
    let indent = (flows.last.map { $0.child ?? 0 } ?? contexts.last?.output ?? 0) + Self.step
    var start = token.start
    var isFirst = true
    while true {
      let lineEnd = text[start..<token.end].firstIndex(of: "\n")
      var end = lineEnd ?? token.end
      if !isFirst { while start < end, FormatGap.isSpace(text[start]) { start += 1 } }
      if lineEnd != nil {
        let whole = end
        while end > start, FormatGap.isSpace(text[end - 1]) { end -= 1 }
        // `\ ` at the end of a line is a space that counts.
        if style == .doubleQuoted, end < whole, isEscape(before: end, from: start) { end += 1 }
      }
      if isFirst {
        lines.append(text[start..<end])
      } else {
        lines.appendRaw(indent: indent, text[start..<end])
        if !flows.isEmpty { flowLineIndent = indent }
      }
      guard let lineEnd else { return }
      start = lineEnd + 1
      isFirst = false
    }
  }

  /// Whether a backslash that is not itself escaped stands before `end`.
  private func isEscape(before end: Int, from start: Int) -> Bool {
    var count = 0
    while end - 1 - count >= start, text[end - 1 - count] == "\\" { count += 1 }
    return count % 2 == 1
  }

  /// A `|` or `>` scalar: its content keeps every character, only the indentation before it moves.
  private mutating func blockScalar(_ token: YAMLToken) {
    let headerEnd = text[token.start..<token.end].firstIndex(of: "\n") ?? token.end
    let indicators = text[token.start..<headerEnd].prefix { !FormatGap.isSpace($0) }
    // Where the content begins is written out when its first line begins with spaces of its own.
    let written = indicators.first { ("1"..."9").contains($0) }
    for scalar in indicators { lines.append([scalar == written ? "2" : scalar]) }
    let behind = FormatGap(text, (token.start + indicators.count)..<headerEnd, startsLine: false, endsText: true)
    if let comment = behind.trailing { lines.appendComment(comment) }
    startsLine = true
    guard headerEnd < token.end else { return }

    let content = (headerEnd + 1)..<token.end
    let parent = contexts.last?.source ?? -1
    let source = written.map { max(parent, 0) + Int($0.value) - 0x30 } ?? max(detectedIndent(content), parent + 1, 1)
    let output = (contexts.last?.output ?? 0) + Self.step
    let keepsBreaks = indicators.contains("+")
    var blanks = 0
    var start = content.lowerBound
    while start < content.upperBound {
      let end = text[start..<content.upperBound].firstIndex(of: "\n") ?? content.upperBound
      let spaces = text[start..<end].prefix(source).prefix { $0 == " " }.count
      if start + spaces == end {
        blanks += 1
      } else {
        for _ in 0..<blanks { lines.appendRaw(indent: 0, []) }
        blanks = 0
        lines.appendRaw(indent: output, text[(start + spaces)..<end])
        // A text that ends without a line break is another than one that ends with one.
        if end == text.count, !indicators.contains("-") { lines.endsWithoutBreak = true }
      }
      start = end + 1
    }
    if keepsBreaks {
      for _ in 0..<blanks { lines.appendRaw(indent: 0, []) }
    } else if blanks > 0 {
      lines.separate()
    }
  }

  /// What libyaml takes for the indentation of a block scalar that does not write it out.
  private func detectedIndent(_ content: Range<Int>) -> Int {
    var widest = 0
    var start = content.lowerBound
    while start < content.upperBound {
      var end = start
      while end < content.upperBound, text[end] == " " { end += 1 }
      widest = max(widest, end - start)
      guard end < content.upperBound, text[end] == "\n" else { break }
      start = end + 1
    }
    return widest
  }
}
