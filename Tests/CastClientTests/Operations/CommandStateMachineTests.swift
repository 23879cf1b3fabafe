import CastProtocol
import Testing

@testable import CastClient

@Suite struct CommandStateMachineTests {
  private static let app = film.transportID

  private func machine(_ command: MediaRequest) -> CommandStateMachine {
    CommandStateMachine(command, in: film, replyTimeout: .seconds(5))
  }

  private static func paused(at time: Double) -> MediaStatus {
    var status = MediaStatus.session(3, .paused)
    status.currentTime = time
    return status
  }
  private static func playing(rate: Double, tracks: [Int]) -> MediaStatus {
    var status = MediaStatus.session(3, .playing)
    status.playbackRate = rate
    status.activeTrackIDs = tracks
    return status
  }

  /// A command, a status without an id, and whether it shows the command's effect.
  static let shown: [(MediaRequest, MediaStatus?, Bool)] = [
    (MediaRequest(.play, session: 3), .session(3, .playing), true),
    (MediaRequest(.play, session: 3), .session(3, .buffering), true),
    (MediaRequest(.play, session: 3), .session(3, .paused), false),
    (MediaRequest(.play, session: 3), .session(4, .playing), false),
    (MediaRequest(.play, session: 3), nil, false),
    (MediaRequest(.pause, session: 3), .session(3, .paused), true),
    (MediaRequest(.pause, session: 3), .session(3, .playing), false),
    (MediaRequest(.stop, session: 3), .session(3, .idle, reason: .cancelled), true),
    (MediaRequest(.stop, session: 3), .session(3, .idle, reason: .finished, loadingItem: 2), false),
    (MediaRequest(.stop, session: 3), nil, true),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 91.5), true),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 12), false),
    (MediaRequest(.setPlaybackRate(.absolute(1.5)), session: 3), playing(rate: 1.5, tracks: []), true),
    (MediaRequest(.setPlaybackRate(.absolute(1.5)), session: 3), playing(rate: 1, tracks: []), false),
    (MediaRequest(.setPlaybackRate(.relative(1.5)), session: 3), playing(rate: 1.5, tracks: []), false),
    (
      MediaRequest(.editTracks(activeTrackIDs: [2], textTrackStyle: nil), session: 3), playing(rate: 1, tracks: [2]),
      true
    ),
    (
      MediaRequest(.editTracks(activeTrackIDs: [2], textTrackStyle: nil), session: 3), playing(rate: 1, tracks: []),
      false
    ),
    (MediaRequest(.skipAd, session: 3), .session(3, .playing), true),
  ]
  /// A command, the state and position before it, a status that shows what it asks for, and whether that status tells.
  static let told: [(MediaRequest, MediaStatus, Double, MediaStatus, Bool)] = [
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 12), 12, paused(at: 90), true),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 80), 85.9, paused(at: 90), true),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 80), 86.1, paused(at: 88.5), false),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 99), 93.9, paused(at: 91), false),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 120), 120, paused(at: 90), true),
    // Played since the last status, so one that was held up on its way can still say it.
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 90), 120, paused(at: 91), false),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 60), 120, paused(at: 90), false),
    (MediaRequest(.seek(.init(currentTime: 90)), session: 3), paused(at: 94.5), 120, paused(at: 90), true),
    (MediaRequest(.pause, session: 3), .session(3, .playing), 5, .session(3, .paused), true),
    (MediaRequest(.pause, session: 3), .session(3, .paused), 5, .session(3, .paused), false),
    (MediaRequest(.play, session: 3), .session(3, .buffering), 5, .session(3, .playing), false),
    (
      MediaRequest(.setPlaybackRate(.absolute(1.5)), session: 3), playing(rate: 1.5, tracks: []), 5,
      playing(rate: 1.5, tracks: []), false
    ),
  ]
  @Test(
    "A status that nobody asked for tells of a command only where the state before did not show its effect already",
    arguments: told)
  func newEffects(
    command: MediaRequest, before: MediaStatus, position: Double, status: MediaStatus, tells: Bool
  ) {
    var machine = CommandStateMachine(
      command, in: film, current: before, position: position, replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    let effects = machine.play([.mediaStatus(status, from: Self.app, .spontaneous)])
    let isSeek = if case .seek = command.command { true } else { false }
    let question = OperationEffect.request(.media(.getStatus, to: Self.app), within: .seconds(5))
    #expect(effects == [tells ? [.finish(.success(.done))] : isSeek ? [question] : []])
    if tells { return }
    // The app is asked at once whether it has sought, and once only.
    if isSeek {
      #expect(machine.play([.mediaStatus(status, from: Self.app, .spontaneous)]) == [[]])
      var asked = machine
      #expect(asked.play([.mediaStatus(Self.paused(at: 30), from: Self.app, .own(.mediaStatus))]) == [[]])
      #expect(asked.play([.mediaStatus(status, from: Self.app, .own(.mediaStatus))]) == [[.finish(.success(.done))]])
    }
    // Its reply ends it all the same, and so does what it shows when the app is asked.
    var other = machine
    #expect(machine.play([.mediaStatus(status, from: Self.app, .own(.command))]) == [[.finish(.success(.done))]])
    _ = other.play([.expired(.command)])
    #expect(other.play([.mediaStatus(status, from: Self.app, .own(.mediaStatus))]) == [[.finish(.success(.done))]])
  }

  @Test(
    "A seek that nobody answered is done where the app is from there on, and not where it would be without it",
    arguments: [
      (0, .playing, 5, true), (0, .playing, 25, false), (0, .playing, 7.5, false), (0, .paused, 1, true),
      (0, .paused, 5, false), (24, .playing, 29, true), (24, .playing, 25, false), (24, .buffering, 27.5, true),
      (90, .playing, 87, false),
    ] as [(sought: Double, MediaStatus.PlayerState, time: Double, isDone: Bool)])
  func unansweredSeek(sought: Double, player: MediaStatus.PlayerState, time: Double, isDone: Bool) {
    var machine = CommandStateMachine(
      MediaRequest(.seek(.init(currentTime: sought)), session: 3), in: film, current: .session(3, .playing),
      position: 20, replyTimeout: .seconds(5))
    _ = machine.begin(at: .seconds(1))
    _ = machine.receive(.expired(.command), at: .seconds(6))
    var status = MediaStatus.session(3, player)
    status.currentTime = time
    let effects = machine.receive(.mediaStatus(status, from: Self.app, .own(.mediaStatus)), at: .seconds(6))
    #expect(effects == [.finish(isDone ? .success(.done) : .failure(machine.timeout))])
  }

  @Test("What was sought has played on as fast as the app plays", arguments: [(1, 10, false), (2, 10, true)])
  func unansweredSeek(rate: Double, time: Double, isDone: Bool) {
    var machine = CommandStateMachine(
      MediaRequest(.seek(.init(currentTime: 0)), session: 3), in: film, current: .session(3, .playing), position: 20,
      replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    _ = machine.receive(.expired(.command), at: .seconds(5))
    var status = Self.playing(rate: rate, tracks: [])
    status.currentTime = time
    let effects = machine.receive(.mediaStatus(status, from: Self.app, .own(.mediaStatus)), at: .seconds(5))
    #expect(effects == [.finish(isDone ? .success(.done) : .failure(machine.timeout))])
  }

  @Test("The end of a question that was asked early is not the end of the one that follows", arguments: [0, 1, 2])
  func earlyQuestion(end: Int) throws {
    let seek = MediaRequest(.seek(.init(currentTime: 90)), session: 3)
    var machine = CommandStateMachine(
      seek, in: film, current: Self.paused(at: 90), position: 120, replyTimeout: .seconds(5))
    _ = machine.begin(at: .zero)
    let question = OperationEffect.request(.media(.getStatus, to: Self.app), within: .seconds(5))
    #expect(machine.play([.mediaStatus(Self.paused(at: 91), from: Self.app, .spontaneous)]) == [[question]])
    #expect(machine.play([.expired(.command)]) == [[question]])
    let ends: [OperationEvent] = [
      .expired(.mediaStatus), .mediaStatus(Self.paused(at: 120), from: Self.app, .own(.mediaStatus)),
      .refused(try Refusal.sample(.invalidRequest), from: Self.app, .own(.mediaStatus)),
    ]
    #expect(machine.play([ends[end]]) == [[]])
    var late = machine
    #expect(late.play([.expired(.mediaStatus)]) == [[.finish(.failure(machine.timeout))]])
    let answer = OperationEvent.mediaStatus(Self.paused(at: 90), from: Self.app, .own(.mediaStatus))
    #expect(machine.play([answer]) == [[.finish(.success(.done))]])
  }

  @Test("A command is done at its reply, or at a status without an id that shows its effect", arguments: shown)
  func done(command: MediaRequest, status: MediaStatus?, isDone: Bool) {
    var machine = machine(command)
    #expect(machine.begin(at: .zero) == [.request(.media(command, to: Self.app), within: .seconds(5))])
    #expect(machine.play([.mediaStatus(status, from: Self.app, .foreign)]) == [[]])
    #expect(machine.play([.mediaStatus(status, from: EndpointID("t-9"), .spontaneous)]) == [[]])
    let effects = machine.play([.mediaStatus(status, from: Self.app, .spontaneous)])
    #expect(effects == (isDone ? [[.finish(.success(.done))]] : [[]]))
    if !isDone {
      #expect(machine.play([.mediaStatus(status, from: Self.app, .own(.command))]) == [[.finish(.success(.done))]])
    }
  }

  static let refusals: [(Refusal.Kind, String?, ClientError.Class)] = [
    (.invalidPlayerState, nil, .invalidState), (.invalidRequest, "INVALID_PARAMS", .invalidRequest),
    (.invalidRequest, nil, .invalidRequest), (.error, "NOT_SUPPORTED", .mediaError),
    (.error, "INVALID_COMMAND", .invalidRequest),
  ]
  @Test("A refused command says why", arguments: refusals)
  func refused(kind: Refusal.Kind, reason: String?, expected: ClientError.Class) throws {
    var machine = machine(MediaRequest(.pause, session: 3))
    let refusal = try Refusal.sample(kind, reason: reason)
    #expect(machine.play([.refused(refusal, from: Self.app, .foreign)]) == [[]])
    #expect(machine.receive(.refused(refusal, from: Self.app, .own(.command)), at: .zero).map(\.failure) == [expected])
  }

  @Test("No reply in time is a timeout that names the command, after the app was asked where a status can tell more")
  func silence() {
    func timeout(_ name: String) -> OperationEffect {
      .finish(.failure(ClientError(.timeout, "no reply to \(name)")))
    }
    let command = MediaRequest(.queueNext, session: 3)
    var next = machine(command)
    #expect(next.receive(.expired(.queueCommand), at: .zero) == [timeout(command.command.type)])
    var pause = machine(MediaRequest(.pause, session: 3))
    #expect(
      pause.receive(.expired(.command), at: .zero)
        == [.request(.media(.getStatus, to: Self.app), within: .seconds(5))])
    #expect(pause.receive(.expired(.mediaStatus), at: .zero) == [timeout("PAUSE")])
  }

  @Test("A stale media session id is refreshed and tried once more, no oftener (quirk 35)")
  func stale() throws {
    let stale = OperationEvent.refused(
      try .sample(.invalidRequest, reason: "INVALID_MEDIA_SESSION_ID"), from: Self.app, .own(.command))
    let ask = OperationEffect.request(.media(.getStatus, to: Self.app), within: .seconds(5))
    var machine = machine(MediaRequest(.stop, session: 3))
    #expect(machine.play([stale]) == [[ask]])

    var unchanged = machine
    let same = OperationEvent.mediaStatus(.session(3, .playing), from: Self.app, .own(.mediaStatus))
    #expect(unchanged.receive(same, at: .zero).map(\.failure) == [.invalidRequest])
    var gone = machine
    let none = OperationEvent.mediaStatus(nil, from: Self.app, .own(.mediaStatus))
    #expect(gone.receive(none, at: .zero).map(\.failure) == [.invalidRequest])
    var silent = machine
    #expect(silent.receive(.expired(.mediaStatus), at: .zero).map(\.failure) == [.invalidRequest])

    let fresh = OperationEvent.mediaStatus(.session(5, .playing), from: Self.app, .own(.mediaStatus))
    let again = OperationEffect.request(.media(MediaRequest(.stop, session: 5), to: Self.app), within: .seconds(5))
    #expect(machine.play([fresh]) == [[again]])
    #expect(machine.receive(stale, at: .zero).map(\.failure) == [.invalidRequest])
  }
}
