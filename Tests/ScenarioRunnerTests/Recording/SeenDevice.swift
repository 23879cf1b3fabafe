import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

@testable import ScenarioRunner

/// A device that an observer sees, by the messages that it sends.
struct SeenDevice {
  private var tracker = StatusTracker()
  private(set) var recorder = ScenarioRecorder()
  private var number = 0

  /// - Parameter app: What runs when the recording begins.
  init(app: String? = nil) {
    tracker.connected()
    if let app { receive(Self.receiver(app)) }
    recorder = ScenarioRecorder()
    recorder.begin(tracker.snapshot, at: .zero)
  }

  static func receiver(
    _ app: String?, session: String = "s", level: Double = 0.5, muted: Bool = false, control: String = "attenuation"
  ) -> JSONValue {
    var status: JSONObject = [
      "volume": [
        "level": JSONValue(level), "muted": .bool(muted), "controlType": .string(control), "stepInterval": 0.02,
      ]
    ]
    if let app {
      status["applications"] = [
        [
          "appId": .string(app), "displayName": app == "CC1AD845" ? "Default Media Receiver" : "Player",
          "sessionId": .string(session), "transportId": "t", "isIdleScreen": false, "statusText": "",
          "namespaces": [["name": .string(Namespace.media.rawValue)]],
        ]
      ]
    }
    return ["type": "RECEIVER_STATUS", "requestId": 0, "status": .object(status)]
  }

  static let film: JSONObject = [
    "contentId": "https://cdn.example.com/film.mp4", "contentType": "video/mp4", "streamType": "BUFFERED",
    "duration": 600, "metadata": ["metadataType": 1, "title": "Sintel"],
  ]

  /// A media status of session 1 unless `more` says otherwise.
  static func media(_ state: String, _ position: Double? = nil, _ more: JSONObject = [:]) -> JSONValue {
    var element: JSONObject = ["mediaSessionId": 1, "playerState": .string(state), "playbackRate": 1]
    element["currentTime"] = position.map { JSONValue($0) }
    for member in more.members { element[member.name] = member.value }
    return ["type": "MEDIA_STATUS", "requestId": 0, "status": [.object(element)]]
  }

  /// The film plays from its start, 2 s after the recording began.
  static func playing(_ more: JSONObject = [:]) -> SeenDevice {
    var device = SeenDevice()
    device.receive(receiver("CC1AD845"), at: 1)
    device.receive(media("IDLE", nil, ["extendedStatus": ["playerState": "LOADING", "media": .object(film)]]), at: 1.5)
    device.receive(media("BUFFERING", 0, ["media": .object(film)]), at: 1.8)
    var all: JSONObject = ["media": .object(film)]
    for member in more.members { all[member.name] = member.value }
    device.receive(media("PLAYING", 0, all), at: 2)
    return device
  }

  mutating func receive(_ json: JSONValue, at seconds: Double = 0) {
    let type = json["type"]?.string ?? ""
    let isPlatform = type == "RECEIVER_STATUS"
    let namespace: Namespace = isPlatform ? .receiver : .media
    let source: EndpointID = isPlatform ? .receiver : EndpointID("t")
    let message = IncomingMessage(
      CastMessage(source: source, destination: .sender, namespace: namespace, json: json))
    guard let change = tracker.receive(message, at: .seconds(seconds)) else { return }
    number += 1
    let scope: Observation.Scope =
      switch change {
      case .receiver: .receiver
      case .media: .media
      case .queue, .members: .message
      case .fault: .error
      }
    recorder.observe(
      Observation(
        number: number, at: .seconds(seconds), source: .push, scope: scope, snapshot: tracker.snapshot, message: json,
        namespace: namespace))
  }

  /// `0:12 pause: paused at 0:12` of each step so far.
  var lines: [String] {
    recorder.steps.compactMap { step in
      recorder.words(of: step).map { "\(DeviceState.clock(step.at.seconds)) \($0.verb.rawValue): \($0.text)" }
    }
  }

  static let device = FoundDevice(
    name: "Living Room TV", id: "1234", model: "Chromecast", address: HostAndPort(host: "192.0.2.14", port: 8009),
    via: .mdns)

  /// What is written when the recording ends.
  func written(at seconds: Double, of device: FoundDevice = device) -> ScenarioWriter.Outcome? {
    var recorder = recorder
    recorder.end(at: .seconds(seconds))
    return ScenarioWriter.write(recorder, of: .init(device: device, date: "2026-11-27 20:15"))
  }

  /// The lines below `steps:`, without the times beside them.
  func steps(at seconds: Double) -> [String] {
    let lines = written(at: seconds)?.text.split(separator: "\n") ?? []
    return lines.drop { $0 != "steps:" }.dropFirst().map { line in
      String((line.firstRange(of: " # ").map { line[..<$0.lowerBound] } ?? line).dropFirst(2))
    }
  }

  /// What the compiler says of what is written.
  static func problems(of text: String) -> [String] {
    var inputs = PlanCompiler.Inputs()
    inputs.needsSecrets = false
    return PlanCompiler.compile(SourceFile(name: "a.yaml", bytes: Array(text.utf8)), inputs: inputs).diagnostics
      .map { "\($0.severity) \($0.code) \($0.primary.span.line): \($0.message)" }
  }
}
