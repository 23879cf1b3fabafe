import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// Why a running step, and with it its section, ends before its time.
enum StopCause: Sendable {
  case interrupted(Runner.Interruption)
  /// The scenario's own, or the cleanup's.
  case deadline(Duration)
  case monitor(String)
  /// Another branch of the same `parallel` failed.
  case branch(String)
  /// Another sender has the device now, or our app is gone.
  case failure(StepFailure)
}

/// What may stop the lines of steps of one scenario, from wherever it comes: the document's steps are one line, each
/// branch of `parallel` is another while it runs.
final class StopTree: Sendable {
  /// A line of steps.
  struct Line: Hashable, Sendable {
    fileprivate let number: Int
    /// Where the document's steps run.
    static let main = Line(number: 0)
  }

  private struct Node {
    var parent: Line?
    /// The device of the running step; `nil` while it has none of several.
    var device: Int?
    var cause: StopCause?
    /// Cleans up although it, or the run, was stopped.
    var isShielded = false
    var running: Task<Void, Never>?
    /// What the running step waits for.
    var awaited: [Condition] = []
    /// Whether the running step, or one that it stands in, is tried again when the app is gone.
    var retriesLoss = false
  }

  private struct State {
    var cause: StopCause?
    var nodes: [Line: Node]
    var lastLine = 0
    var interruptions = 0
    var firstInterruption: Runner.Interruption?
    var isCleaningUp = false

    /// A line that cleans up sees only what came since.
    func cause(of line: Line) -> StopCause? {
      var id: Line? = line
      while let current = id, let node = nodes[current] {
        if let cause = node.cause { return cause }
        if node.isShielded { return nil }
        id = node.parent
      }
      return cause
    }

    /// Whether `line` is `outer` or runs inside it, and does not clean up.
    func isInside(_ line: Line, _ outer: Line) -> Bool {
      var id: Line? = line
      while let current = id, let node = nodes[current] {
        if current == outer { return true }
        if node.isShielded { return false }
        id = node.parent
      }
      return false
    }

    var ordered: [Line] { nodes.keys.sorted { $0.number < $1.number } }
  }

  private let state: Mutex<State>

  /// - Parameter device: The only device; `nil` where there are several.
  init(device: Int?) {
    state = Mutex(State(nodes: [.main: Node(device: device)]))
  }

  // MARK: lines

  /// A line that begins where `parent` stands.
  func open(from parent: Line, device: Int?) -> Line {
    state.withLock { state in
      state.lastLine += 1
      let line = Line(number: state.lastLine)
      var node = Node(parent: parent, device: device)
      node.retriesLoss = state.nodes[parent]?.retriesLoss ?? false
      state.nodes[line] = node
      return line
    }
  }

  func close(_ line: Line) { state.withLock { $0.nodes[line] = nil } }

  /// Notes which device the running step of a line is about.
  func set(device: Int?, of line: Line) { state.withLock { $0.nodes[line]?.device = device } }

  /// Notes what a step waits for while it runs.
  func set(awaited: [Condition], of line: Line) { state.withLock { $0.nodes[line]?.awaited = awaited } }

  /// - Returns: What it was before.
  func set(retriesLoss: Bool, of line: Line) -> Bool {
    state.withLock { state in
      defer { state.nodes[line]?.retriesLoss = retriesLoss }
      return state.nodes[line]?.retriesLoss ?? false
    }
  }

  func awaited(by line: Line) -> [Condition] { state.withLock { $0.nodes[line]?.awaited ?? [] } }
  func retriesLoss(_ line: Line) -> Bool { state.withLock { $0.nodes[line]?.retriesLoss ?? false } }

  /// The lines whose running step may be about the device, with what each waits for.
  func lines(about device: Int) -> [(line: Line, awaited: [Condition], retriesLoss: Bool)] {
    state.withLock { state in
      state.ordered.compactMap { line in
        guard let node = state.nodes[line], node.device == nil || node.device == device else { return nil }
        return (line, node.awaited, node.retriesLoss)
      }
    }
  }

  // MARK: stopping

  /// Why the running step of a line ends before its time; `nil` while nothing stops it.
  func cause(of line: Line) -> StopCause? { state.withLock { $0.cause(of: line) } }

  /// Why everything ends before its time.
  var cause: StopCause? { state.withLock { $0.cause } }

  /// Ends everything that runs; the first cause counts.
  func stop(_ cause: StopCause) {
    let running = state.withLock { state in
      state.cause = state.cause ?? cause
      return state.ordered.compactMap { line in
        guard let node = state.nodes[line] else { return nil as Task<Void, Never>? }
        if node.isShielded, node.cause == nil { state.nodes[line]?.cause = cause }
        return node.running
      }
    }
    for task in running { task.cancel() }
  }

  /// Ends a branch and those inside it.
  func stop(_ line: Line, _ cause: StopCause) {
    let running = state.withLock { state in
      guard state.nodes[line] != nil else { return [Task<Void, Never>]() }
      if state.nodes[line]?.cause == nil { state.nodes[line]?.cause = cause }
      return state.ordered.filter { state.isInside($0, line) }.compactMap { state.nodes[$0]?.running }
    }
    for task in running { task.cancel() }
  }

  /// Ends the running try of a line, and no more.
  func cancelRunning(_ line: Line) { state.withLock { $0.nodes[line]?.running }?.cancel() }

  /// Forgets what stopped the run: the steps that follow run again.
  func forgetCause() { state.withLock { $0.cause = nil } }

  /// The user stops the run: the first time ends the running step, the second also skips the rest of cleaning up.
  func interrupt(_ interruption: Runner.Interruption) {
    let isEnough = state.withLock { state in
      state.interruptions += 1
      state.firstInterruption = state.firstInterruption ?? interruption
      return state.interruptions > 1 || !state.isCleaningUp
    }
    if isEnough { stop(.interrupted(interruption)) }
  }

  var interruptions: Int { state.withLock { $0.interruptions } }
  var firstInterruption: Runner.Interruption? { state.withLock { $0.firstInterruption } }

  /// From here on `on_failure` and `finally` run: what stopped the steps does not stop them, unless the user insists.
  func beginCleanup() {
    state.withLock { state in
      state.isCleaningUp = true
      if state.interruptions < 2 { state.cause = nil }
    }
  }

  // MARK: running

  /// Runs `body` in a task that stopping cancels; `body` must end soon when cancelled.
  /// - Parameter preferred: Where the task runs best, unless the clock says where it must.
  /// - Returns: `nil` where the line was stopped already.
  func runCancellably<T: Sendable>(
    _ line: Line, on time: TimeSource, preferring preferred: (any TaskExecutor)? = nil,
    _ body: @escaping @Sendable () async -> T
  ) async -> T? {
    let box = Box<T>()
    let task = state.withLock { state -> Task<Void, Never>? in
      if state.cause(of: line) != nil { return nil }
      let task = time.spawn(on: preferred) {
        let value = await body()
        box.result.withLock { $0 = value }
      }
      state.nodes[line]?.running = task
      return task
    }
    guard let task else { return nil }
    await task.value
    state.withLock { $0.nodes[line]?.running = nil }
    return box.result.withLock { $0 }
  }

  /// Runs `body` as if nothing had been stopped yet.
  func shielded<T>(_ line: Line, _ body: () async -> T) async -> T {
    let outer = state.withLock { state in
      let outer = (state.nodes[line]?.cause, state.nodes[line]?.isShielded ?? false)
      state.nodes[line]?.cause = nil
      state.nodes[line]?.isShielded = true
      return outer
    }
    defer {
      state.withLock { state in
        state.nodes[line]?.cause = outer.0
        state.nodes[line]?.isShielded = outer.1
      }
    }
    return await body()
  }
}

/// Holds the value of a task for its caller.
private final class Box<T: Sendable>: Sendable {
  let result = Mutex<T?>(nil)
}

extension StopTree {
  /// Whether this line itself was stopped, and not only a line around it.
  func isStopped(_ line: Line) -> Bool { state.withLock { $0.nodes[line]?.cause != nil } }
}
