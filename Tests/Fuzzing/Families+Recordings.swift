import CastClient
import CastProtocol
import DeviceControl
import Foundation
import RunReporting
import ScenarioLanguage
import ScenarioRunner

extension Family {
  static let recordings = Family(
    name: "recordings",
    seeds: { [lines(WireSeeds.texts)] + published },
    words: [
      "\n", "\"IDLE\"", "\"PLAYING\"", "\"PAUSED\"", "\"ERROR\"", "\"FINISHED\"", "1e308", "-1", "9223372036854775807",
      "${x}", "\\u001b[2J", "\\u202e", "\\n- a", "\"contentId\":", "\"currentItemId\":", "\"QUEUE_CHANGE\"", "token=1",
    ], makeReader: { RecordingsReader() })

  private static func lines(_ texts: [String]) -> [UInt8] {
    Array(texts.map { $0.replacing("\n", with: " ") }.joined(separator: "\n").utf8)
  }

  /// What devices said, a message a line.
  private static var published: [[UInt8]] {
    Corpus.reference("recordings", endingIn: ".json").compactMap { file in
      guard let messages = try? JSONValue(parsing: file).array else { return nil }
      let said = messages.filter { $0["direction"] == "in" }.compactMap { $0["payload"]?.serialized() }
      return lines(Array(said.prefix(12)))
    }
  }
}

/// A device that is recorded: whatever it says, what is written is a valid document of its own layout, or none.
private final class RecordingsReader: Reader {
  func read(_ bytes: [UInt8]) throws(Violation) {
    var tracker = StatusTracker()
    tracker.connected()
    var recorder = ScenarioRecorder()
    recorder.begin(tracker.snapshot, at: .zero)
    var now = Duration.zero
    for (index, line) in bytes.split(separator: 0x0A).prefix(100).enumerated() {
      guard let json = try? JSONValue(parsing: Array(line)) else { continue }
      now += .milliseconds(500 + line.count % 7 * 1_000)
      Self.take(json, into: &tracker, &recorder, at: now, number: index + 1)
    }
    recorder.end(at: now + .seconds(3))
    let name = String(decoding: bytes.prefix(40), as: UTF8.self)
    let device = FoundDevice(
      name: name, id: nil, model: nil, address: HostAndPort(host: "192.0.2.1", port: 8009), via: .mdns)
    guard let text = ScenarioWriter.write(recorder, of: .init(device: device, date: name))?.text else { return }
    let source = SourceFile(name: "recorded", bytes: Array(text.utf8))
    var inputs = PlanCompiler.Inputs()
    inputs.needsSecrets = false
    let problems = PlanCompiler.compile(source, inputs: inputs).diagnostics
    if let error = problems.first(where: { $0.severity == .error }) {
      throw Violation("what was written is invalid: \(error.code) \(error.message)\n\(text)")
    }
    guard case .formatted(let again) = DocumentFormatter.format(source), again == source.bytes else {
      throw Violation("`fmt` changes what was written:\n\(text)")
    }
    let controls = text.unicodeScalars.filter { $0.isDisplayControl && $0 != "\n" }
    guard controls.isEmpty else { throw Violation("a control was written:\n\(text)") }
  }

  private static func take(
    _ json: JSONValue, into tracker: inout StatusTracker, _ recorder: inout ScenarioRecorder, at now: Duration,
    number: Int
  ) {
    let isPlatform = json["type"] == "RECEIVER_STATUS"
    let namespace: Namespace = isPlatform ? .receiver : .media
    let app = tracker.snapshot.receiver?.application?.transportID ?? EndpointID("app")
    let message = CastMessage(
      source: isPlatform ? .receiver : app, destination: .sender, namespace: namespace, json: json)
    guard let change = tracker.receive(IncomingMessage(message), at: now) else { return }
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
        namespace: namespace))
  }
}
