/// A regular expression that answers one question, whether it is found in a text, in time linear in the text.
///
/// Documents come from anywhere, so there is no backtracking: all alternatives are followed at once (Thompson's
/// construction). It knows literals, `.`, classes, `\d \w \s \b` and their opposites, `^ $`, groups, `|`,
/// `* + ? {m,n}` and `(?i)` in front; no references to groups and no looking around.
package struct TextPattern: Hashable, Sendable {
  /// Why a pattern cannot be used.
  package struct Problem: Error, Hashable, Sendable {
    /// A lowercase fragment.
    package var message: String
    /// Where, in Unicode scalars from the pattern's start.
    package var offset: Int
  }

  enum Instruction: Hashable, Sendable {
    case scalar(ScalarSet)
    /// Tries both.
    case split(Int, Int)
    case jump(Int)
    case start, end
    case wordBoundary(Bool)
    case match
  }

  /// More instructions than this would make one match slow.
  static let maximumInstructions = 2_000

  /// As written; it says all that is compiled from it.
  package let source: String
  private let program: [Instruction]
  private let ignoresCase: Bool

  package init(_ pattern: String) throws(Problem) {
    var parser = TextPatternParser(pattern)
    let tree = try parser.parse()
    var program: [Instruction] = []
    var budget = 4 * Self.maximumInstructions
    try Self.emit(tree, into: &program, budget: &budget)
    program.append(.match)
    self.program = program
    source = pattern
    ignoresCase = parser.ignoresCase
  }

  package static func == (left: TextPattern, right: TextPattern) -> Bool { left.source == right.source }

  package func hash(into hasher: inout Hasher) { hasher.combine(source) }

  /// Whether the pattern is found anywhere in `text`.
  package func isFound(in text: String) -> Bool {
    let scalars = Array(text.unicodeScalars)
    var current = StateSet(capacity: program.count)
    var next = StateSet(capacity: program.count)
    for position in 0...scalars.count {
      if follow(0, at: position, of: scalars, into: &current) { return true }
      guard position < scalars.count else { break }
      let scalar = scalars[position]
      next.removeAll()
      for state in current.states {
        guard case .scalar(let set) = program[state], set.contains(scalar, ignoringCase: ignoresCase) else { continue }
        if follow(state + 1, at: position + 1, of: scalars, into: &next) { return true }
      }
      swap(&current, &next)
    }
    return false
  }

  /// Adds every state reachable without reading; `true` when the end is among them.
  private func follow(
    _ first: Int, at position: Int, of scalars: [Unicode.Scalar], into set: inout StateSet
  ) -> Bool {
    var waiting = [first]
    while let state = waiting.popLast() {
      guard set.insert(state) else { continue }
      switch program[state] {
      case .match: return true
      case .scalar: break
      case .jump(let target): waiting.append(target)
      case .split(let left, let right):
        waiting.append(right)
        waiting.append(left)
      case .start: if position == 0 { waiting.append(state + 1) }
      case .end: if position == scalars.count { waiting.append(state + 1) }
      case .wordBoundary(let wanted):
        let before = position > 0 && ScalarSet.isWord(scalars[position - 1])
        let after = position < scalars.count && ScalarSet.isWord(scalars[position])
        if (before != after) == wanted { waiting.append(state + 1) }
      }
    }
    return false
  }

  /// `budget` counts nodes, not instructions: repeated empty groups emit nothing and would never end.
  private static func emit(
    _ node: TextPatternParser.Node, into program: inout [Instruction], budget: inout Int
  ) throws(Problem) {
    budget -= 1
    if budget < 0 || program.count > maximumInstructions {
      throw Problem(message: "this pattern is too large", offset: 0)
    }
    switch node {
    case .empty: break
    case .one(let instruction): program.append(instruction)
    case .sequence(let nodes): for node in nodes { try emit(node, into: &program, budget: &budget) }
    case .choice(let nodes):
      var exits: [Int] = []
      for (index, node) in nodes.enumerated() {
        guard index < nodes.count - 1 else {
          try emit(node, into: &program, budget: &budget)
          break
        }
        let split = program.count
        program.append(.jump(0))
        try emit(node, into: &program, budget: &budget)
        exits.append(program.count)
        program.append(.jump(0))
        program[split] = .split(split + 1, program.count)
      }
      for exit in exits { program[exit] = .jump(program.count) }
    case .repeated(let node, let least, let most):
      for _ in 0..<least { try emit(node, into: &program, budget: &budget) }
      if let most {
        var splits: [Int] = []
        for _ in 0..<(most - least) {
          splits.append(program.count)
          program.append(.jump(0))
          try emit(node, into: &program, budget: &budget)
        }
        for split in splits { program[split] = .split(split + 1, program.count) }
      } else {
        let split = program.count
        program.append(.jump(0))
        try emit(node, into: &program, budget: &budget)
        program.append(.jump(split))
        program[split] = .split(split + 1, program.count)
      }
    }
  }

  /// States in the order they were added, each once.
  private struct StateSet {
    private(set) var states: [Int] = []
    private var isMember: [Bool]

    init(capacity: Int) { isMember = Array(repeating: false, count: capacity) }

    mutating func insert(_ state: Int) -> Bool {
      if isMember[state] { return false }
      isMember[state] = true
      states.append(state)
      return true
    }

    mutating func removeAll() {
      for state in states { isMember[state] = false }
      states.removeAll(keepingCapacity: true)
    }
  }
}

extension TextPattern: Codable {
  /// Compiles the text that ``encode(to:)`` wrote.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let pattern = try container.decode(String.self)
    do throws(Problem) {
      try self.init(pattern)
    } catch {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// The text alone, which says all that is compiled from it.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(source)
  }
}
