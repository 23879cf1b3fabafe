import CastClient
import CastProtocol
import CastReceiver
import ScenarioLanguage
import Simulation
import Testing

@testable import DeviceControl
@testable import RunReporting

/// What keys do over the connection that watches.
@Suite struct RemotePerformerTests {
  private static let device = FoundDevice(
    name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)

  /// Two senders on one receiver: one that presses keys, and another.
  private static func play(
    seed: UInt64,
    _ body: @escaping @Sendable (_ ours: CastConnection, _ theirs: CastConnection, TimeSources) async throws -> Void
  ) throws {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed, latency: .zero ... .milliseconds(40))
    try executor.run { _ in
      let receiver = VirtualReceiver(configuration: .init(id: "a"), times: network.times)
      defer { receiver.stop() }
      @Sendable func open() async throws -> CastConnection {
        let (sender, device, _) = network.connect()
        receiver.accept(device)
        let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
        try await connection.open()
        return connection
      }
      let (ours, theirs) = (try await open(), try await open())
      do { try await body(ours, theirs, network.times) } catch { Issue.record(error) }
      await ours.disconnect()
      await theirs.disconnect()
    }
  }

  private static func failure(
    of command: RemoteCommand, over connection: CastConnection, _ times: TimeSources, timeouts: Plan.Timeouts = .init()
  ) async -> StepFailure? {
    do {
      try await RemotePerformer(device: device, timeouts: timeouts, times: times).perform(command, over: connection)
      return nil
    } catch {
      return error
    }
  }

  /// Another sender's film of ten minutes.
  private static func film(_ theirs: CastConnection, _ times: TimeSources) async throws {
    let app = try await theirs.launch("CC1AD845", join: .never, until: times.show.now + .seconds(15))
    var media = MediaInformation()
    media.contentID = "https://cdn.example.com/a.mp4"
    media.contentType = "video/mp4"
    media.duration = 600
    _ = try await theirs.load(LoadRequest(media: media), in: app, until: times.show.now + .seconds(30))
  }

  @Test(
    "The connection stays open, an app that was there before is no loss, and others' acts are not taken for ours",
    arguments: [0, 3, 9])
  func borrowed(seed: UInt64) throws {
    try Self.play(seed: seed) { ours, theirs, times in
      try await Self.film(theirs, times)
      // An app that is gone by the time of the next command is no loss of that one.
      let first = try #require(await theirs.snapshot.receiver?.application)
      let session = AppSession(
        appID: first.appID, sessionID: first.sessionID, transportID: try #require(first.transportID), isOurs: false)
      try await theirs.stopApp(session, until: times.show.now + .seconds(5))
      try await Self.film(theirs, times)
      for command in [
        RemoteCommand.pause, .play, .seek(by: 10), .volume(40), .mute(true), .mute(false), .rate(1.5), .seekToStart,
        .stop,
      ] {
        let failure = await Self.failure(of: command, over: ours, times)
        #expect(failure == nil, "\(command.text): \(failure?.message ?? "")")
      }
      let snapshot = await ours.snapshot
      #expect(snapshot.isConnected && snapshot.receiver?.application?.appID == "CC1AD845")
      #expect(snapshot.receiver?.volume.level.map { abs($0 - 0.4) < 0.03 } == true)
      #expect(snapshot.media == nil || snapshot.media?.playerState == .idle)
    }
  }

  static let refusals: [(RemoteCommand, ErrorClass, String)] = [
    (.skipAd, .invalidState, "no ad break is playing"), (.next, .invalidState, "the last item of the queue plays"),
    (.tracks([9]), .invalidRequest, "INVALID_REQUEST INVALID_PARAMS"),
  ]

  @Test("What cannot be done fails as the step of that name does", arguments: refusals)
  func refused(command: RemoteCommand, errorClass: ErrorClass, message: String) throws {
    try Self.play(seed: 1) { ours, theirs, times in
      try await Self.film(theirs, times)
      let failure = await Self.failure(of: command, over: ours, times)
      #expect(failure?.errorClass == errorClass && failure?.message == message, "\(String(describing: failure))")
      #expect(await ours.snapshot.isConnected)
    }
  }

  @Test("Where no app runs there is nothing to pause, and stopping is done already")
  func nothing() throws {
    try Self.play(seed: 2) { ours, _, times in
      #expect(await Self.failure(of: .pause, over: ours, times)?.message == "no app is running")
      #expect(await Self.failure(of: .stop, over: ours, times) == nil)
      #expect(await Self.failure(of: .volume(30), over: ours, times) == nil)
    }
  }

  @Test("A lost connection is for its owner to bring back: the command fails and does not wait")
  func lost() throws {
    try Self.play(seed: 3) { ours, theirs, times in
      try await Self.film(theirs, times)
      await ours.disconnect()
      let begun = times.show.now
      let failure = await Self.failure(of: .pause, over: ours, times)
      #expect(failure?.errorClass == .connectionLost, "\(String(describing: failure))")
      #expect(times.show.now - begun < .seconds(1))
    }
  }

  @Test("A command has the time that the settings give a step")
  func limited() throws {
    try Self.play(seed: 4) { ours, theirs, times in
      try await Self.film(theirs, times)
      var timeouts = Plan.Timeouts()
      timeouts.step = .zero
      let failure = await Self.failure(of: .pause, over: ours, times, timeouts: timeouts)
      #expect(failure?.errorClass == .timeout, "\(String(describing: failure))")
    }
  }
}
