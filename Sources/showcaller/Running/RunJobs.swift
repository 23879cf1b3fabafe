import CastProtocol
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// What the documents of a command line share that are run at the same time (`--jobs`).
struct RunJobs: Sendable {
  let rowTurns: RowTurns
  /// Keeps those that use the same device from each other; virtual devices are each document's own.
  private let deviceTurns: Turns?
  /// One keeper for all: two would keep each other off.
  private let locks: DeviceLocks?
  /// Where several documents are told; `nil` for one.
  let board: LiveBoard?

  init(_ options: RunOptions, documents: Int) {
    rowTurns = RowTurns(limit: options.jobs)
    let areShared = documents > 1 && !options.bringsReceivers
    deviceTurns = areShared ? Turns() : nil
    locks = areShared ? DeviceLocks(.process, for: "showcaller run (\(documents) documents)", isBrief: false) : nil
    let isTerminal = Terminal.errorIsTTY
    let width: (@Sendable () -> Int)? = isTerminal ? { @Sendable in Terminal.width } : nil
    let height: (@Sendable () -> Int)? = isTerminal ? { @Sendable in Terminal.height } : nil
    let hasColor = Terminal.usesColor(on: isTerminal)
    let board = LiveBoard(width: width, height: height, hasColor: hasColor) {
      StandardError.offer($0, isVerdict: $1)
    }
    self.board = documents > 1 ? board : nil
  }

  /// - Parameter locking: As it is for a document alone.
  func locking(_ locking: DeviceLocking) -> DeviceLocking {
    var shared = locking
    if let locks { shared = DeviceLocking(locks, patience: locking.patience) }
    shared.lending = locking.lending
    shared.turns = deviceTurns ?? Turns()
    return shared
  }
}
