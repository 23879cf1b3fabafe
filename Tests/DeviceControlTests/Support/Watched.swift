import CastClient
import CastProtocol

@testable import DeviceControl
@testable import RunReporting

/// Devices and statuses for what watches them.
enum Watched {
  static let device = FoundDevice(
    name: "Lobby TV", id: "1234", model: "Chromecast", address: HostAndPort(host: "192.0.2.14", port: 8009), via: .mdns)

  /// A film of ten minutes in the Default Media Receiver, with two caption tracks and a break at 2:30.
  static func film(
    _ state: MediaStatus.PlayerState = .playing, position: Double = 65, at seconds: Double = 0, rate: Double? = 1,
    edit: (inout MediaStatus) -> Void = { _ in }
  ) -> DeviceSnapshot {
    var snapshot = Make.snapshot(state, position: position, at: seconds, rate: rate) { media in
      var content = MediaInformation()
      content.contentID = "https://cdn.example.com/film.mp4"
      content.streamType = "BUFFERED"
      content.duration = 600
      content.metadata = [
        "title": "Sintel", "subtitle": "Release candidate",
        "images": [["url": "https://cdn.example.com/art.jpg"]],
      ]
      content.tracks = [track(1, "AUDIO", "de"), track(2, "TEXT", "en"), track(3, "TEXT", "no")]
      var mid = MediaInformation.Break()
      mid.id = "mid"
      mid.position = 150
      mid.breakClipIDs = ["car", "soap"]
      content.breaks = [mid]
      var car = MediaInformation.BreakClip()
      car.id = "car"
      car.duration = 15
      content.breakClips = [car]
      media.media = content
      media.activeTrackIDs = [1, 3]
      edit(&media)
    }
    snapshot.receiver = receiver()
    snapshot.mediaSource = EndpointID("t-1")
    return snapshot
  }

  /// The first clip of the break, `time` seconds old, skippable from 5 s on.
  static func ad(time: Double, skippableAt: Double? = 5, at seconds: Double = 0) -> DeviceSnapshot {
    film(position: 150, at: seconds, rate: 0) { media in
      var state = MediaStatus.BreakStatus()
      state.breakID = "mid"
      state.breakClipID = "car"
      state.currentBreakClipTime = time
      state.whenSkippable = skippableAt
      media.breakStatus = state
    }
  }

  static func receiver(
    app id: String? = "CC1AD845", session: String = "s-1", level: Double = 0.4, muted: Bool = false,
    namespaces: [Namespace] = [.media]
  ) -> ReceiverStatus {
    var receiver = ReceiverStatus()
    receiver.volume.level = level
    receiver.volume.muted = muted
    receiver.volume.controlType = "attenuation"
    if let id {
      var app = ReceiverStatus.Application()
      app.appID = id
      app.displayName = id == "CC1AD845" ? "Default Media Receiver" : "YouTube"
      app.sessionID = session
      app.transportID = EndpointID("t-1")
      app.namespaces = namespaces
      receiver.application = app
    }
    return receiver
  }

  /// A device that shows nothing.
  static func idle() -> DeviceSnapshot {
    var snapshot = DeviceSnapshot()
    snapshot.isConnected = true
    snapshot.receiver = receiver(app: nil)
    return snapshot
  }

  static func track(_ id: Int, _ type: String, _ language: String) -> MediaInformation.Track {
    var track = MediaInformation.Track()
    track.trackID = id
    track.type = type
    track.language = language
    return track
  }

  static func machine(_ snapshot: DeviceSnapshot) -> WatchStateMachine {
    WatchStateMachine(device: device, authentication: .unchecked, snapshot: snapshot)
  }

  static func observation(
    _ snapshot: DeviceSnapshot, _ scope: Observation.Scope = .media, at seconds: Double = 0,
    message: JSONValue? = nil, others: [OtherSenderAction] = []
  ) -> Observation {
    var observation = Observation(
      number: 1, at: .seconds(seconds), source: .push, scope: scope, snapshot: snapshot, message: message)
    observation.others = others
    return observation
  }
}
