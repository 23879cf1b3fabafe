import CastClient
import CastProtocol
import DeviceControl
import Signage
import Simulation

/// Somebody else who casts to the same device.
enum Strangers {
  /// Joins what plays.
  private static func join(
    at time: Duration, on stage: PlaylistSimulation.Stage
  ) async throws -> (connection: CastConnection, app: AppSession, media: Int)? {
    try await stage.times.show.sleep(until: time)
    guard let device = stage.devices.all.first else { return nil }
    let connection = try await stage.devices.access.connect(device, nil).connection
    guard let running = await connection.snapshot.receiver?.application, let transport = running.transportID else {
      return nil
    }
    let app = try await connection.resume(
      AppSession(appID: running.appID, sessionID: running.sessionID, transportID: transport, isOurs: false),
      playing: nil, until: stage.times.show.now + .seconds(10))
    guard let media = await connection.snapshot.media else { return nil }
    return (connection, app, media.mediaSessionID)
  }

  /// What plays, and its number.
  static func sight(at time: Duration, on stage: PlaylistSimulation.Stage) async throws -> String? {
    guard let joined = try await join(at: time, on: stage) else { return nil }
    let content = await joined.connection.snapshot.media?.media?.contentID
    await joined.connection.disconnect()
    return content.map { "\($0) \(joined.media)" }
  }

  /// How many items the receiver's queue has.
  static func queueLength(at time: Duration, on stage: PlaylistSimulation.Stage) async throws -> Int? {
    guard let joined = try await join(at: time, on: stage) else { return nil }
    let queue = try await joined.connection.queue(
      in: joined.app, needsItems: false, until: stage.times.show.now + .seconds(5))
    await joined.connection.disconnect()
    return queue.count
  }

  /// The number of what plays.
  static func session(at time: Duration, on stage: PlaylistSimulation.Stage) async throws -> Int? {
    let joined = try await join(at: time, on: stage)
    await joined?.connection.disconnect()
    return joined?.media
  }

  /// The device's status at some seconds, as it tells everybody.
  static func statuses(
    at times: [Int], on stage: PlaylistSimulation.Stage
  ) async throws -> [ReceiverStatus] {
    guard let device = stage.devices.all.first else { return [] }
    let connection = try await stage.devices.access.connect(device, nil).connection
    var statuses: [ReceiverStatus] = []
    for time in times {
      try await stage.times.show.sleep(until: .seconds(time))
      if let status = await connection.snapshot.receiver { statuses.append(status) }
    }
    await connection.disconnect()
    return statuses
  }

  /// Stops what plays, as somebody does with a telephone.
  static func stop(after start: Duration, on stage: PlaylistSimulation.Stage) async throws {
    guard let (connection, app, media) = try await join(at: start, on: stage) else { return }
    let end = stage.times.show.now + .seconds(10)
    try await connection.command(MediaRequest(.stop, session: media), in: app, until: end)
    await connection.disconnect()
  }

  static func pause(after start: Duration, on stage: PlaylistSimulation.Stage) async throws {
    guard let (connection, app, media) = try await join(at: start, on: stage) else { return }
    let end = stage.times.show.now + .seconds(10)
    try await connection.command(MediaRequest(.pause, session: media), in: app, until: end)
    await connection.disconnect()
  }

  /// - Parameters:
  ///   - app: The app that is launched for it, or joined.
  ///   - pauses: After how long the film is paused, and stands still from then on; `nil`: it plays to its end.
  static func play(
    for length: Duration, after start: Duration, app: String = "CC1AD845", pauses: Duration? = nil,
    content: String = "https://other.example/match.mp4",
    on stage: PlaylistSimulation.Stage
  ) async throws {
    try await stage.times.show.sleep(until: start)
    guard let device = stage.devices.all.first else { return }
    let opened = try await stage.devices.access.connect(device, nil)
    var now = stage.times.show.now
    let session = try await opened.connection.launch(
      app, join: .auto, needsMedia: true, until: now + .seconds(20))
    var media = MediaInformation()
    media.contentID = content
    media.contentType = "video/mp4"
    media.streamType = "BUFFERED"
    media.duration = length.seconds
    now = stage.times.show.now
    let number = try await opened.connection.load(LoadRequest(media: media), in: session, until: now + .seconds(20))
    if let pauses {
      try await stage.times.show.sleep(for: pauses)
      let end = stage.times.show.now + .seconds(10)
      try await opened.connection.command(MediaRequest(.pause, session: number), in: session, until: end)
    }
    try await stage.times.show.sleep(for: length + .seconds(400))
  }
}
