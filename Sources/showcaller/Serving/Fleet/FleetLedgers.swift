import FleetAgent
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// The finished files of the ledgers of a site, each read once.
final class FleetLedgers: Sendable {
  private let registry: PlaylistRegistry
  /// `nil`: it has no line that counts.
  private let known = Mutex<[String: LedgerMark?]>([:])

  init(of registry: PlaylistRegistry) { self.registry = registry }

  /// All of them, read off the main path.
  func marks() async -> [LedgerMark] { await OffMainPath.run { self.read() } }

  private func read() -> [LedgerMark] {
    let before = known.withLock { $0 }
    var now: [String: LedgerMark?] = [:]
    for parts in registry.served {
      let playlist = parts.outside.program.plan.id
      for file in parts.ledger.leftFiles {
        if let mark = before[file] {
          now[file] = mark
        } else if let mark = Self.mark(of: file, playlist) {
          now[file] = mark
        }
      }
    }
    known.withLock { [now] in $0 = now }
    return now.sorted { $0.key < $1.key }.compactMap(\.value)
  }

  /// - Returns: `nil`: it cannot be read now. In it `nil`: nothing that counts.
  private static func mark(of file: String, _ playlist: String) -> LedgerMark?? {
    let last: [UInt8]?
    do { last = try LedgerFile.lastLine(of: file, limit: LedgerLine.byteLimit) } catch { return nil }
    guard let last, let link = LedgerLine.link(of: last) else { return .some(nil) }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return LedgerMark(playlist: playlist, file: name, lines: link.number, hash: link.hash)
  }
}
