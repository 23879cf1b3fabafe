package import ScenarioLanguage
import Synchronization

/// Makes lines of records in the order in which they come, and hands them on with the names of their files.
package final class LedgerWriter: LedgerSink {
  private struct State {
    var chain: LedgerChain
    var file: String?
    var existing: Set<String>
    var missed = 0
  }

  private let name: LedgerName
  /// Takes a line and returns at once; false: it has no room for it.
  private let write: @Sendable (_ line: String, _ file: String) -> Bool
  private let state: Mutex<State>

  /// A ledger that goes on where another left it.
  /// - Parameters:
  ///   - last: The end of the chain.
  ///   - file: The name of the file that the end is in; `nil` where there is none.
  ///   - existing: The names of the ledger's files.
  ///   - write: Takes a line and the name of its file, and returns at once; false: there is no room for it.
  package init(
    _ name: LedgerName, after last: LedgerChain.Link = .start, in file: String? = nil, existing: Set<String> = [],
    zone: TimeZoneRules, write: @escaping @Sendable (_ line: String, _ file: String) -> Bool
  ) {
    self.name = name
    self.write = write
    state = Mutex(State(chain: LedgerChain(after: last, in: zone), file: file, existing: existing))
  }

  package func record(_ record: LedgerRecord) {
    state.withLock { state in
      let file = name.file(at: record.time, after: state.file, existing: state.existing)
      var chain = state.chain
      // What is not taken is no part of the chain: the next record follows the last that was.
      guard let line = chain.line(record), write(line, file) else {
        state.missed += 1
        return
      }
      state.chain = chain
      state.file = file
      state.existing.insert(file)
    }
  }

  /// The name of the file that the last record went to.
  package var current: String? { state.withLock { $0.file } }

  /// How many records were not written, because too many waited for the disk.
  package var missed: Int { state.withLock { $0.missed } }
}

extension LedgerRecord {
  /// When it is over, and can be written.
  fileprivate var time: Double {
    switch kind {
    case .play(let play): max(play.start, play.end)
    case .gap(let gap): max(gap.start, gap.end)
    case .skip(let skip): skip.at
    }
  }
}
