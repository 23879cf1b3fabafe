import CastProtocol
import CastReceiver
import Simulation
import TestSupport
import Testing

@testable import CastClient

@Suite struct OtherSenderActionTests {
  /// Runs two senders of one virtual receiver; returns what each was told of others.
  private func told(
    _ body: @escaping @Sendable (_ us: CastConnection, _ them: CastConnection, VirtualClock) async throws -> Void
  ) throws -> (us: [String], them: [String]) {
    let executor = SimulationExecutor()
    let network = SimulatedNetwork(executor: executor, seed: 0)
    return try executor.run { clock in
      let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: network.times)
      defer { receiver.stop() }
      var connections: [CastConnection] = []
      for firstID in [1, 1000] {
        let (sender, device, _) = network.connect()
        receiver.accept(device)
        var configuration = ClientConfiguration()
        configuration.firstRequestID = firstID
        configuration.historyLimit = 1000
        let connection = CastConnection(channel: sender, times: network.times, configuration: configuration)
        try await connection.open()
        connections.append(connection)
      }
      try await body(connections[0], connections[1], clock)
      try await clock.sleep(for: .seconds(2))
      var told: [[String]] = []
      for connection in connections {
        told.append(await connection.observations(after: 0).flatMap(\.others).map(\.text))
        await connection.disconnect()
      }
      return (told[0], told[1])
    }
  }

  private static func media(_ title: String) -> LoadRequest {
    var media = MediaInformation(content: "https://cdn.example.com/\(title).mp4")
    media.contentType = "video/mp4"
    media.duration = 600
    media.metadata = ["metadataType": 0, "title": .string(title)]
    return LoadRequest(media: media)
  }

  @Test("What a device tells of a volume on its way to where we wanted it is no act of others, what leaves it is")
  func ramp() throws {
    try onStage(
      ScriptedPeer.healthy { peer, request in
        guard request.type == "SET_VOLUME" else { return false }
        peer.status(nil, id: request.id, volume: ["level": 0.78, "muted": false])
        return true
      }
    ) { stage in
      try await stage.connection.setVolume(level: 0.8, muted: nil, until: stage.now + .seconds(5))
      for level in [0.55, 0.7, 0.8] {
        try await stage.wait(.seconds(2))
        stage.peer.status(nil, volume: ["level": .double(level), "muted": false])
      }
      try await stage.wait(.seconds(1))
      #expect(await stage.connection.observations(after: 0).flatMap(\.others) == [])
      stage.peer.status(nil, volume: ["level": 0.3, "muted": false])
      try await stage.wait(.seconds(10))
      stage.peer.status(nil, volume: ["level": 0.6, "muted": false])
      try await stage.wait(.seconds(1))
      #expect(await stage.connection.observations(after: 0).flatMap(\.others) == [.setVolume(0.3), .setVolume(0.6)])
    }
  }

  @Test("A sender is told what another launches, loads, stops and sets; the other is told nothing")
  func everything() throws {
    let (us, them) = try told { us, them, clock in
      func until() -> Duration { clock.now.offset + .seconds(20) }
      let theirs = try await them.launch("CC1AD845", join: .auto, until: until())
      let ours = try await us.launch("CC1AD845", join: .only, until: until())
      _ = try await them.load(Self.media("Theirs"), in: theirs, until: until())
      try await clock.sleep(for: .seconds(1))
      try await them.setVolume(level: 0.4, muted: nil, until: until())
      try await them.setVolume(level: nil, muted: true, until: until())
      let id = await them.snapshot.media?.mediaSessionID ?? 0
      try await them.command(MediaRequest(.stop, session: id), in: theirs, until: until())
      try await clock.sleep(for: .seconds(1))
      #expect(ours.isOurs == false)
      try await them.stopApp(theirs, until: until())
    }
    #expect(us.first?.hasPrefix("launched ") == true)
    #expect(us.dropFirst().first == "loaded `Theirs`")
    #expect(us.contains("set the volume to 40%") && us.contains("muted the device") && us.contains("stopped the media"))
    #expect(us.last?.hasPrefix("stopped ") == true && us.count == 6, "\(us)")
    #expect(them.isEmpty, "\(them)")
  }

  @Test("An app that another sender launched while ours was on its way is joined, not ours")
  func race() throws {
    let executor = SimulationExecutor()
    let network = SimulatedNetwork(executor: executor, seed: 0, latency: .milliseconds(20)...(.milliseconds(20)))
    try executor.run { clock in
      let receiver = VirtualReceiver(configuration: ReceiverConfiguration(id: "a"), times: network.times)
      defer { receiver.stop() }
      func open(firstID: Int) async throws -> CastConnection {
        let (sender, device, _) = network.connect()
        receiver.accept(device)
        var configuration = ClientConfiguration()
        configuration.firstRequestID = firstID
        let connection = CastConnection(channel: sender, times: network.times, configuration: configuration)
        try await connection.open()
        return connection
      }
      let (first, second) = (try await open(firstID: 1), try await open(firstID: 1000))
      async let one = first.launch("CC1AD845", join: .auto, until: .seconds(30))
      try await clock.sleep(for: .milliseconds(5))
      let two = try await second.launch("CC1AD845", join: .auto, until: .seconds(30))
      let ours = try await one
      #expect(ours.sessionID == two.sessionID && ours.isOurs && !two.isOurs)
      await first.disconnect()
      await second.disconnect()
    }
  }

  @Test("A natural end, a rounded volume, an idle screen and a first look are no acts of others")
  func quiet() {
    var old = DeviceSnapshot()
    var new = DeviceSnapshot()
    new.receiver = .running("CC1AD845")
    #expect(OtherSenderAction.acts(from: new, to: new).isEmpty)
    old.receiver = .running(nil)
    new.receiver = .running("E8C28D3C", isIdleScreen: true)
    #expect(OtherSenderAction.acts(from: old, to: new).isEmpty)
    old.receiver = .running("CC1AD845")
    new.receiver = .running("CC1AD845")
    old.receiver?.volume.level = 0.4
    new.receiver?.volume.level = 0.4000000059604645
    new.receiver?.volume.stepInterval = 0.05
    old.media = .session(1, .playing)
    new.media = .session(1, .idle, reason: .finished)
    #expect(OtherSenderAction.acts(from: old, to: new).isEmpty)
    new.media = .session(1, .idle, reason: .interrupted)
    #expect(OtherSenderAction.acts(from: old, to: new) == [.stoppedMedia])
  }
}
