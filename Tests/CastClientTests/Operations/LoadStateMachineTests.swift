import CastProtocol
import Testing

@testable import CastClient

@Suite struct LoadStateMachineTests {
  private static let app = film.transportID

  private func machine(current: MediaStatus? = nil, lastSequence: Int = 0) -> LoadStateMachine {
    LoadStateMachine(
      LoadRequest(media: MediaInformation(content: "a.mp4")), in: film, current: current, lastSequence: lastSequence)
  }

  /// What comes after LOAD while session 3 was there before, and which media session the load ends with.
  static let appearances: [(name: String, events: [OperationEvent], session: Int)] = [
    (
      "variant A: id on PLAYING",
      [.mediaStatus(.session(4, .idle, content: "a.mp4", extended: "LOADING"), from: app, .spontaneous)], 4
    ),
    (
      "variant B: id on LOADING",
      [.mediaStatus(.session(4, .idle, content: "a.mp4", extended: "LOADING"), from: app, .own(.load))], 4
    ),
    ("straight to BUFFERING without media", [.mediaStatus(.session(4, .buffering), from: app, .own(.load))], 4),
    ("media called nothing (quirk 20)", [.mediaStatus(.session(4, .playing, content: ""), from: app, .own(.load))], 4),
    (
      "an unknown state (quirk 19)",
      [.mediaStatus(.session(4, .unknown("X"), content: "a.mp4"), from: app, .spontaneous)], 4
    ),
    (
      "any number, even a lower one",
      [.mediaStatus(.session(1, .playing, content: "a.mp4"), from: app, .spontaneous)], 1
    ),
    (
      "content the app renamed, with our id",
      [.mediaStatus(.session(4, .playing, content: "b"), from: app, .own(.load))], 4
    ),
    (
      "after the old session's end (quirk 15)",
      [
        .mediaStatus(.session(3, .idle, reason: .interrupted, extended: "LOADING"), from: app, .spontaneous),
        .mediaStatus(.session(4, .playing), from: app, .own(.load)),
      ], 4
    ),
    (
      "after no session at all (quirk 4)",
      [.mediaStatus(nil, from: app, .spontaneous), .mediaStatus(.session(4, .playing), from: app, .own(.load))], 4
    ),
    (
      "not by our id on the old session with what played there",
      [
        .mediaStatus(.session(3, .playing, content: "old.mp4"), from: app, .own(.load)),
        .mediaStatus(.session(4, .playing, content: "a.mp4"), from: app, .spontaneous),
      ], 4
    ),
    (
      "not by another app's session",
      [
        .mediaStatus(.session(9, .playing, content: "a.mp4"), from: EndpointID("t-9"), .spontaneous),
        .mediaStatus(.session(4, .playing, content: "a.mp4"), from: app, .spontaneous),
      ], 4
    ),
    (
      "not by what another sender loaded just before",
      [
        .mediaStatus(.session(4, .playing, content: "b.mp4"), from: app, .foreign),
        .mediaStatus(.session(5, .idle, content: "a.mp4", extended: "LOADING"), from: app, .spontaneous),
      ], 5
    ),
    (
      "not by a late answer to a load before the session that was there",
      [
        .mediaStatus(.session(2, .playing, content: "a.mp4"), from: app, .foreign),
        .mediaStatus(.session(4, .playing, content: "a.mp4"), from: app, .spontaneous),
      ], 4
    ),
    (
      "a queue step in error is not the end (quirk 14)",
      [.mediaStatus(.session(4, .idle, reason: .error, content: "a.mp4", loadingItem: 2), from: app, .spontaneous)], 4
    ),
  ]
  @Test("A load is done when a status of a new media session of our app appears", arguments: appearances)
  func loaded(name: String, events: [OperationEvent], session: Int) {
    var machine = machine(current: .session(3, .playing))
    let first = machine.begin(at: .zero)
    guard case .request(.media(let request, to: Self.app), nil)? = first.first, case .load = request.command,
      first.count == 1
    else {
      Issue.record("no LOAD: \(first)")
      return
    }
    let effects = machine.play(events)
    #expect(effects.last == [.finish(.success(.mediaSession(session)))])
    #expect(effects.dropLast().allSatisfy { $0.isEmpty })
  }

  @Test(
    "A media session that names no content is no answer to LOAD until the app has said what it plays",
    arguments: [
      (answer: MediaStatus.session(4, .playing, content: "a.mp4"), isLoaded: true),
      // There is no more to know about an app that names nothing (quirk 20).
      (answer: .session(4, .playing, content: ""), isLoaded: true),
      (answer: .session(4, .playing, content: "b.mp4"), isLoaded: false),
    ], [MediaStatus?.none, .session(3, .playing, content: "old.mp4"), .session(4, .idle, reason: .finished)])
  func unnamed(_ row: (answer: MediaStatus, isLoaded: Bool), current: MediaStatus?) {
    var machine = machine(current: current)
    _ = machine.begin(at: .zero)
    let question = OperationEffect.request(.media(.getStatus, to: Self.app))
    let nameless = OperationEvent.mediaStatus(.session(4, .buffering), from: Self.app, .spontaneous)
    #expect(machine.receive(nameless, at: .zero) == [question])
    #expect(machine.receive(nameless, at: .zero).isEmpty, "asked once")
    #expect(machine.timeout.message.contains("did not say what it plays"))
    let effects = machine.receive(.mediaStatus(row.answer, from: Self.app, .own(.mediaStatus)), at: .seconds(1))
    #expect(effects == (row.isLoaded ? [.finish(.success(.mediaSession(4)))] : []))
    if !row.isLoaded { #expect(machine.timeout.message.contains("`b.mp4`")) }
  }

  /// What an app may do instead of saying what plays: 5 s later there is no more to know, or sooner.
  static let silences: [(name: String, events: [OperationEvent], isOverAtOnce: Bool)] = [
    ("it does not answer", [], false),
    ("its answer has no id of ours", [.mediaStatus(.session(4, .playing), from: app, .spontaneous)], false),
    (
      "it answers another question of ours",
      [.mediaStatus(.session(4, .playing), from: app, .other(.mediaStatus, sequence: 9))], true
    ),
    (
      "it has no session, and then it has",
      [.mediaStatus(nil, from: app, .own(.mediaStatus)), .mediaStatus(.session(4, .playing), from: app, .spontaneous)],
      false
    ),
  ]
  @Test("An app that cannot say what it plays is believed after a while", arguments: silences)
  func silent(name: String, events: [OperationEvent], isOverAtOnce: Bool) {
    var machine = machine()
    _ = machine.play([.mediaStatus(.session(4, .playing), from: Self.app, .spontaneous)])
    let done: [OperationEffect] = [.finish(.success(.mediaSession(4)))]
    #expect(machine.play(events).contains(done) == isOverAtOnce)
    #expect(machine.wakeAt == LoadStateMachine.contentPatience)
    #expect(machine.timerFired(at: .milliseconds(4999)).isEmpty)
    #expect(machine.timerFired(at: LoadStateMachine.contentPatience) == done)
  }

  @Test("A refusal to say what plays is an answer")
  func refusedQuestion() throws {
    var machine = machine()
    _ = machine.play([.mediaStatus(.session(4, .playing), from: Self.app, .spontaneous)])
    let refusal = try Refusal.sample(.invalidRequest)
    #expect(
      machine.receive(.refused(refusal, from: Self.app, .own(.mediaStatus)), at: .zero)
        == [.finish(.success(.mediaSession(4)))])
  }

  @Test("An app that tells of one session after the other is asked once in five seconds")
  func flood() {
    var machine = machine()
    var questions = 0
    for number in 0..<1000 {
      let status = OperationEvent.mediaStatus(.session(4 + number % 2, .playing), from: Self.app, .spontaneous)
      questions += machine.receive(status, at: .milliseconds(number)).count
      if number % 3 == 0 { _ = machine.receive(.mediaStatus(nil, from: Self.app, .spontaneous), at: .zero) }
    }
    #expect(questions == 1)
  }

  @Test("What answers a question from before the LOAD is the session before, also where none was known")
  func staleAnswer() {
    var machine = machine(lastSequence: 2)
    let effects = machine.play([
      .mediaStatus(.session(7, .playing, content: "a.mp4"), from: Self.app, .other(.mediaStatus, sequence: 2)),
      .mediaStatus(.session(7, .playing, content: "a.mp4"), from: Self.app, .spontaneous),
      .mediaStatus(.session(8, .playing, content: "a.mp4"), from: Self.app, .other(.mediaStatus, sequence: 4)),
    ])
    #expect(effects == [[], [], [.finish(.success(.mediaSession(8)))]])
  }

  static let refusals: [(Refusal.Kind, String?, Int?, ClientError.Class, String)] = [
    (.loadFailed, nil, 104, .loadFailed, "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED"),
    (.loadFailed, nil, 311, .loadFailed, "LOAD_FAILED 311 HLS_NETWORK_MASTER_PLAYLIST"),
    (.loadFailed, nil, 12345, .loadFailed, "LOAD_FAILED 12345"),
    (.loadFailed, nil, nil, .loadFailed, "LOAD_FAILED"),
    (.loadCancelled, nil, nil, .loadCancelled, "LOAD_CANCELLED"),
    (.invalidRequest, "INVALID_PARAMS", nil, .invalidRequest, "INVALID_REQUEST INVALID_PARAMS"),
    (.invalidPlayerState, nil, nil, .invalidState, "INVALID_PLAYER_STATE"),
  ]
  @Test("A refused load says why, in the words of the wire (quirk 16)", arguments: refusals)
  func refused(kind: Refusal.Kind, reason: String?, code: Int?, expected: ClientError.Class, text: String) throws {
    var machine = machine()
    let refusal = try Refusal.sample(kind, reason: reason, code: code)
    #expect(machine.receive(.refused(refusal, from: Self.app, .foreign), at: .zero).isEmpty)
    let effects = machine.receive(.refused(refusal, from: Self.app, .own(.load)), at: .zero)
    guard case .finish(.failure(let error))? = effects.first else {
      Issue.record("not refused: \(effects)")
      return
    }
    #expect(error.class == expected && error.message == text)
  }

  @Test("IDLE with ERROR waits a moment for the LOAD_FAILED that has the code")
  func idleError() throws {
    var machine = machine()
    let error = OperationEvent.mediaStatus(.session(4, .idle, reason: .error), from: Self.app, .spontaneous)
    #expect(machine.receive(error, at: .seconds(1)).isEmpty)
    var withCode = machine
    let failed = try Refusal.sample(.loadFailed, code: 104)
    #expect(
      withCode.receive(.refused(failed, from: Self.app, .own(.load)), at: .seconds(1)).map(\.failure) == [.loadFailed])
    #expect(machine.wakeAt == .milliseconds(1250))
    #expect(machine.timerFired(at: .milliseconds(1250)).map(\.failure) == [.loadFailed])
  }

  @Test(
    "A new session that is cancelled at once is a cancelled load",
    arguments: [.cancelled, .interrupted] as [MediaStatus.IdleReason])
  func cancelled(reason: MediaStatus.IdleReason) {
    var machine = machine()
    let status = OperationEvent.mediaStatus(.session(4, .idle, reason: reason), from: Self.app, .spontaneous)
    #expect(machine.receive(status, at: .zero).map(\.failure) == [.loadCancelled])
  }

  @Test("An ERROR without an id is blamed on the load only when nothing else fits (quirk 17)")
  func spontaneousError() throws {
    let error = OperationEvent.refused(try .sample(.error, code: 104), from: Self.app, .spontaneous)
    var idle = machine()
    #expect(idle.receive(error, at: .zero).isEmpty)
    var saved = idle
    let ours = OperationEvent.mediaStatus(.session(4, .playing, content: "a.mp4"), from: Self.app, .spontaneous)
    #expect(saved.play([ours]) == [[.finish(.success(.mediaSession(4)))]])
    #expect(idle.timerFired(at: .seconds(1)).map(\.failure) == [.loadFailed])

    var playing = machine(current: .session(3, .playing))
    #expect(playing.receive(error, at: .zero).isEmpty && playing.wakeAt == nil)
    // Once what played has ended, an error can only be the load's.
    let end = OperationEvent.mediaStatus(.session(3, .idle, reason: .interrupted), from: Self.app, .spontaneous)
    #expect(playing.play([end, error]) == [[], []] && playing.wakeAt == .seconds(1))

    var ads = machine()
    let broken = OperationEvent.refused(try .sample(.error, code: 901), from: Self.app, .spontaneous)
    #expect(ads.receive(broken, at: .zero).isEmpty && ads.wakeAt == nil)
    let elsewhere = OperationEvent.refused(try .sample(.error, code: 104), from: EndpointID("t-9"), .spontaneous)
    #expect(ads.receive(elsewhere, at: .zero).isEmpty && ads.wakeAt == nil)
  }

  @Test("A LOAD_FAILED without an id can only be a load's")
  func spontaneousLoadFailed() throws {
    var machine = machine(current: .session(3, .playing))
    let failed = OperationEvent.refused(try .sample(.loadFailed), from: Self.app, .spontaneous)
    #expect(machine.receive(failed, at: .zero).map(\.failure) == [.loadFailed])
  }
}
