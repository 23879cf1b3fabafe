import CastProtocol
import RunReporting
import ScenarioLanguage
import Testing

@testable import DeviceControl

/// Why what was watched to its end did not end by itself, and what to do about it.
@Suite struct EndOfPlayTests {
  /// - Parameter app: The id of the app that runs; `nil`: none.
  private static func view(app: String?, reason: MediaStatus.IdleReason?, error: Int?) -> StatusView {
    var snapshot = Make.snapshot(.idle) { $0.idleReason = reason }
    if reason == nil { snapshot.media = nil }
    snapshot.detailedErrorCode = error
    snapshot.receiver = ReceiverStatus()
    if let app {
      var application = ReceiverStatus.Application()
      application.appID = app
      application.displayName = "Player"
      snapshot.receiver?.application = application
    }
    return Make.view(snapshot, at: 0)
  }

  struct End: Sendable, CustomTestStringConvertible {
    var app: String?
    var reason: MediaStatus.IdleReason?
    var error: Int?
    var errorClass: ErrorClass
    var exit: Int32
    var says: String
    var testDescription: String { says }
  }

  static let ends: [End] = [
    End(app: "A", reason: .cancelled, errorClass: .expectation, exit: 1, says: "it was stopped (cancelled)"),
    End(app: "A", reason: .interrupted, errorClass: .expectation, exit: 1, says: "it was interrupted"),
    End(app: "A", reason: .error, error: 104, errorClass: .mediaError, exit: 5, says: "with ERROR 104 MEDIA_SRC"),
    End(app: "A", reason: .error, errorClass: .mediaError, exit: 5, says: "the player stopped with ERROR"),
    End(app: nil, reason: nil, errorClass: .appGone, exit: 5, says: "the app was stopped"),
    End(app: "B", reason: nil, errorClass: .takenOver, exit: 5, says: "taken over by Player (B)"),
    End(app: "A", reason: nil, errorClass: .expectation, exit: 1, says: "did not play to its end: idle"),
  ]

  @Test("Every end but its own is a failure of its class, with what to do", arguments: ends)
  func failure(end: End) {
    let failure = StepFailure(endOfPlay: Self.view(app: end.app, reason: end.reason, error: end.error), in: "A")
    #expect(failure.errorClass == end.errorClass && failure.errorClass.exitCode == end.exit)
    #expect(failure.message.contains(end.says), "\(failure.message)")
    #expect(failure.withCure.help?.isEmpty == false)
  }

  @Test("Any app will do where none is meant")
  func anyApp() {
    let failure = StepFailure(endOfPlay: Self.view(app: "B", reason: nil, error: nil), in: nil)
    #expect(failure.errorClass == .expectation)
  }

  @Test("A cure that is known stays; classes that nobody can cure in a word have none")
  func cures() {
    #expect(StepFailure(.timeout, "late", help: "wait").withCure.help == "wait")
    #expect(StepFailure(.timeout, "late").withCure.help?.contains("--timeout") == true)
    #expect(StepFailure(.interrupted, "stopped").withCure.help == nil)
  }
}
