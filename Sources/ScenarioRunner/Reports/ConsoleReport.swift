import CastProtocol
import Synchronization

/// Tells a person how a run goes (language.md 5.5), line by line or redrawn in place.
package final class ConsoleReport: EventSink {
  package enum Level: Int, Comparable, Sendable {
    /// The verdict only.
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
    /// Whether to colour (`NO_COLOR` unset, and a terminal).
    package var hasColor = false
    /// Where the event stream went, for the last line.
    package var eventsPath: String?
    /// The documents by their file names, for the lines a failure points at.
    package var sources: [String: String] = [:]

    package init() {}
  }

  private struct State {
    var transcript = RunTranscript()
    var live: LiveBlock?
    /// A row of steps that were not run, told together when it is over.
    var notRun: [Event] = []
    var failure: (any Error)?
  }

  private let style: Style
  private let lines: ConsoleLines
  private let write: @Sendable (String) throws -> Void
  private let state: Mutex<State>

  /// `write` gets whole lines, or what redraws them.
  package init(_ style: Style = Style(), writingTo write: @escaping @Sendable (String) throws -> Void) {
    self.style = style
    self.write = write
    lines = ConsoleLines(style)
    let live = style.terminalWidth.flatMap { style.level == .quiet ? nil : LiveBlock(width: $0, color: style.hasColor) }
    state = Mutex(State(live: live))
  }

  package func record(_ event: Event) {
    state.withLock { state in
      state.transcript.record(event)
      if event.type == .stepFinished, event.fields["result"]?.string == "not_run" { return state.notRun.append(event) }
      var told = lines.notRun(state.notRun, isLive: state.live != nil)
      state.notRun = []
      told += lines.text(for: event, in: state.transcript, isLive: state.live != nil)
      if state.live == nil {
        guard !told.isEmpty else { return }
        emit(told.map { $0 + "\n" }.joined(), &state)
      } else {
        let isOver = event.type == .runFinished
        let block = isOver ? [] : LiveView(state.transcript, at: event.elapsed).lines
        if let text = state.live?.redraw(scrolling: told, block: block) { emit(text, &state) }
      }
    }
  }

  /// Redraws what moves by itself; call it a few times a second on a terminal. `elapsed` is document seconds since the
  /// run began.
  package func refresh(elapsed: Double) {
    state.withLock { state in
      guard state.live != nil, state.transcript.finished == nil else { return }
      let block = LiveView(state.transcript, at: elapsed).lines
      if let text = state.live?.redraw(scrolling: [], block: block) { emit(text, &state) }
    }
  }

  /// Why nothing more is shown.
  package var writeError: (any Error)? { state.withLock { $0.failure } }

  private func emit(_ text: String, _ state: inout State) {
    guard state.failure == nil else { return }
    do { try write(text) } catch { state.failure = error }
  }
}
