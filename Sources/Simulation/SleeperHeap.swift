/// A task that waits for a virtual moment.
struct Sleeper {
  var deadline: Duration
  var id: UInt64

  func comes(before other: Sleeper) -> Bool {
    deadline != other.deadline ? deadline < other.deadline : id < other.id
  }
}

/// Sleepers by deadline, then by order of registration: a binary heap.
struct SleeperHeap {
  private var items: [Sleeper] = []

  var first: Sleeper? { items.first }

  mutating func insert(_ sleeper: Sleeper) {
    items.append(sleeper)
    var child = items.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard items[child].comes(before: items[parent]) else { return }
      items.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Sleeper? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    guard !items.isEmpty else { return first }
    items[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < items.count && items[child].comes(before: items[least]) {
        least = child
      }
      if least == parent { return first }
      items.swapAt(parent, least)
      parent = least
    }
  }
}
