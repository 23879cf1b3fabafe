/// The names that the steps of a block may use: its own parameters, and those of the blocks that it starts from. They
/// are asked for one by one: many blocks may start from one with many parameters.
struct BlockParameters {
  private var own: [String: Set<String>] = [:]
  /// What a block starts from: `like`.
  private var bases: [String: String] = [:]
  private var block = ""
  /// Answers for ``block``.
  private var known: [String: Bool] = [:]
  /// How many sets were looked into.
  private(set) var lookups = 0

  init(_ blocks: [YAMLNode.Pair]) {
    for pair in blocks where own[pair.key.text] == nil {
      let keys = pair.value.pairs ?? []
      own[pair.key.text] = Set(keys.first { $0.key.text == "params" }?.value.pairs?.map(\.key.text) ?? [])
      bases[pair.key.text] = keys.first { $0.key.text == "like" }?.value.text
    }
  }

  mutating func enter(_ block: String) {
    self.block = block
    known = [:]
  }

  mutating func contains(_ name: String) -> Bool {
    if let answer = known[name] { return answer }
    var answer = false
    var next: String? = block
    // As deep as definitions may start from each other; a circle is reported elsewhere.
    for _ in 0...100 {
      guard !answer, let current = next, let names = own[current] else { break }
      lookups += 1
      answer = names.contains(name)
      next = bases[current]
    }
    known[name] = answer
    return answer
  }
}
