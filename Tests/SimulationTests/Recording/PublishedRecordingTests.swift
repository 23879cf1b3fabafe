import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import TestSupport
import Testing

@testable import CastReceiver
@testable import ScenarioRunner

/// What real devices said, as an observer sees it.
@Suite(.enabled(if: Reference.has("recordings"))) struct PublishedRecordingTests {
  static let files = ((try? Reference.files(in: "recordings")) ?? []).filter { $0.hasSuffix(".json") }

  @Test("Every published recording gives a document without a problem, or nothing happened in it", arguments: files)
  func published(file: String) throws {
    // Of discovery, not of channels.
    guard let recording = try? Recording(parsing: try Reference.bytes("recordings/\(file)")) else { return }
    let recorder = PublishedMessages.record(recording)
    guard let outcome = ScenarioWriter.write(recorder, of: .init(device: Self.device, date: "2026-11-27 20:15")) else {
      #expect(recorder.steps.allSatisfy { $0.act == .end })
      return
    }
    #expect(RecordingLab.problems(of: outcome.text) == [], "\(outcome.text)")
    guard case .formatted(let bytes) = DocumentFormatter.format(SourceFile(name: "a", bytes: Array(outcome.text.utf8)))
    else {
      Issue.record("not formatted\n\(outcome.text)")
      return
    }
    #expect(String(decoding: bytes, as: UTF8.self) == outcome.text)
  }

  @Test("Messages in which anything may be wrong give a document that can be read, or none")
  func hostile() throws {
    var generator = SeededGenerator(seed: 14)
    for file in Self.files {
      guard let recording = try? Recording(parsing: try Reference.bytes("recordings/\(file)")) else { continue }
      for _ in 0..<20 {
        var broken = recording
        for index in broken.messages.indices {
          guard case .json(let json) = broken.messages[index].payload else { continue }
          broken.messages[index].payload = .json(Self.changed(json, &generator, depth: 0))
        }
        broken.messages.shuffle(using: &generator)
        let recorder = PublishedMessages.record(broken)
        let outcome = ScenarioWriter.write(recorder, of: .init(device: Self.device, date: "2026"))
        guard let text = outcome?.text else { continue }
        #expect(RecordingLab.problems(of: text).filter { $0.hasPrefix("error") } == [], "\(file)\n\(text)")
      }
    }
  }

  /// The same with some values replaced by what nobody expects.
  private static func changed(_ json: JSONValue, _ generator: inout SeededGenerator, depth: Int) -> JSONValue {
    if depth > 1, generator.next(below: 12) == 0 {
      let values: [JSONValue] = [
        .null, -1, 0, 1e300, -1e300, 1e-9, .int(.max), .int(.min), "", "a: b\n- c", "${x}", "\u{1B}[2J", "\u{202E}", [],
        [:], true,
        "https://x.example/?token=1", .string(String(repeating: "x", count: 400)), "PLAYING", "IDLE",
      ]
      return values[generator.next(below: values.count)]
    }
    switch json {
    case .object(let object):
      var result = JSONObject()
      for member in object.members {
        result.members.append(.init(member.name, changed(member.value, &generator, depth: depth + 1)))
      }
      return .object(result)
    case .array(let elements): return .array(elements.map { changed($0, &generator, depth: depth + 1) })
    default: return json
    }
  }

  static let device = FoundDevice(
    name: "TV", id: "1", model: "C", address: HostAndPort(host: "192.0.2.1", port: 8009), via: .mdns)
}
