package import RunReporting
import Synchronization

/// What a run writes down so that another process can go on with it, and what an earlier part of it wrote.
package final class RunJournal: Sendable {
  /// What earlier parts of the run have done; nothing where this is the first.
  let earlier: JournaledWork
  private let write: @Sendable (JournalEntry.Kind, _ isDurable: Bool) -> Void
  private let writeThrough: @Sendable (JournalEntry.Kind) async -> Bool
  private let state = Mutex(State())

  private struct State {
    var plays = 0
    /// Whether a device was reached, in this part of the run or in an earlier one.
    var hasBegun = false
    var isLeftOpen = false
    var interrupt: (@Sendable () -> Void)?
    var hasFailed = false
  }

  /// - Parameters:
  ///   - past: The run that this one goes on with; `nil`: this is the first part.
  ///   - write: Writes a record soon, in the order in which it is asked, and on the disk where it must be durable.
  ///   - writeThrough: Returns when the record is on the disk, and whether it is.
  package init(
    past: JournaledRun? = nil, write: @escaping @Sendable (JournalEntry.Kind, _ isDurable: Bool) -> Void,
    writeThrough: @escaping @Sendable (JournalEntry.Kind) async -> Bool
  ) {
    earlier = past?.work ?? JournaledWork()
    self.write = write
    self.writeThrough = writeThrough
    if past != nil { state.withLock { $0.hasBegun = true } }
  }

  /// - Parameter isDurable: Whether it must be on the disk soon. What a run comes to that reaches no device need not:
  ///   nothing was done, and nothing is lost with it.
  func append(_ kind: JournalEntry.Kind, isDurable: Bool = false) {
    let hasBegun = state.withLock { state in
      if case .scenario = kind { state.hasBegun = true }
      return state.hasBegun
    }
    write(kind, isDurable && hasBegun)
  }
  func commit(_ kind: JournalEntry.Kind) async -> Bool { await writeThrough(kind) }

  /// A number that no other load of the run has.
  func nextPlay() -> Int {
    state.withLock { state in
      state.plays += 1
      return state.plays
    }
  }

  /// A scenario could not be resumed: the run is not over, and can be resumed once more.
  func leaveOpen() { state.withLock { $0.isLeftOpen = true } }
  var isLeftOpen: Bool { state.withLock { $0.isLeftOpen } }

  /// Nothing more can be written; the run is ended.
  package func fail() {
    let interrupt = state.withLock { state in
      state.hasFailed = true
      return state.interrupt
    }
    interrupt?()
  }

  /// - Parameter interrupt: Ends the run; called at once where the journal has failed already.
  func onFailure(_ interrupt: @escaping @Sendable () -> Void) {
    let hasFailed = state.withLock { state in
      state.interrupt = interrupt
      return state.hasFailed
    }
    if hasFailed { interrupt() }
  }
}

/// The journal of one try of a scenario.
struct AttemptJournal: Sendable {
  let journal: RunJournal
  let runID: String
  /// The key of the try, the same in each part of the run.
  let key: JournalKey

  var earlier: JournaledWork { journal.earlier }
  func append(_ kind: JournalEntry.Kind, isDurable: Bool = false) { journal.append(kind, isDurable: isDurable) }
  func commit(_ kind: JournalEntry.Kind) async -> Bool { await journal.commit(kind) }
  func noteStreak(of rule: String, on device: Int, isOver: Bool, before: Double = 0) {
    var streak = JournalEntry.Streak()
    (streak.key, streak.name, streak.device) = (key, rule, device)
    (streak.isOver, streak.before) = (isOver, isOver ? 0 : before)
    append(.streak(streak))
  }
  func nextPlay() -> String { "\(runID)-\(journal.nextPlay())" }
}
