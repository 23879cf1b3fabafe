import CastClient
import CastProtocol
import ScenarioLanguage

@testable import DeviceControl
@testable import RunReporting

/// Shorthand for statuses and conditions in tables.
enum Make {
  static let span = SourceSpan(file: "a.yaml", line: 3, column: 5, endLine: 3, endColumn: 12)

  /// A media status of session 1 that was received at `at` seconds.
  static func snapshot(
    _ state: MediaStatus.PlayerState, position: Double? = nil, at seconds: Double = 0, rate: Double? = 1,
    session: Int = 1, edit: (inout MediaStatus) -> Void = { _ in }
  ) -> DeviceSnapshot {
    var media = MediaStatus()
    media.mediaSessionID = session
    media.playerState = state
    media.currentTime = position
    media.playbackRate = rate
    edit(&media)
    var snapshot = DeviceSnapshot()
    snapshot.isConnected = true
    snapshot.media = media
    snapshot.mediaTimeReceivedAt = .seconds(seconds)
    return snapshot
  }

  /// An ad clip that began `time` seconds before the status of `at` seconds.
  static func inBreak(clip: String = "car", time: Double, skippableAt: Double?, at seconds: Double) -> DeviceSnapshot {
    snapshot(.playing, position: 10, at: seconds) { media in
      var state = MediaStatus.BreakStatus()
      state.breakID = "mid"
      state.breakClipID = clip
      state.currentBreakClipTime = time
      state.whenSkippable = skippableAt
      media.breakStatus = state
    }
  }

  static func status(_ snapshot: DeviceSnapshot, at seconds: Double, _ source: Observation.Source = .push)
    -> ObservedStatus
  { ObservedStatus(StatusView(snapshot, at: .seconds(seconds)), source: source) }

  static func view(_ snapshot: DeviceSnapshot, at seconds: Double) -> StatusView {
    StatusView(snapshot, at: .seconds(seconds))
  }

  static func path(_ text: String) -> FieldPath { FieldPath(text.split(separator: ".").map(String.init)) }

  static func field(_ name: String, _ matcher: Matcher) -> Condition { .field(path(name), matcher, span: span) }
  static func equal(_ name: String, _ value: JSONValue) -> Condition {
    field(name, .equals(.init(.literal(value))))
  }
  static func min(_ name: String, _ value: Double) -> Condition {
    field(name, .range(min: .init(.literal(.double(value))), max: nil, above: nil, below: nil))
  }
}

extension ExpectationStateMachine {
  /// Feeds statuses in order and lets every timer fire until a verdict comes; `answer` is what a refresh brings.
  mutating func run(
    from start: StatusView, _ statuses: [ObservedStatus], answer: (Duration) -> ObservedStatus? = { _ in nil }
  ) -> (verdict: Verdict?, refreshes: [Duration]) {
    var refreshes: [Duration] = []
    var waiting = statuses
    var effects = begin(with: start)
    var now = start.at
    for _ in 0..<1000 {
      for effect in effects {
        switch effect {
        case .finished(let verdict): return (verdict, refreshes)
        case .refresh:
          refreshes.append(now)
          if let polled = answer(now) {
            waiting.append(polled)
            waiting.sort { $0.view.at < $1.view.at }
          }
        }
      }
      if let first = waiting.first, first.view.at <= nextCheck {
        waiting.removeFirst()
        now = first.view.at
        effects = observe(first)
      } else {
        now = max(now, nextCheck)
        effects = timerFired(at: now)
      }
    }
    return (nil, refreshes)
  }
}
