/// Values that are moved onto a pile and, a run of them at once, into an array of just their number.
///
/// A parser does not know how long a list gets: an array that grows with it is moved several times and keeps room that
/// nobody uses.
struct ValueStack<Element>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>?
  private var capacity = 0
  private(set) var count = 0

  init() {}

  deinit {
    guard let base else { return }
    base.deinitialize(count: count)
    base.deallocate()
  }

  mutating func push(_ element: consuming Element) {
    if count == capacity { grow() }
    base?.advanced(by: count).initialize(to: element)
    count += 1
  }

  /// Takes what lies above the lowest `height` values, in the order in which it came.
  mutating func take(above height: Int) -> [Element] {
    guard let base, height < count else { return [] }
    var taken: [Element] = []
    taken.reserveCapacity(count - height)
    for index in height..<count { taken.append(base.advanced(by: index).move()) }
    count = height
    return taken
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: max(16, capacity * 2))
    if let base {
      larger.moveInitialize(from: base, count: count)
      base.deallocate()
    }
    base = larger
    capacity = max(16, capacity * 2)
  }
}
