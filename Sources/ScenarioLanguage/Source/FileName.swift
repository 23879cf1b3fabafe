import Synchronization

/// The name of a file as a number, so that a place in it takes 20 bytes and is copied without counting who has it.
struct FileName: Hashable, Sendable {
  /// All names of this process: as many as it has read files.
  private struct Table {
    var names: [String] = []
    var numbers: [String: UInt32] = [:]
  }

  private static let table = Mutex(Table())

  private let number: UInt32

  init(_ text: String) {
    number = Self.table.withLock { table in
      if let known = table.numbers[text] { return known }
      let new = UInt32(table.names.count)
      table.names.append(text)
      table.numbers[text] = new
      return new
    }
  }

  var text: String { Self.table.withLock { $0.names[Int(number)] } }
}
