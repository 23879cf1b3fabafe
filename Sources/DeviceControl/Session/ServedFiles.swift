/// Under which addresses a device knows files of this computer: those that were sent to it last.
struct ServedFiles: Sendable {
  /// A folder that gets new files does not make it grow.
  static let most = 10_000

  private struct Entry {
    var address: String
    /// What had come of the address when it was sent.
    var before: LocalMedia.Fetches
    var number: Int
  }

  private var entries: [String: Entry] = [:]
  private var fileByAddress: [String: String] = [:]
  private var count = 0

  mutating func note(_ file: String, as address: String, after before: LocalMedia.Fetches) {
    if let old = entries[file], fileByAddress[old.address] == file { fileByAddress[old.address] = nil }
    count += 1
    entries[file] = Entry(address: address, before: before, number: count)
    fileByAddress[address] = file
    // Half at once: looking for the oldest costs.
    guard entries.count > Self.most else { return }
    let newest = entries.sorted { $0.value.number > $1.value.number }.prefix(Self.most / 2)
    entries = Dictionary(newest.map { ($0.key, $0.value) }) { first, _ in first }
    fileByAddress = Dictionary(newest.map { ($0.value.address, $0.key) }) { first, _ in first }
  }

  func address(of file: String) -> String? { entries[file]?.address }

  func before(_ address: String) -> LocalMedia.Fetches? { fileByAddress[address].flatMap { entries[$0]?.before } }
}
