import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What a watch keeps of what happens, and what it asks for.
@Suite struct WatchStateMachineTests {
  private func joins(_ effects: [WatchStateMachine.Effect]) -> [String] {
    effects.compactMap { if case .join(let session) = $0 { session.sessionID } else { nil } }
  }

  private func texts(_ watch: WatchStateMachine) -> [String] { watch.notes.map(\.text) }

  @Test("The app that runs is joined, and so is each that takes its place; one without media is not")
  func joining() {
    var watch = Watched.machine(Watched.film())
    #expect(joins(watch.begin()) == ["s-1"])
    #expect(joins(watch.observed(Watched.observation(Watched.film(), .receiver), clock: "1")).isEmpty)
    var other = Watched.idle()
    other.receiver = Watched.receiver(app: "233637DE", session: "s-2")
    #expect(joins(watch.observed(Watched.observation(other, .receiver), clock: "2")) == ["s-2"])
    other.receiver = Watched.receiver(app: "233637DE", session: "s-3", namespaces: [])
    #expect(joins(watch.observed(Watched.observation(other, .receiver), clock: "3")).isEmpty)
    #expect(joins(watch.observed(Watched.observation(Watched.idle(), .receiver), clock: "4")).isEmpty)
    var none = Watched.machine(Watched.idle())
    #expect(none.begin().isEmpty)
  }

  @Test("An app that closes its virtual connection is joined again, but not for ever")
  func rejoining() {
    var watch = Watched.machine(Watched.film())
    var count = joins(watch.begin()).count
    for _ in 0..<20 {
      count += joins(watch.observed(Watched.observation(Watched.film(), .connection), clock: "")).count
      count += joins(watch.observed(Watched.observation(Watched.film(), .receiver), clock: "")).count
    }
    #expect(count == WatchStateMachine.joinLimit)
  }

  @Test("What others do and what fails is noted, and old notes go")
  func notes() {
    var watch = Watched.machine(Watched.film())
    let acts: [OtherSenderAction] = [.launched(appID: "233637DE", name: "YouTube"), .setVolume(0.2)]
    _ = watch.observed(Watched.observation(Watched.film(), others: acts), clock: "12:00:00")
    let failure: JSONValue = ["type": "LOAD_FAILED", "detailedErrorCode": 104]
    _ = watch.observed(Watched.observation(Watched.film(), .error, message: failure), clock: "12:00:01")
    _ = watch.observed(
      Watched.observation(Watched.film(), .error, message: ["type": "LAUNCH_STATUS"]), clock: "12:00:02")
    #expect(
      texts(watch) == [
        "another sender launched YouTube (233637DE)", "another sender set the volume to 20%",
        "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED",
      ])
    #expect(watch.notes.map(\.clock) == ["12:00:00", "12:00:00", "12:00:01"])
    #expect(watch.notes.map(\.isProblem) == [false, false, true])
    for _ in 0..<1000 { _ = watch.pressed(.character("s"), at: .zero, clock: "") }
    #expect(watch.notes.count == WatchStateMachine.noteLimit)
  }

  @Test("Commands go one after the other; those that wait are merged, and there are never many")
  func commands() {
    var watch = Watched.machine(Watched.film())
    #expect(watch.pressed(.right, at: .zero, clock: "") == [.run(.seek(by: 10))])
    for _ in 0..<3 { #expect(watch.pressed(.right, at: .zero, clock: "").isEmpty) }
    #expect(watch.pending == [.seek(by: 10), .seek(by: 30)], "the one under way stays as it is")
    _ = watch.pressed(.up, at: .zero, clock: "")
    _ = watch.pressed(.up, at: .zero, clock: "")
    #expect(watch.pending.last == .volume(50))
    #expect(watch.finished(nil, at: .seconds(1), clock: "") == [.run(.seek(by: 30))])
    #expect(watch.runningSince == .seconds(1))
    #expect(watch.finished(StepFailure(.timeout, "no"), at: .seconds(2), clock: "c") == [.run(.volume(50))])
    #expect(texts(watch) == ["seek +30s: no"] && watch.notes[0].isProblem)
    #expect(watch.finished(nil, at: .seconds(3), clock: "").isEmpty && watch.pending.isEmpty)
    #expect(watch.finished(nil, at: .seconds(3), clock: "").isEmpty, "nobody was asked")
    for _ in 0..<100 {
      _ = watch.pressed(.character("n"), at: .zero, clock: "")
      _ = watch.pressed(.character("b"), at: .zero, clock: "")
    }
    #expect(watch.pending.count == WatchStateMachine.pendingLimit)
  }

  @Test("A lost device stands still, is tried and comes back, perhaps elsewhere; nothing is asked of it meanwhile")
  func losing() {
    var watch = Watched.machine(Watched.film(position: 60))
    #expect(watch.pressed(.right, at: .seconds(1), clock: "") == [.run(.seek(by: 10))])
    _ = watch.pressed(.up, at: .seconds(1), clock: "")
    watch.lost("no PONG", at: .seconds(5), clock: "")
    #expect(
      watch.finished(StepFailure(.connectionLost, "connection lost"), at: .seconds(5), clock: "").isEmpty
        && watch.pending.isEmpty)
    #expect(watch.view(at: .seconds(100)).position == 65 && watch.isMoving)
    #expect(watch.pressed(.right, at: .seconds(6), clock: "").isEmpty)
    #expect(texts(watch).last == "seek +10s: the device is not reachable")
    #expect(watch.pressed(.character("q"), at: .seconds(6), clock: "") == [.leave])
    watch.trying(1)
    watch.failed(1, "refused", nextAt: .seconds(8))
    #expect(
      watch.link
        == .lost(since: .seconds(5), reason: "no PONG", number: 2, nextTry: .seconds(8), failure: "refused"))
    watch.trying(2)
    #expect(
      watch.link == .lost(since: .seconds(5), reason: "no PONG", number: 2, nextTry: nil, failure: "refused"))
    // What an old connection still has to say is of no interest.
    _ = watch.observed(Watched.observation(Watched.idle(), .receiver), clock: "")
    #expect(watch.snapshot.media != nil)
    var moved = Watched.device
    moved.address.host = "192.0.2.99"
    let (effects, away) = watch.back(
      Watched.film(at: 20), on: moved, authentication: .unchecked, at: .seconds(17.5), clock: "")
    #expect(away == .seconds(12.5) && joins(effects) == ["s-1"] && watch.link == .open)
    #expect(watch.device.address.host == "192.0.2.99" && texts(watch).last == "back after 12.5s")
  }

  @Test("Help, redraw, suspend and leave are keys of the watch itself, on any device")
  func ownKeys() {
    var watch = Watched.machine(Watched.idle())
    func press(_ key: TerminalKey) -> [WatchStateMachine.Effect] { watch.pressed(key, at: .zero, clock: "") }
    #expect(press(.character("?")).isEmpty && watch.showsHelp)
    #expect(press(.character("h")).isEmpty && !watch.showsHelp)
    _ = press(.character("?"))
    #expect(press(.escape).isEmpty && !watch.showsHelp)
    #expect(press(.control("l")) == [.redraw] && press(.control("z")) == [.suspend])
    #expect(press(.character("q")) == [.leave] && press(.control("d")) == [.leave])
    #expect(watch.notes.isEmpty && !watch.isMoving)
  }

  @Test("A device that was only an address gets its own name, one that has a name keeps it")
  func names() throws {
    let info = try #require(
      DeviceInfo(["type": "DEVICE_INFO", "friendlyName": "Kitchen", "deviceModel": "Nest Hub", "deviceId": "1"]))
    var watch = Watched.machine(Watched.idle())
    watch.learned(info)
    #expect(watch.device.name == "Lobby TV" && watch.device.model == "Chromecast")
    var device = FoundDevice(name: "192.0.2.14", address: HostAndPort(host: "192.0.2.14", port: 8009), via: .host)
    device.model = nil
    watch = WatchStateMachine(device: device, authentication: .unchecked, snapshot: Watched.idle())
    watch.learned(try #require(DeviceInfo(["type": "DEVICE_INFO", "friendlyName": ""])))
    #expect(watch.device.name == "192.0.2.14")
    watch.learned(info)
    #expect(watch.device.name == "Kitchen" && watch.device.model == "Nest Hub")
  }

  @Test("What a device's proof is worth is one word")
  func authentication() {
    func word(_ facts: AuthenticationFacts) -> String {
      WatchStateMachine(device: Watched.device, authentication: facts, snapshot: Watched.idle()).authentication
    }
    var facts = AuthenticationFacts(verdict: .verified)
    facts.isVerified = true
    #expect(word(facts) == "verified" && word(.unchecked) == "")
    facts = AuthenticationFacts(verdict: .badSignature)
    facts.problem = "the signature is wrong"
    #expect(word(facts) == "not authenticated")
    facts.hasNoProof = true
    #expect(word(facts) == "", "receivers in software have none")
  }
}
