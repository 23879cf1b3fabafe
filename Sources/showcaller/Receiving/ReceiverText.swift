import CastReceiver
import ScenarioLanguage

/// What a receiver is and does, for people: a line, and one more for what it plays.
struct ReceiverText {
  private let receiver: ReceiverSnapshot
  private let address: String

  init(_ entry: FoundReceivers.Entry) { (receiver, address) = (entry.receiver.snapshot, entry.address) }

  var lines: [String] {
    var lines = [[receiver.name, address, state, volume, senders].joined(separator: "  ")]
    if let media = receiver.media, let app = receiver.app {
      lines.append("  \(app.name): \(media.title ?? media.address)")
    }
    return lines.map(TerminalText.escaped)
  }

  private var state: String {
    if !receiver.isPlugged { return "unplugged" }
    var words: [String] = []
    if let media = receiver.media {
      words.append(media.state.rawValue)
      words.append(Self.time(media.position) + (media.duration.map { " of " + Self.time($0) } ?? ""))
    } else {
      words.append(receiver.app?.name ?? "idle")
    }
    if receiver.display.isStandby {
      words.append("(standby)")
    } else if !receiver.display.isActiveInput {
      words.append("(another input is on)")
    }
    return words.joined(separator: " ")
  }

  private var volume: String {
    if receiver.volume.isMuted { return "muted" }
    return "volume \(Int((receiver.volume.level * 100).clamped.rounded()))%"
  }

  private var senders: String {
    guard let senders = receiver.senders else { return "senders not told" }
    let connections = Set(senders.map(\.connection))
    return connections.count == 1 ? "1 sender" : "\(connections.count) senders"
  }

  /// `1:02:03`.
  private static func time(_ value: Double) -> String {
    let seconds = Int(value.clamped)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    let text = (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
    return hours > 0 ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(text)" : "\(minutes):\(text)"
  }
}

extension Double {
  /// What fits an integer, whatever a receiver said.
  fileprivate var clamped: Double { isFinite ? max(0, min(1e9, self)) : 0 }
}
