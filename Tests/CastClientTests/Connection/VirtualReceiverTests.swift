import CastProtocol
import CastReceiver
import Simulation
import Testing

@testable import CastClient

/// The client against the device it was made for, in memory and on the virtual clock.
@Suite struct VirtualReceiverTests {
  private struct Studio: Sendable {
    let network: SimulatedNetwork
    let receiver: VirtualReceiver
    let clock: VirtualClock
    var now: Duration { clock.now.offset }

    /// Opens one more sender.
    func open(_ configuration: ClientConfiguration = .remembering) async throws -> CastConnection {
      let (sender, device, _) = network.connect()
      receiver.accept(device)
      let connection = CastConnection(channel: sender, times: network.times, configuration: configuration)
      try await connection.open()
      return connection
    }

    func launch(on connection: CastConnection, join: JoinPolicy = .auto) async throws(ClientError) -> AppSession {
      try await connection.launch("CC1AD845", join: join, until: now + .seconds(10))
    }
  }

  private func inStudio<T: Sendable>(
    seed: UInt64? = nil, latency: ClosedRange<Duration>? = nil, _ configuration: ReceiverConfiguration = .init(id: "a"),
    _ body: @escaping @Sendable (Studio) async throws -> T
  ) throws -> T {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed ?? 0, latency: latency)
    return try executor.run { clock in
      let receiver = VirtualReceiver(configuration: configuration, times: network.times)
      defer { receiver.stop() }
      return try await body(Studio(network: network, receiver: receiver, clock: clock))
    }
  }

  private static var film: MediaInformation {
    var media = MediaInformation(content: "https://cdn.example.com/film.mp4")
    media.contentType = "video/mp4"
    media.streamType = "BUFFERED"
    media.duration = 600
    return media
  }

  @Test("A device says which apps it can run and what it is")
  func inquiries() throws {
    var configuration = ReceiverConfiguration(id: "a-1")
    configuration.name = "Studio"
    try inStudio(seed: 7, latency: .zero ... .milliseconds(90), configuration) { studio in
      let connection = try await studio.open()
      #expect(try await connection.availableApps(of: ["CC1AD845", "0F0F0F0F"]) == ["CC1AD845"])
      let info = try await connection.deviceInfo()
      #expect(info.friendlyName == "Studio" && info.deviceID == "a-1" && info.deviceCapabilities == 5)
      #expect(info.deviceModel == ReceiverConfiguration(id: "").model)
    }
  }

  /// Waits for a status that fits.
  private static func wait(
    on connection: CastConnection, within limit: Duration, now: Duration, for fits: (DeviceSnapshot) -> Bool
  ) async -> Bool {
    var number = await connection.lastObservation
    if fits(await connection.snapshot) { return true }
    while true {
      let news = await connection.nextObservations(after: number, until: now + limit)
      guard let last = news.last else { return false }
      if news.contains(where: { fits($0.snapshot) }) { return true }
      number = last.number
    }
  }

  @Test("A whole show: launch, load, pause, seek, rate, volume, stop", arguments: 0..<40)
  func show(seed: Int) throws {
    let latency = seed % 2 == 0 ? nil : Duration.milliseconds(1)...Duration.milliseconds(400)
    try inStudio(seed: UInt64(seed), latency: latency) { studio in
      let connection = try await studio.open()
      let app = try await studio.launch(on: connection)
      #expect(app.isOurs)
      let id = try await connection.load(LoadRequest(media: Self.film), in: app, until: studio.now + .seconds(30))
      let isPlaying = await Self.wait(on: connection, within: .seconds(10), now: studio.now) {
        $0.media?.mediaSessionID == id && $0.media?.playerState == .playing
      }
      #expect(isPlaying)
      let until = studio.now + .seconds(100)
      try await connection.command(MediaRequest(.pause, session: id), in: app, until: until)
      #expect(await connection.snapshot.media?.playerState == .paused)
      try await connection.command(
        MediaRequest(.seek(.init(currentTime: 90, resume: true)), session: id), in: app, until: until)
      try await connection.command(MediaRequest(.setPlaybackRate(.absolute(1.5)), session: id), in: app, until: until)
      #expect(await connection.snapshot.media?.playbackRate == 1.5)
      try await connection.setVolume(level: 0.4, muted: true, until: until)
      let volume = await connection.snapshot.receiver?.volume
      #expect(volume?.level.map { abs($0 - 0.4) < 0.06 } == true && volume?.muted == true)
      try await connection.refreshMedia(in: app)
      let position = await connection.snapshot.media?.currentTime ?? 0
      #expect(position >= 90 && position < 95)
      try await connection.command(MediaRequest(.stop, session: id), in: app, until: until)
      #expect(await connection.snapshot.media?.playerState ?? .idle == .idle)
      try await connection.stopApp(app, until: until)
      #expect(await connection.snapshot.receiver?.application == nil)
      let numbers = await connection.observations(after: 0).map(\.number)
      #expect(numbers == Array(1...numbers.count))
      await connection.disconnect()
    }
  }

  @Test("What a device would refuse is refused with its class")
  func refusals() throws {
    try inStudio { studio in
      let connection = try await studio.open()
      let until = studio.now + .seconds(30)
      let unknown = await failure { () throws(ClientError) in
        try await connection.launch("FFFFFFFF", join: .auto, until: until)
      }
      #expect(unknown?.class == .launchFailed && unknown?.message == "LAUNCH_ERROR NOT_FOUND")
      let app = try await studio.launch(on: connection)
      var text = Self.film
      text.contentType = "text/plain"
      let load = LoadRequest(media: text)
      let failed = await failure { () throws(ClientError) in
        let id = try await connection.load(load, in: app, until: until)
        return id
      }
      // The device may list the session before it fails it; the failure is then an observation.
      let code = await connection.snapshot.detailedErrorCode
      #expect(failed?.message == "LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED" || code == 104)
      let id = try await connection.load(LoadRequest(media: Self.film), in: app, until: until)
      let rate = await failure { () throws(ClientError) in
        try await connection.command(MediaRequest(.setPlaybackRate(.absolute(5)), session: id), in: app, until: until)
      }
      #expect(rate?.class == .invalidRequest)
      let stale = await failure { () throws(ClientError) in
        try await connection.command(MediaRequest(.pause, session: id + 7), in: app, until: until)
      }
      #expect(stale == nil)
      let ad = await failure { () throws(ClientError) in
        try await connection.command(MediaRequest(.skipAd, session: id), in: app, until: until)
      }
      #expect(ad?.class == .invalidRequest)
      await connection.disconnect()
    }
  }

  @Test("A fixed volume is refused before the device is bothered")
  func fixedVolume() throws {
    var configuration = ReceiverConfiguration(id: "a")
    configuration.volumeControl = .fixed
    try inStudio(configuration) { studio in
      let connection = try await studio.open()
      let error = await failure { () throws(ClientError) in
        try await connection.setVolume(level: 0.2, muted: nil, until: studio.now + .seconds(5))
      }
      #expect(error?.class == .refusedLocally)
      await connection.disconnect()
    }
  }

  @Test("Two senders with the same ids: one joins, loads, and the first sees it and is cancelled", arguments: 0..<10)
  func twoSenders(seed: Int) throws {
    try inStudio(seed: UInt64(seed)) { studio in
      let first = try await studio.open()
      let second = try await studio.open()
      let ours = try await studio.launch(on: first)
      let id = try await first.load(LoadRequest(media: Self.film), in: ours, until: studio.now + .seconds(10))
      let theirs = try await studio.launch(on: second, join: .only)
      #expect(theirs.sessionID == ours.sessionID && !theirs.isOurs)
      #expect(await second.snapshot.media?.mediaSessionID == id)
      var other = Self.film
      other.contentID = "https://cdn.example.com/other.mp4"
      let next = try await second.load(LoadRequest(media: other), in: theirs, until: studio.now + .seconds(10))
      #expect(next != id)
      let sawIt = await Self.wait(on: first, within: .seconds(5), now: studio.now) {
        $0.media?.mediaSessionID == next && $0.media?.media?.contentID == other.contentID
      }
      #expect(sawIt)
      try await second.stopApp(theirs, until: studio.now + .seconds(5))
      let isGone = await Self.wait(on: first, within: .seconds(5), now: studio.now) { $0.receiver?.application == nil }
      #expect(isGone)
      let error = await failure { () throws(ClientError) in
        try await first.command(MediaRequest(.play, session: next), in: ours, until: studio.now + .seconds(5))
      }
      #expect(error?.class == .appGone)
      await first.disconnect()
      await second.disconnect()
    }
  }

  @Test("join never gives a new session of the app that runs")
  func relaunch() throws {
    try inStudio { studio in
      let connection = try await studio.open()
      let first = try await studio.launch(on: connection)
      let second = try await studio.launch(on: connection, join: .never)
      #expect(first.sessionID != second.sessionID && second.isOurs)
      let error = await failure { () throws(ClientError) in
        try await connection.load(LoadRequest(media: Self.film), in: first, until: studio.now + .seconds(5))
      }
      #expect(error?.class == .takenOver || error?.class == .appGone)
      _ = try await connection.load(LoadRequest(media: Self.film), in: second, until: studio.now + .seconds(5))
      await connection.disconnect()
    }
  }

  @Test("A receiver that stops ends every wait")
  func stops() throws {
    try inStudio { studio in
      let connection = try await studio.open()
      let number = await connection.lastObservation
      async let seen = connection.nextObservations(after: number, until: .seconds(9999))
      try await studio.clock.sleep(for: .seconds(1))
      studio.receiver.stop()
      #expect(await seen.last?.scope == .connection)
      #expect(studio.now < .seconds(2))
      await connection.disconnect()
    }
  }
}
