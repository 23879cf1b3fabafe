/// Where the names of a table stand. They are told apart by their length and their ends, because hashing a text takes
/// longer than comparing it with the one or two that are alike in these.
struct NameTable: Sendable {
  private static let buckets = 64
  private let names: [String]
  /// The places in ``names``, those of one bucket together.
  private let places: [Int32]
  /// Where each bucket begins in ``places``, and where the last one ends.
  private let starts: [Int32]

  /// - Parameter names: In ASCII. The first one of two alike counts.
  init(_ names: [String]) {
    self.names = names
    let sorted = names.indices.sorted { (Self.bucket(names[$0]), $0) < (Self.bucket(names[$1]), $1) }
    places = sorted.map { Int32($0) }
    starts = (0...Self.buckets).map { bucket in
      Int32(sorted.firstIndex { Self.bucket(names[$0]) >= bucket } ?? sorted.count)
    }
  }

  subscript(name: String) -> Int? {
    let bucket = Self.bucket(name)
    var next = Int(starts[bucket])
    let end = Int(starts[bucket + 1])
    while next < end {
      let place = Int(places[next])
      if names[place] == name { return place }
      next += 1
    }
    return nil
  }

  private static func bucket(_ name: String) -> Int {
    let bytes = name.utf8
    guard let first = bytes.first, let last = bytes.last else { return 0 }
    return (bytes.count &* 5 ^ Int(first) &* 3 ^ Int(last) &* 11) & (buckets - 1)
  }
}
