extension JSONObject: Hashable {
  /// Equal when the same names have equal values, in whatever order; of a name that comes twice the last one counts.
  package static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.hasNames(of: right) ? left.valuesEqual(right) : left.membersEqual(right)
  }

  package func hash(into hasher: inout Hasher) {
    var sum = 0
    forEachCounting { member in
      var inner = Hasher()
      inner.combine(member.name)
      inner.combine(member.value)
      sum ^= inner.finalize()
    }
    hasher.combine(sum)
  }

  private func hasNames(of other: JSONObject) -> Bool {
    members.count == other.members.count && zip(members, other.members).allSatisfy { $0.name == $1.name }
  }

  /// Whether objects with the same names at the same places are equal. Each pair of values is compared once.
  private func valuesEqual(_ other: JSONObject) -> Bool {
    var last: [String: Int]?
    for index in members.indices where members[index].value != other.members[index].value {
      let lastIndex = last ?? lastIndices
      last = lastIndex
      // Unless a later member of that name is the one that counts.
      if lastIndex[members[index].name] == index { return false }
    }
    return true
  }

  private func membersEqual(_ other: JSONObject) -> Bool {
    let (here, there) = (lastIndices, other.lastIndices)
    guard here.count == there.count else { return false }
    return here.allSatisfy { name, index in
      there[name].map { members[index].value == other.members[$0].value } ?? false
    }
  }

  /// Where the member of each name is that counts.
  private var lastIndices: [String: Int] {
    var indices: [String: Int] = [:]
    for (index, member) in members.enumerated() { indices[member.name] = index }
    return indices
  }

  private func forEachCounting(_ body: (Member) -> Void) {
    for index in lastIndices.values { body(members[index]) }
  }
}

extension JSONValue: Hashable {
  /// Numbers compare by value (`1` equals `1.0`), objects without regard to order.
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.string(let a), .string(let b)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    // Exactly: beyond 2^53 several whole numbers are the same when rounded.
    case (.int(let whole), .double(let number)), (.double(let number), .int(let whole)): Int(exactly: number) == whole
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .double(let value):
      if let whole = Int(exactly: value) { hasher.combine(whole) } else { hasher.combine(value) }
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}
