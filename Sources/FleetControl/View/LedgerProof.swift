package import FleetMessages

/// Compares a file of a ledger with what its site told the broker when the file was finished.
package enum LedgerProof: Hashable, Sendable {
  case same
  /// The site told nothing of such a file.
  case unknown
  /// The site told another number or hash of the last line.
  case different(lines: Int, hash: String)
  /// Playlists of the site have files of this name, and none of them is this one.
  case noneOf(Int)

  /// - Parameters:
  ///   - file: The name of the file, without its folder.
  ///   - lines: The number of its last line, and its hash.
  package init(file: String, lines: Int, hash: String, told ledgers: [LedgerReport]) {
    let named = ledgers.filter { $0.file == file }
    if named.contains(where: { $0.lines == lines && $0.hash == hash }) {
      self = .same
    } else if named.count > 1 {
      self = .noneOf(named.count)
    } else if let other = named.first {
      self = .different(lines: other.lines, hash: other.hash)
    } else {
      self = .unknown
    }
  }
}
