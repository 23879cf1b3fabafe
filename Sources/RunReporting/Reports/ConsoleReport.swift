import CastProtocol
import ScenarioLanguage
import Synchronization

extension ReportKind {
  package static let console = ReportKind(
    name: "console", summary: "what a person reads, without a terminal",
    make: { sources, write in ConsoleReport(of: sources, writingTo: write) },
    makeForSeveral: { write in
      ConsecutiveReport(
        writingTo: write, part: { _, sources in ConsoleReport(of: sources, writingTo: write) },
        notice: { $0.consoleLine + "\n" }, ending: { $0.line + "\n" })
    })
}

/// Tells a person how a run goes (docs/runs.md "The console"), line by line or redrawn in place.
package final class ConsoleReport: RunReport {
  package enum Level: Int, Comparable, Sendable {
    /// The verdict, and which steps failed why.
    case quiet
    case normal
    /// Every status.
    case verbose
    /// Every message.
    case wire

    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  package struct Style: Sendable {
    package var level = Level.normal
    /// The terminal's width in columns when lines may be redrawn in place; `nil` for logs and pipes.
    package var terminalWidth: Int?
    /// The width as of now, where it may change.
    package var currentWidth: (@Sendable () -> Int)?
    /// The terminal's rows as of now.
    package var currentHeight: (@Sendable () -> Int)?
    /// What several runs that go on at the same time are told on, and the place of this one among them.
    package var board: (board: LiveBoard, place: Int)?
    /// What tells the run from the others on ``board``.
    package var label: String?
    /// Whether to colour (`NO_COLOR` unset, and a terminal).
    package var hasColor = false
    /// Where the event stream went, for the last line.
    package var eventsPath: String?
    /// The documents by their file names, for the lines a failure points at.
    package var sources: [String: String] = [:]
    /// What is known of a run without an end.
    package var fate = RunFate.unknown

    package init() {}
  }

  private struct State {
    var transcript = RunTranscript()
    var live: LiveBlock?
    /// A row of steps that were not run, told together when it is over.
    var notRun: [Event] = []
    /// Lines that a slow reader had no room for, and that no notice has counted yet.
    var missed = 0
    var failure: (any Error)?
  }

  private let style: Style
  private let lines: ConsoleLines
  private let offer: @Sendable (String, _ isVerdict: Bool) throws -> Bool
  private let state: Mutex<State>

  /// What a person reads without a terminal.
  fileprivate convenience init(
    of sources: ReportSources, writingTo write: @escaping @Sendable (String) throws -> Void
  ) {
    var style = Style()
    (style.sources, style.fate) = (sources.texts, sources.fate)
    self.init(style, writingTo: write)
  }

  /// `write` gets whole lines, or what redraws them.
  package convenience init(_ style: Style = Style(), writingTo write: @escaping @Sendable (String) throws -> Void) {
    self.init(style) { text, _ in
      try write(text)
      return true
    }
  }

  /// `offer` gets whole lines, or what redraws them, and answers whether it took them: what a slow reader has no room
  /// for is left out, and the next lines say how many were. It is told whether the lines are a verdict, which is always to
  /// be taken: without it nothing else is worth much.
  package init(
    _ style: Style = Style(), offeringTo offer: @escaping @Sendable (String, _ isVerdict: Bool) throws -> Bool
  ) {
    self.style = style
    self.offer = offer
    lines = ConsoleLines(style)
    let live = style.terminalWidth.flatMap { style.level == .quiet ? nil : LiveBlock(width: $0, color: style.hasColor) }
    var transcript = RunTranscript()
    transcript.fate = style.fate
    state = Mutex(State(transcript: transcript, live: live))
  }

  package func record(_ event: Event) {
    state.withLock { state in
      state.transcript.record(event)
      if case .stepFinished(let step) = event.kind, step.result == .notRun { return state.notRun.append(event) }
      var told = lines.notRun(state.notRun, isLive: state.live != nil)
      state.notRun = []
      let width = state.live == nil ? nil : terminalWidth
      told += lines.text(for: event, in: state.transcript, width: width)
      if style.level == .quiet, event.type == .runFinished {
        told.insert(
          contentsOf: cures(state.transcript), at: told.lastIndex { $0.hasPrefix("events ") } ?? told.endIndex)
      }
      let hasBlock = state.live != nil && event.type != .runFinished
      let isVerdict = event.type == .scenarioFinished || event.type == .runFinished
      show(
        told, block: hasBlock ? liveView(state.transcript, at: event.elapsed).lines : [],
        isVerdict: isVerdict, &state)
    }
  }

  /// What cures what failed apart from the steps: all else that quiet tells of it is in its verdict.
  private func cures(_ run: RunTranscript) -> [String] {
    var known: Set<String> = []
    return run.finalScenarios.compactMap { $0.finished?.error?.help }.filter { known.insert($0).inserted }
      .map { TerminalText.escaped("help: \($0)") }
  }

  /// Redraws what moves by itself; call it a few times a second on a terminal. `elapsed` is document seconds since the
  /// run began.
  package func refresh(elapsed: Double) {
    state.withLock { state in
      guard state.live != nil, state.transcript.finished == nil else { return }
      show([], block: liveView(state.transcript, at: elapsed).lines, isVerdict: false, &state)
    }
  }

  private func liveView(_ run: RunTranscript, at elapsed: Double) -> LiveView {
    LiveView(run, at: elapsed, width: terminalWidth, height: style.currentHeight?(), label: style.label)
  }

  private var terminalWidth: Int? { style.currentWidth?() ?? style.terminalWidth }

  /// Tells lines, and draws the block below them where there is one.
  private func show(_ told: [String], block: [String], isVerdict: Bool, _ state: inout State) {
    guard state.failure == nil else { return }
    let lines = (state.missed > 0 ? [SlowReader.note(lines: state.missed)] : []) + told
    if let (board, place) = style.board {
      if board.show(lines, block: block, of: place, isVerdict: isVerdict) {
        state.missed = 0
      } else {
        state.missed += told.count
      }
      return
    }
    var live = state.live
    let text =
      live == nil
      ? lines.map { $0 + "\n" }.joined()
      : live?.redraw(
        scrolling: lines, block: block, width: style.currentWidth?(), height: style.currentHeight?()) ?? ""
    if text.isEmpty { return }
    do {
      if try offer(text, isVerdict) {
        // What was not taken does not stand on the terminal: the next redraw begins where it was.
        (state.live, state.missed) = (live, 0)
      } else {
        state.missed += told.count
      }
    } catch {
      state.failure = error
    }
  }

  /// Says of a run without an end that it has none, and what ran then.
  package func endOfStream() {
    state.withLock { state in
      guard state.transcript.finished == nil else { return }
      let told =
        lines.notRun(state.notRun, isLive: state.live != nil)
        + lines.unfinished(state.transcript, at: state.transcript.time)
        + [style.fate.message] + (style.fate.help.map { [TerminalText.escaped("help: \($0)")] } ?? [])
      state.notRun = []
      show(told, block: [], isVerdict: true, &state)
    }
  }

  /// Why nothing more is shown.
  package var writeError: (any Error)? { state.withLock { $0.failure } }
}
