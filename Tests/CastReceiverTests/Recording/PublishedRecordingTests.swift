import CastProtocol
import Foundation
import Testing

@testable import CastReceiver

/// Recordings of real devices that people published, replayed.
@Suite(.enabled(if: Recordings.areAvailable)) struct PublishedRecordingTests {
  static let files: [URL] = {
    let folder = Recordings.folder.appending(path: "recordings")
    let all = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    return all.filter { $0.pathExtension == "json" }.sorted { $0.path() < $1.path() }
  }()

  private func recording(_ name: String) throws -> Recording {
    let url = Recordings.folder.appending(path: "recordings/\(name).json")
    return try Recording(parsing: Array(Data(contentsOf: url)))
  }

  @Test("Each is read, and each of its requests that has an answer gets it")
  func all() throws {
    var answered = 0
    for file in Self.files where file.lastPathComponent != "mdns-and-setup.json" {
      let recording = try Recording(parsing: Array(Data(contentsOf: file)))
      let script = ReplayScript(recording)
      for exchange in script.exchanges where exchange.kind == .command {
        let answers = exchange.outputs.filter(\.isAnswer)
        guard exchange.request.namespace == .receiver, !answers.isEmpty else { continue }
        var harness = ReceiverHarness { $0.recording = recording }
        _ = harness.open(1)
        _ = harness.connect()
        var request = try #require(exchange.request.object)
        request["requestId"] = 4711
        let heard = harness.send(.object(request)) + harness.advance(by: .seconds(60))
        let types = heard.filter { $0.requestID == 4711 || $0.json["launchRequestId"] == 4711 }.map(\.type)
        #expect(types == answers.map(\.message.type), "\(file.lastPathComponent) \(request)")
        answered += 1
      }
    }
    #expect(answered >= 4)
  }

  @Test("An Android TV launches and loads for a sender of today as it did for the one that was recorded")
  func androidTV() throws {
    let recording = try recording("gnome-network-displays-trace")
    var harness = ReceiverHarness { $0.recording = recording }
    _ = harness.open(1)
    _ = harness.connect()
    let before = harness.send(["type": "GET_STATUS", "requestId": 50])
    #expect(before.first?.json["status"]?["applications"]?.array?.first?["displayName"] == "YouTube")
    let launched = harness.send(["type": "LAUNCH", "appId": "CC1AD845", "requestId": 51])
    #expect(launched.map(\.requestID) == [0, 51])
    let transport = try #require(
      launched.last?.json["status"]?["applications"]?.array?.first?["transportId"]?.string)
    #expect(transport != "014f4bf2-2c29-481f-ab50-ef7d6ff210ac")
    #expect(harness.connect(to: transport).map(\.type) == ["MEDIA_STATUS"])
    let load = try #require(recording.messages.first { $0.type == "LOAD" }?.object?["media"])
    let loaded = harness.send(
      ["type": "LOAD", "requestId": 52, "media": load], on: .media, to: transport)
    #expect(loaded.map(\.requestID) == [0, 0, 52] && loaded.allSatisfy { $0.source == transport })
    #expect(harness.unknown == [])
  }

  @Test("Of recordings without requests senders see what the device said last")
  func statusesOnly() throws {
    var harness = ReceiverHarness { $0.recording = try? recording("homey-cast-statuses") }
    _ = harness.open(1)
    _ = harness.connect()
    let status = harness.send(["type": "GET_STATUS", "requestId": 1])
    let app = try #require(status.first?.json["status"]?["applications"]?.array?.first)
    let transport = try #require(app["transportId"]?.string)
    _ = harness.connect(to: transport)
    let media = harness.send(["type": "GET_STATUS", "requestId": 2], on: .media, to: transport)
    #expect(media.first?.requestID == 2 && media.first?.media?["playerState"] != nil)
  }
}
