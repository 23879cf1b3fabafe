/// Reads a regular expression into a tree. Depth and counts are bounded.
struct TextPatternParser {
  indirect enum Node {
    case empty
    case one(TextPattern.Instruction)
    case sequence([Node])
    case choice([Node])
    /// `most` is `nil` without an upper bound.
    case repeated(Node, least: Int, most: Int?)
  }

  typealias Problem = TextPattern.Problem

  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  private(set) var ignoresCase = false

  init(_ pattern: String) { scalars = Array(pattern.unicodeScalars) }

  mutating func parse() throws(Problem) -> Node {
    if scalars.count > 1_000 { throw Problem(message: "a pattern has at most 1000 characters", offset: 1_000) }
    if scalars.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      position = 4
    }
    let node = try choice()
    if position < scalars.count { throw problem("`)` closes nothing") }
    return node
  }

  private var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    if peek == scalar {
      position += 1
      return true
    }
    return false
  }

  private func problem(_ message: String) -> Problem { Problem(message: message, offset: position) }

  private mutating func choice() throws(Problem) -> Node {
    var branches = [try sequence()]
    while take("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(Problem) -> Node {
    var nodes: [Node] = []
    while let next = peek, next != "|", next != ")" { nodes.append(try quantified()) }
    return nodes.isEmpty ? .empty : .sequence(nodes)
  }

  private mutating func quantified() throws(Problem) -> Node {
    let atom = try atom()
    let repeated: Node
    switch peek {
    case "*":
      position += 1
      repeated = .repeated(atom, least: 0, most: nil)
    case "+":
      position += 1
      repeated = .repeated(atom, least: 1, most: nil)
    case "?":
      position += 1
      repeated = .repeated(atom, least: 0, most: 1)
    case "{":
      let (least, most) = try counts()
      repeated = .repeated(atom, least: least, most: most)
    default: return atom
    }
    // Lazy or greedy makes no difference to whether something is found.
    _ = take("?")
    if let next = peek, "*+?".unicodeScalars.contains(next) { throw problem("nothing to repeat") }
    return repeated
  }

  /// `{2}`, `{2,}` or `{2,5}`; a literal brace is written `\{`.
  private mutating func counts() throws(Problem) -> (Int, Int?) {
    let start = position
    position += 1
    guard let least = number() else { throw problem("write a literal `{` as `\\{`") }
    var most: Int? = least
    if take(",") { most = peek == "}" ? nil : number() }
    guard take("}") else {
      position = start
      throw problem("this repetition is not closed")
    }
    if least > 200 || (most ?? 0) > 200 { throw problem("at most 200 repetitions can be counted") }
    if let most, most < least { throw problem("the bounds of this repetition are the wrong way round") }
    return (least, most)
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let next = peek, ("0"..."9").contains(next), digits.count < 6 {
      digits.unicodeScalars.append(next)
      position += 1
    }
    return Int(digits)
  }

  private mutating func atom() throws(Problem) -> Node {
    guard let scalar = peek else { throw problem("the pattern ends too early") }
    switch scalar {
    case "(":
      position += 1
      if take("?") {
        guard take(":") else { throw problem("only groups `(…)` and `(?:…)` are supported, and `(?i)` in front") }
      }
      depth += 1
      if depth > 30 { throw problem("groups nest too deep") }
      let inner = try choice()
      depth -= 1
      guard take(")") else { throw problem("a group is not closed") }
      return inner
    case "[": return .one(.scalar(try set()))
    case "*", "+", "?", "{": throw problem("nothing to repeat")
    case ".":
      position += 1
      return .one(.scalar(ScalarSet([.range("\n", "\n")], isNegated: true)))
    case "^":
      position += 1
      return .one(.start)
    case "$":
      position += 1
      return .one(.end)
    case "\\":
      position += 1
      if take("b") { return .one(.wordBoundary(true)) }
      if take("B") { return .one(.wordBoundary(false)) }
      return .one(.scalar(ScalarSet([try escape()], isNegated: false)))
    default:
      position += 1
      return .one(.scalar(ScalarSet([.range(scalar, scalar)], isNegated: false)))
    }
  }

  /// What follows a backslash.
  private mutating func escape() throws(Problem) -> ScalarSet.Element {
    guard let scalar = peek else { throw problem("the pattern ends in a backslash") }
    position += 1
    switch scalar {
    case "d", "D": return .digit(scalar == "d")
    case "w", "W": return .word(scalar == "w")
    case "s", "S": return .space(scalar == "s")
    case "n": return .range("\n", "\n")
    case "t": return .range("\t", "\t")
    case "r": return .range("\r", "\r")
    case "a"..."z", "A"..."Z", "0"..."9":
      position -= 1
      throw problem("`\\\(scalar)` is not supported")
    default: return .range(scalar, scalar)
    }
  }

  private mutating func set() throws(Problem) -> ScalarSet {
    let start = position
    position += 1
    let isNegated = take("^")
    var elements: [ScalarSet.Element] = []
    while let scalar = peek, scalar != "]" || elements.isEmpty {
      position += 1
      guard let low = scalar == "\\" ? try escape() : ScalarSet.Element.range(scalar, scalar) as ScalarSet.Element?
      else { break }
      guard case .range(let first, _) = low, peek == "-", position + 1 < scalars.count, scalars[position + 1] != "]"
      else {
        elements.append(low)
        continue
      }
      position += 1
      let last = scalars[position]
      position += 1
      let high = last == "\\" ? try escape() : .range(last, last)
      guard case .range(let end, _) = high, first <= end else { throw problem("this range is the wrong way round") }
      elements.append(.range(first, end))
    }
    guard take("]") else {
      position = start
      throw problem("a character class is not closed")
    }
    return ScalarSet(elements, isNegated: isNegated)
  }
}
