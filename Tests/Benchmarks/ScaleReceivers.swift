import CastClient
import CastProtocol
import CastReceiver
import CastTransport
import Glibc
import Synchronization

/// The far end of the scale measurement, in a process of its own: a virtual receiver for each connection, whose film
/// another sender in that process pauses or resumes every second.
enum ScaleReceivers {
  /// Nobody has to kill it: it ends by itself after this.
  private static let lifetime = Duration.seconds(240)

  /// Tells where it listens, and, when the last of `count` connections has closed, what its heartbeats came to.
  static func run(count: Int, doing: ScaleBenchmark.Devices = .playing) async throws {
    OpenFiles.raiseLimit()
    let times = TimeSources(show: TimeSource(ContinuousClock()))
    let hall = Hall(try await devices(count, times))
    let server = try await TLSServer.listen(host: "127.0.0.1", port: 0, maximumConnections: count) { channel in
      guard let receiver = hall.next() else { return channel.abort() }
      receiver.accept(HeartbeatCounter(channel, hall: hall, times: times))
    }
    print("127.0.0.1:\(server.port)")
    fflush(nil)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for await _ in hall.end {} }
      group.addTask { try? await times.show.sleep(for: lifetime) }
      for (index, device) in hall.devices.enumerated() where doing == .playing {
        // Spread over the second, as devices are that know nothing of each other.
        let offset = Duration.milliseconds(index % 1000)
        group.addTask { await playAndPause(device, offset: offset, times) }
      }
      await group.next()
      group.cancelAll()
    }
    let tally = hall.tally.withLock { $0 }
    print("\(tally.pings) \(tally.pongs) \(tally.missed) \((tally.slowest.seconds * 1000).rounded())")
    fflush(nil)
  }

  struct Device: Sendable {
    let receiver: VirtualReceiver
    let other: CastConnection
    let app: AppSession
    let mediaSession: Int
  }

  /// What all connections share.
  final class Hall: Sendable {
    struct Tally {
      var pings = 0
      var pongs = 0
      var missed = 0
      var slowest = Duration.zero
      var accepted = 0
      var closed = 0
    }

    let devices: [Device]
    let tally = Mutex(Tally())
    let end: AsyncStream<Void>
    private let ending: AsyncStream<Void>.Continuation

    init(_ devices: [Device]) {
      self.devices = devices
      (end, ending) = AsyncStream.makeStream()
    }

    func next() -> VirtualReceiver? {
      tally.withLock { tally in
        guard tally.accepted < devices.count else { return nil }
        tally.accepted += 1
        return devices[tally.accepted - 1].receiver
      }
    }

    func closed() {
      let isLast = tally.withLock { tally in
        tally.closed += 1
        return tally.closed == devices.count
      }
      if isLast { ending.finish() }
    }
  }

  /// Receivers that play a film, each with the sender that started it.
  private static func devices(_ count: Int, _ times: TimeSources) async throws -> [Device] {
    var devices: [Device] = []
    for index in 0..<count {
      var configuration = ReceiverConfiguration(id: "bench-\(index)")
      configuration.seed = UInt64(index)
      let receiver = VirtualReceiver(configuration: configuration, times: times)
      let (near, far) = InMemoryByteChannel.pair(over: InMemoryLink())
      receiver.accept(far)
      let connection = CastConnection(channel: near, times: times, configuration: ClientConfiguration())
      try await connection.open()
      let deadline = times.show.now + .seconds(30)
      let app = try await connection.launch("CC1AD845", join: .auto, until: deadline)
      var media = MediaInformation()
      media.contentID = "https://cdn.example.com/films/\(index)/master.m3u8"
      media.contentType = "application/x-mpegurl"
      media.streamType = "BUFFERED"
      media.duration = 7200
      media.metadata = ["metadataType": 1, "title": .string("Film \(index)"), "subtitle": "Played on every screen"]
      let session = try await connection.load(LoadRequest(media: media), in: app, until: deadline)
      devices.append(Device(receiver: receiver, other: connection, app: app, mediaSession: session))
    }
    return devices
  }

  private static func playAndPause(_ device: Device, offset: Duration, _ times: TimeSources) async {
    var next = times.show.now + offset
    var isPlaying = true
    while (try? await times.show.sleep(until: next)) != nil {
      let request =
        isPlaying
        ? MediaRequest(.pause, session: device.mediaSession) : MediaRequest(.play, session: device.mediaSession)
      try? await device.other.command(request, in: device.app, until: next + .seconds(5))
      isPlaying.toggle()
      next += .seconds(1)
    }
  }
}

/// A channel that counts the PINGs that leave by it and the PONGs that come back.
final class HeartbeatCounter: ByteChannel {
  private static let ping = Array(#""PING""#.utf8)
  private static let pong = Array(#""PONG""#.utf8)

  private let channel: any ByteChannel
  private let hall: ScaleReceivers.Hall
  private let times: TimeSources
  /// When the PING that has no PONG yet left.
  private let unanswered = Mutex<Duration?>(nil)

  init(_ channel: any ByteChannel, hall: ScaleReceivers.Hall, times: TimeSources) {
    self.channel = channel
    self.hall = hall
    self.times = times
  }

  func start(_ receive: @escaping @Sendable (ByteChannelEvent) -> Void) {
    channel.start { [self] event in
      switch event {
      case .received(let bytes):
        if bytes.contains(Self.pong) { ponged() }
      case .closed: hall.closed()
      }
      receive(event)
    }
  }

  func send(_ messages: [[UInt8]]) {
    if messages.contains(where: { $0.contains(Self.ping) }) {
      let wasMissed = unanswered.withLock { unanswered in
        defer { unanswered = times.network.now }
        return unanswered != nil
      }
      hall.tally.withLock { tally in
        tally.pings += 1
        if wasMissed { tally.missed += 1 }
      }
    }
    channel.send(messages)
  }

  private func ponged() {
    let now = times.network.now
    let sentAt = unanswered.withLock { unanswered in
      defer { unanswered = nil }
      return unanswered
    }
    hall.tally.withLock { tally in
      tally.pongs += 1
      if let sentAt { tally.slowest = max(tally.slowest, now - sentAt) }
    }
  }

  func close() { channel.close() }
  func abort() { channel.abort() }
  var peerCertificateDER: [UInt8]? { channel.peerCertificateDER }
  var ownCertificateDER: [UInt8]? { channel.ownCertificateDER }
  var securityProtocol: String? { channel.securityProtocol }
}
