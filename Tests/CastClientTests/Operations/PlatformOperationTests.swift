import CastProtocol
import Testing

@testable import CastClient

@Suite struct PlatformOperationTests {
  private static func volume(_ level: Double?, muted: Bool? = false, step: Double? = nil) -> ReceiverStatus {
    var status = ReceiverStatus()
    status.volume.level = level
    status.volume.muted = muted
    status.volume.stepInterval = step
    return status
  }

  /// What is wanted, what a status says, and whether that is it.
  static let volumes: [(Double?, Bool?, ReceiverStatus, Bool)] = [
    (0.4, nil, volume(0.4), true),
    (0.4, nil, volume(0.4000000059604645, step: 0.01), true),
    (0.4, nil, volume(0.41, step: 0.01), true),
    (0.4, nil, volume(0.42, step: 0.01), false),
    (0.4, nil, volume(0.44), true),
    (0.4, nil, volume(0.5), false),
    (0.4, nil, volume(nil), false),
    (nil, true, volume(0.4, muted: true), true),
    (nil, true, volume(0.4), false),
    (nil, true, volume(0.4, muted: nil), false),
    (0.4, false, volume(0.4, muted: true), false),
    (0.4, false, volume(0.4), true),
  ]
  @Test("The volume is set when any status shows it within one step", arguments: volumes)
  func volume(level: Double?, muted: Bool?, status: ReceiverStatus, isReached: Bool) {
    var machine = VolumeStateMachine(level: level, muted: muted)
    #expect(machine.begin(at: .zero).count == (level == nil ? 0 : 1) + (muted == nil ? 0 : 1))
    let expected: [OperationEffect] = isReached ? [.finish(.success(.done))] : []
    #expect(machine.receive(.receiverStatus(status, .spontaneous), at: .zero) == expected)
    #expect(machine.receive(.receiverStatus(status, .own(.deviceVolume)), at: .zero) == expected)
  }

  @Test("Level and mute go as two requests, as the protocol wants")
  func oneEach() {
    var machine = VolumeStateMachine(level: 0.4, muted: true)
    #expect(
      machine.begin(at: .zero) == [
        .request(.receiver(.setVolume(level: 0.4, muted: nil))),
        .request(.receiver(.setVolume(level: nil, muted: true))),
      ])
    #expect(machine.timeout.message == "no reply to SET_VOLUME")
    _ = machine.receive(.receiverStatus(Self.volume(0.2), .spontaneous), at: .zero)
    #expect(machine.timeout.message == "the device still says level 0.2, muted false")
  }

  @Test("An app is stopped when no status lists its session, whoever the status answers")
  func stop() throws {
    let running = ReceiverStatus.running("CC1AD845").application
    for answer in [Correlation.own(.stopApp), .spontaneous, .foreign] {
      var machine = StopAppStateMachine(film, running: running)
      #expect(machine.begin(at: .zero) == [.request(.receiver(.stop(sessionID: "s-1")))])
      #expect(machine.receive(.receiverStatus(.running("CC1AD845"), answer), at: .zero).isEmpty)
      #expect(machine.receive(.receiverStatus(.running(nil), answer), at: .zero) == [.finish(.success(.done))])
    }
    var unknown = StopAppStateMachine(film, running: running)
    let refusal = try Refusal.sample(.invalidRequest, reason: "INVALID_SESSION_ID")
    #expect(unknown.play([.refused(refusal, from: .receiver, .own(.stopApp))]) == [[.finish(.success(.done))]])
    var refused = StopAppStateMachine(film, running: running)
    let other = try Refusal.sample(.invalidRequest, reason: "INVALID_COMMAND")
    #expect(
      refused.receive(.refused(other, from: .receiver, .own(.stopApp)), at: .zero).map(\.failure) == [.invalidRequest])
    var over = StopAppStateMachine(film, running: nil)
    #expect(over.begin(at: .zero) == [.finish(.success(.done))])
  }

  @Test("A refresh ends at its own reply only; opening at any status")
  func refresh() {
    var asked = RefreshStateMachine(replyTimeout: .seconds(5))
    #expect(asked.begin(at: .zero) == [.request(.receiver(.getStatus), within: .seconds(5))])
    #expect(asked.play([.receiverStatus(.running(nil), .foreign)]) == [[]])
    #expect(asked.play([.receiverStatus(.running(nil), .own(.receiverStatus))]) == [[.finish(.success(.done))]])
    var opening = RefreshStateMachine(connects: true, replyTimeout: .seconds(5))
    #expect(opening.begin(at: .zero).first == .connect(.receiver))
    #expect(opening.play([.receiverStatus(.running(nil), .foreign)]) == [[.finish(.success(.done))]])
    var silent = RefreshStateMachine(film, replyTimeout: .seconds(5))
    #expect(silent.receive(.expired(.mediaStatus), at: .zero).map(\.failure) == [.timeout])
  }
}
