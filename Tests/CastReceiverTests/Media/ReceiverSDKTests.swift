import CastProtocol
import Testing

@testable import CastReceiver

/// The script that was played against the SDK that real receivers are made of, played against ours.
@Suite struct ReceiverSDKTests {
  /// The files of the SDK's host, and how long they last.
  static let files: [String: Duration] = [
    "a.mp4": .seconds(60), "b.mp4": .seconds(12), "ad.mp4": .seconds(5), "s.mp3": .seconds(30),
  ]

  /// Plays the script.
  /// - Returns: For each request what everyone (`*:*`) or one sender heard until the next.
  static func play(_ transcript: SDKTranscript) -> [[SDKTranscript.Message]] {
    var receiver = ReceiverHarness {
      $0.fetch = { _, _ in }
      $0.media = .sdk
    }
    receiver.fetched = { address in
      let file = address.split(separator: "/").last.map(String.init) ?? ""
      return files[file].map { .found(duration: $0) } ?? .missing
    }
    receiver.start()
    var heard: [[SDKTranscript.Message]] = []
    var joins = transcript.joins[...]
    for request in transcript.requests {
      // The SDK notices an item's end 160 ms late, and begins the break of 128 after 45 ms: its next statuses by itself
      // would have come after these requests.
      let early: Duration = request.id > 128 ? .milliseconds(300) : request.id == 128 ? .milliseconds(200) : .zero
      let time = request.message.time - early
      let before = receiver.advance(by: max(.zero, time - receiver.now))
      if !heard.isEmpty { heard[heard.count - 1] += messages(before, receiver.now) }
      while let join = joins.first, join.time <= request.message.time {
        joins.removeFirst()
        _ = receiver.connect(join.sender, to: receiver.transport)
      }
      // One sender of the script was never announced.
      let isStranger = !transcript.joins.contains { $0.sender == request.message.peer }
      if isStranger { _ = receiver.connect(request.message.peer, to: receiver.transport) }
      heard.append(
        messages(
          receiver.send(
            request.message.json, on: .media, from: request.message.peer, to: receiver.transport), receiver.now))
      if isStranger {
        _ = receiver.send(
          ["type": "CLOSE"], on: .connection, from: request.message.peer, to: receiver.transport)
      }
    }
    heard[heard.count - 1] += messages(receiver.advance(by: .seconds(1)), receiver.now)
    return heard
  }

  private static func messages(_ heard: [ReceiverHarness.Heard], _ now: Duration) -> [SDKTranscript.Message] {
    heard.filter { $0.namespace == .media }.map {
      .init(time: now, peer: $0.destination == "*" ? "*:*" : $0.destination, json: $0.json)
    }
  }

  @Test("Each request is answered as the receiver SDK answers it", .enabled(if: Recordings.areAvailable))
  func alike() throws {
    let transcript = try SDKTranscript()
    #expect(transcript.requests.count == 33)
    let answers = Self.play(transcript)
    for (request, ours) in zip(transcript.requests, answers) {
      let asked = request.message.json["type"]?.string ?? ""
      #expect(
        ours.map { "\($0.peer) \($0.json["type"]?.string ?? "") \($0.json["requestId"]?.int ?? -1)" }
          == request.answers.map { "\($0.peer) \($0.json["type"]?.string ?? "") \($0.json["requestId"]?.int ?? -1)" },
        "#\(request.id) \(asked)")
      for (answer, our) in zip(request.answers, ours) {
        let found = differences(answer.json, our.json)
        #expect(found.isEmpty, "#\(request.id) \(asked): \(found.joined(separator: "\n"))")
      }
    }
  }
}
