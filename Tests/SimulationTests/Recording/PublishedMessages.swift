import CastClient
import CastProtocol

@testable import CastReceiver
@testable import ScenarioRunner

/// Messages of devices as an observer would have seen them, one after the other.
enum PublishedMessages {
  /// What a recording makes of them.
  static func record(_ recording: Recording) -> ScenarioRecorder {
    var tracker = StatusTracker()
    tracker.connected()
    var recorder = ScenarioRecorder()
    recorder.begin(tracker.snapshot, at: .zero)
    var now = Duration.zero
    for (index, message) in recording.messages.enumerated() where message.direction == .toSender {
      guard case .json(let json) = message.payload else { continue }
      now = max(now, message.at ?? .seconds(index * 3))
      take(json, message, into: &tracker, &recorder, at: now, number: index + 1)
    }
    recorder.end(at: now + .seconds(3))
    return recorder
  }

  private static func take(
    _ json: JSONValue, _ message: RecordedMessage, into tracker: inout StatusTracker,
    _ recorder: inout ScenarioRecorder, at now: Duration, number: Int
  ) {
    // Who published them often left the addresses out.
    let app = tracker.snapshot.receiver?.application?.transportID ?? EndpointID("app")
    let source = message.namespace == .media ? app : .receiver
    let received = IncomingMessage(
      CastMessage(source: source, destination: .sender, namespace: message.namespace, json: json))
    guard let change = tracker.receive(received, at: now) else { return }
    let scope: Observation.Scope =
      switch change {
      case .receiver: .receiver
      case .media: .media
      case .queue, .members: .message
      case .fault: .error
      }
    recorder.observe(
      Observation(
        number: number, at: now, source: .push, scope: scope, snapshot: tracker.snapshot, message: json,
        namespace: message.namespace))
  }
}
