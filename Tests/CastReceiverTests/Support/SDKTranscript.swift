import CastProtocol
import Foundation

/// What senders asked the receiver SDK in a browser, and what it answered, from the reference's transcript.
struct SDKTranscript {
  /// Something that was sent on the media namespace.
  struct Message {
    /// After the transcript's begin.
    var time: Duration
    /// A sender's id, or `*:*`.
    var peer: String
    var json: JSONValue
  }

  struct Request {
    var message: Message
    /// Until the next request, but for what the SDK sent because the browser told it something.
    var answers: [Message] = []

    var id: Int { message.json["requestId"]?.int ?? 0 }
  }

  var requests: [Request] = []
  /// When which sender was announced.
  var joins: [(time: Duration, sender: String)] = []

  init() throws {
    let file = Recordings.folder.appending(path: "web-receiver/sdk-3.0.0103.jsonl")
    // What the browser tells the SDK, its window hidden for example, cannot occur here; nor can what comes of it.
    var told = Duration.seconds(-1)
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let entry = try JSONValue(parsing: Array(line.utf8))
      guard let raw = entry["raw"]?.string, let message = try? JSONValue(parsing: Array(raw.utf8)),
        let data = message["data"]?.string, let json = try? JSONValue(parsing: Array(data.utf8)),
        let milliseconds = entry["t"]?.int, let peer = message["senderId"]?.string
      else { continue }
      let time = Duration.milliseconds(milliseconds)
      let isMedia = message["namespace"]?.string == Namespace.media.rawValue
      switch (entry["dir"]?.string, isMedia) {
      case ("to_page", true): requests.append(Request(message: Message(time: time, peer: peer, json: json)))
      case ("to_page", false):
        if json["type"] == "senderconnected", let sender = json["senderId"]?.string {
          joins.append((time, sender))
        } else if peer == "SystemSender" {
          told = time
        }
      default:
        let isEcho = json["requestId"] == 0 && time - told < .milliseconds(60)
        if isMedia, !isEcho, !requests.isEmpty {
          requests[requests.count - 1].answers.append(Message(time: time, peer: peer, json: json))
        }
      }
    }
  }
}

/// Where two messages differ, as `path: the SDK's, ours`; the order of members does not count, and times may differ by
/// a second.
func differences(_ sdk: JSONValue?, _ ours: JSONValue?, at path: String = "") -> [String] {
  let name = path.split(separator: ".").last ?? ""
  let isTime = ["currentTime", "currentBreakTime", "currentBreakClipTime"].contains(name)
  switch (sdk, ours) {
  case (.object(let left), .object(let right)):
    let names = left.members.map(\.name) + right.members.map(\.name).filter { left[$0] == nil }
    return names.flatMap { differences(left[$0], right[$0], at: path.isEmpty ? $0 : "\(path).\($0)") }
  case (.array(let left), .array(let right)) where left.count == right.count:
    return zip(left, right).enumerated().flatMap { differences($1.0, $1.1, at: "\(path)[\($0)]") }
  default:
    if let left = sdk?.number, let right = ours?.number, abs(left - right) <= (isTime ? 1 : 1e-6) { return [] }
    return sdk == ours ? [] : ["\(path): \(sdk?.serialized() ?? "-"), \(ours?.serialized() ?? "-")"]
  }
}
