import CastProtocol

/// A JSON object that is put together by paths, however many: names are looked up, and nothing is copied on the way.
struct JSONTree {
  private enum Entry {
    case value(JSONValue)
    case tree(JSONTree)
  }

  private var names: [String] = []
  private var entries: [Entry] = []
  private var places: [String: Int] = [:]

  init() {}

  private init(_ object: JSONObject) {
    for member in object.members { add(member.name, .value(member.value)) }
  }

  var object: JSONObject {
    JSONObject(
      zip(names, entries).map { name, entry in
        switch entry {
        case .value(let value): JSONObject.Member(name, value)
        case .tree(let tree): JSONObject.Member(name, .object(tree.object))
        }
      })
  }

  private mutating func add(_ name: String, _ entry: Entry) {
    places[name] = names.count
    names.append(name)
    entries.append(entry)
  }

  /// Sets a member by path unless another value stands there; where `isJoined`, two maps without a name in common
  /// become one.
  mutating func join(_ value: JSONValue, at path: ArraySlice<String>, joining isJoined: Bool) -> Bool {
    guard let name = path.first else { return false }
    let rest = path.dropFirst()
    guard let place = places[name] else {
      guard !rest.isEmpty else {
        add(name, .value(value))
        return true
      }
      var tree = JSONTree()
      _ = tree.join(value, at: rest, joining: isJoined)
      add(name, .tree(tree))
      return true
    }
    var inner: JSONTree
    switch entries[place] {
    case .tree(let tree): inner = tree
    case .value(let value):
      guard let object = value.object else { return false }
      inner = JSONTree(object)
    }
    // Taken out meanwhile: two owners would make every change a copy.
    entries[place] = .value(.null)
    let isDone = rest.isEmpty ? isJoined && inner.join(value) : inner.join(value, at: rest, joining: isJoined)
    entries[place] = .tree(inner)
    return isDone
  }

  private mutating func join(_ value: JSONValue) -> Bool {
    guard let more = value.object, !more.members.contains(where: { places[$0.name] != nil }) else { return false }
    for member in more.members { add(member.name, .value(member.value)) }
    return true
  }
}
