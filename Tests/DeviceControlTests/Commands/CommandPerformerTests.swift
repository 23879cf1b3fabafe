import CastClient
import CastProtocol
import CastReceiver
import RunReporting
import ScenarioLanguage
import Simulation
import Synchronization
import Testing

@testable import DeviceControl

/// What commands come to on a device that is connected.
@Suite struct CommandPerformerTests {
  private static let device = FoundDevice(
    name: "TV", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .host)
  private static let film = "https://cdn.example.com/a.mp4"

  /// One receiver, another sender on it, and what makes a performer of a command.
  private struct Stage: Sendable {
    let theirs: CastConnection
    let times: TimeSources
    let open: @Sendable () async throws(ClientError) -> CastConnection

    /// Does what a command asks.
    /// - Returns: Why not, and the performer, which has left.
    func perform(
      _ command: DeviceCommand, takeover: Plan.Takeover = .ignore
    ) async -> (failure: StepFailure?, performer: CommandPerformer) {
      let device = CommandPerformerTests.device
      let access = DeviceAccess(
        find: { _, _ throws(RunError) in [device] },
        connect: { [open] _, _ throws(ClientError) in OpenedDevice(connection: try await open(), latency: .zero) })
      let performer = CommandPerformer(
        on: Plan.DeviceSelector(span: .ofCommandLine),
        policies: SessionPolicies(commands: Plan.Timeouts(), takeover: takeover),
        access: access, times: times,
        emitter: EventEmitter(show: times.show, wallClock: { 0 }, sink: NoSink()), random: { 0.5 })
      if let failure = await performer.connect(device) { return (failure, performer) }
      let failure = await performer.perform(command)
      await performer.leave()
      return (failure, performer)
    }

    /// Another sender's film of ten minutes.
    func load(_ content: String = CommandPerformerTests.film) async throws {
      let app = try await theirs.launch("CC1AD845", join: .auto, until: times.show.now + .seconds(15))
      var media = MediaInformation()
      media.contentID = content
      media.contentType = "video/mp4"
      media.duration = 600
      _ = try await theirs.load(LoadRequest(media: media), in: app, until: times.show.now + .seconds(30))
    }

    func stopApp() async throws {
      let running = try #require(await theirs.snapshot.receiver?.application)
      let session = AppSession(
        appID: running.appID, sessionID: running.sessionID, transportID: try #require(running.transportID),
        isOurs: false)
      try await theirs.stopApp(session, until: times.show.now + .seconds(5))
    }
  }

  private struct NoSink: EventSink {
    func record(_ event: Event) {}
  }

  private static func play(_ body: @escaping @Sendable (Stage) async throws -> Void) throws {
    let executor = SimulationExecutor(seed: 7)
    let network = SimulatedNetwork(executor: executor, seed: 7, latency: .zero ... .milliseconds(40))
    try executor.run { _ in
      let receiver = VirtualReceiver(configuration: .init(id: "a"), times: network.times)
      defer { receiver.stop() }
      @Sendable func open() async throws(ClientError) -> CastConnection {
        let (sender, device, _) = network.connect()
        receiver.accept(device)
        let connection = CastConnection(channel: sender, times: network.times, configuration: ClientConfiguration())
        try await connection.open()
        return connection
      }
      do {
        let theirs = try await open()
        try await body(
          Stage(theirs: theirs, times: network.times, open: open))
        await theirs.disconnect()
      } catch { Issue.record(error) }
    }
  }

  /// What follows what plays to its end.
  private static func watching(_ parts: [DeviceCommand.Part] = [], limit: Duration? = nil) -> DeviceCommand {
    var command = DeviceCommand(parts, limit: limit)
    command.waitForTheEnd()
    return command
  }

  private static func addresses(_ names: [String]) -> [AddressEntry] {
    names.map { AddressEntry("https://cdn.example.com/\($0).mp4") }
  }

  @Test("Commands act on what runs, whoever started it, and leave it running")
  func acting() throws {
    try Self.play { stage in
      try await stage.load()
      for (action, player) in [
        (.pause, "paused"), (.seek(Seek(.to(90))), "paused"), (.play, "playing"),
        (.volume(level: 40, ramp: .zero), "playing"),
      ] as [(DeviceAction, String)] {
        let (failure, performer) = await stage.perform(DeviceCommand(action))
        #expect(failure == nil, "\(action): \(failure?.message ?? "")")
        #expect(await performer.device.view().player == player, "\(action)")
      }
      let view = StatusView(await stage.theirs.snapshot, at: stage.times.show.now)
      #expect(view.position.map { $0 >= 90 } == true && view.snapshot.receiver?.application?.appID == "CC1AD845")
    }
  }

  @Test("Where nothing runs what needs media fails, and stopping is done already")
  func nothing() throws {
    try Self.play { stage in
      let (failure, _) = await stage.perform(DeviceCommand(.pause))
      #expect(failure?.errorClass == .invalidState && failure?.message == "no app is running")
      #expect(await stage.perform(DeviceCommand(.stopApp(mayBeGone: false))).failure == nil)
      let queue = try await stage.perform(DeviceCommand([])).performer.queue(within: .seconds(5))
      #expect(queue == [])
    }
  }

  @Test("A long queue is loaded from the item to play on; what stands before it is put before it")
  func queue() throws {
    try Self.play { stage in
      let entries = Self.addresses(["a", "b", "c"])
      var reader = CommandReader(CommandLineText([]))
      let read = DeviceCommand(queue: entries, from: 1, QueueWords(), read: &reader)
      let command = try #require(read)
      #expect(reader.findings.problems.isEmpty && command.parts.count == 2)
      let (failure, performer) = await stage.perform(command)
      #expect(failure == nil, "\(failure?.message ?? "")")
      let media = await performer.device.view().snapshot.media
      let items = media?.items?.compactMap { $0["media"]?["contentId"]?.string } ?? []
      #expect(items == entries.map(\.text))
      #expect(media?.media?.contentID == entries[1].text)
    }
  }

  @Test("What is watched ends with its own end, and only then well")
  func watched() throws {
    try Self.play { stage in
      try await stage.load()
      let begun = stage.times.show.now
      let (failure, _) = await stage.perform(Self.watching([.action(.play)]), takeover: .fail)
      #expect(failure == nil && stage.times.show.now - begun > .seconds(500), "\(failure?.message ?? "")")
    }
  }

  /// What another sender does meanwhile.
  enum Act: Sendable, CaseIterable { case stopsApp, loads, launches }

  @Test("What another sender does to what is watched ends the command with what that was", arguments: Act.allCases)
  func taken(act: Act) throws {
    try Self.play { stage in
      try await stage.load()
      let acting = stage.times.show.spawn {
        do {
          try await stage.times.show.sleep(for: .seconds(20))
          switch act {
          case .stopsApp: try await stage.stopApp()
          case .loads: try await stage.load("https://cdn.example.com/b.mp4")
          case .launches:
            _ = try await stage.theirs.launch("CC1AD845", join: .never, until: stage.times.show.now + .seconds(15))
          }
        } catch { Issue.record(error) }
      }
      let (failure, _) = await stage.perform(Self.watching(), takeover: .fail)
      await acting.value
      let wanted: ErrorClass = act == .stopsApp ? .appGone : .takenOver
      #expect(failure?.errorClass == wanted, "\(String(describing: failure))")
      #expect(stage.times.show.now < .seconds(60))
    }
  }

  @Test("The command's time ends it wherever it is, and is told as the command's")
  func limited() throws {
    try Self.play { stage in
      try await stage.load()
      let begun = stage.times.show.now
      let (failure, _) = await stage.perform(Self.watching(limit: .seconds(5)))
      #expect(failure?.errorClass == .timeout && failure?.message == "the command's 5s were over")
      #expect(stage.times.show.now - begun < .seconds(7))
    }
  }

  @Test("Cancelling ends what runs, and the rest is not begun")
  func cancelled() throws {
    try Self.play { stage in
      try await stage.load()
      let failure = await withTaskGroup(of: StepFailure?.self) { group in
        group.addTask {
          await stage.perform(DeviceCommand([.waitForTheEnd, .action(.pause)])).failure
        }
        try? await stage.times.show.sleep(for: .seconds(5))
        group.cancelAll()
        return await group.next() ?? nil
      }
      #expect(failure?.errorClass == .interrupted)
      #expect(await stage.theirs.snapshot.media?.playerState == .playing)
    }
  }

  @Test("A connection that breaks while something is watched is made anew, and the end is seen over that")
  func reconnected() throws {
    try Self.play { stage in
      try await stage.load()
      let opened = Mutex<[CastConnection]>([])
      let watched = Stage(
        theirs: stage.theirs, times: stage.times,
        open: { () throws(ClientError) in
          let connection = try await stage.open()
          opened.withLock { $0.append(connection) }
          return connection
        })
      let breaking = stage.times.show.spawn {
        try? await stage.times.show.sleep(for: .seconds(30))
        await opened.withLock { $0.last }?.disconnect(abruptly: true)
      }
      let (failure, _) = await watched.perform(Self.watching(), takeover: .fail)
      await breaking.value
      #expect(failure == nil, "\(failure?.message ?? "")")
      #expect(opened.withLock { $0.count } == 2)
    }
  }

  @Test("What depends on the device is decided there: toggles, and changes of the volume in its steps")
  func dependent() throws {
    try Self.play { stage in
      try await stage.load()
      for player in ["paused", "playing"] {
        let (failure, performer) = await stage.perform(DeviceCommand(.togglePlayback))
        #expect(failure == nil, "\(failure?.message ?? "")")
        #expect(await performer.device.view().player == player)
      }
      for isMuted in [true, false] {
        let (failure, performer) = await stage.perform(DeviceCommand(.toggleMute))
        #expect(failure == nil)
        #expect(await performer.device.view().snapshot.receiver?.volume.muted == isMuted)
      }
      // The receiver's step is 5 points: one point would change nothing.
      for (points, level) in [(-20.0, 0.8), (1.0, 0.85), (0, 0.85), (100, 1)] {
        let (failure, performer) = await stage.perform(DeviceCommand(.changeVolume(by: points, ramp: .zero)))
        #expect(failure == nil)
        let shown = await performer.device.view().snapshot.receiver?.volume.level ?? 0
        #expect(abs(shown - level) < 1e-6, "\(points): \(shown)")
      }
    }
  }
}
