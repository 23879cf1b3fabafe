import CastProtocol
import ScenarioLanguage

/// What a receiver is and does, for people: a line, and one more for what it plays.
struct ReceiverText {
  private let json: JSONObject

  init(_ json: JSONObject) { self.json = json }

  var lines: [String] {
    let names = [json["name"], json["address"]].map { $0?.string ?? "" }
    var lines = [(names + [state, volume, senders]).joined(separator: "  ")]
    if let media = json["media"], let app = json["app"] {
      lines.append("  \(app["name"]?.string ?? ""): \(media["title"]?.string ?? media["url"]?.string ?? "")")
    }
    return lines.map(TerminalText.escaped)
  }

  private var state: String {
    if json["plugged"]?.bool == false { return "unplugged" }
    var words: [String] = []
    if let media = json["media"] {
      words.append(media["player"]?.string ?? "")
      words.append(Self.time(media["position"]) + (media["duration"].map { " of " + Self.time($0) } ?? ""))
    } else {
      words.append(json["app"]?["name"]?.string ?? "idle")
    }
    if json["standby"]?.bool == true {
      words.append("(standby)")
    } else if json["active_input"]?.bool == false {
      words.append("(another input is on)")
    }
    return words.joined(separator: " ")
  }

  private var volume: String {
    if json["volume"]?["muted"]?.bool == true { return "muted" }
    return "volume \(Int(((json["volume"]?["level"]?.number ?? 0) * 100).clamped.rounded()))%"
  }

  private var senders: String {
    let connections = Set((json["senders"]?.array ?? []).compactMap { $0["connection"]?.int })
    return connections.count == 1 ? "1 sender" : "\(connections.count) senders"
  }

  /// `1:02:03`.
  private static func time(_ value: JSONValue?) -> String {
    let seconds = Int((value?.number ?? 0).clamped)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let text = (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    return hours > 0 ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(text)" : "\(minutes):\(text)"
  }
}

extension Double {
  /// What fits an integer, whatever a receiver said.
  fileprivate var clamped: Double { isFinite ? max(0, min(1e9, self)) : 0 }
}
