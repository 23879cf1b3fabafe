/// What a subscription asks for (MQTT 5.0, 4.7 and 4.8.2).
package struct TopicFilter: Hashable, Sendable, CustomStringConvertible {
  /// As it was sent.
  package let text: String
  /// Those who share the messages; `nil`: each has all of them.
  package let group: String?
  private let levels: [String]

  /// `nil`: it is none.
  package init?(_ text: String) {
    self.text = text
    var levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if levels.first == "$share" {
      guard levels.count >= 3, !levels[1].isEmpty, !levels[1].contains(where: { $0 == "+" || $0 == "#" }) else {
        return nil
      }
      group = levels[1]
      levels.removeFirst(2)
      if levels == [""] { return nil }
    } else {
      group = nil
    }
    guard !text.isEmpty, text.utf8.count <= 65_535, !text.utf8.contains(0) else { return nil }
    for (index, level) in levels.enumerated() {
      if level.contains("#"), level != "#" || index != levels.count - 1 { return nil }
      if level.contains("+"), level != "+" { return nil }
    }
    self.levels = levels
  }

  package var description: String { text }

  package func matches(_ topic: Topic) -> Bool {
    // A wildcard in front asks for nothing that the broker tells of itself (MQTT 5.0, 4.7.2).
    if topic.text.hasPrefix("$"), levels[0] == "+" || levels[0] == "#" { return false }
    for (index, level) in levels.enumerated() {
      // `sport/#` asks for `sport`, too (4.7.1.2): nothing more has to follow.
      if level == "#" { return true }
      guard index < topic.levels.count, level == "+" || level == topic.levels[index] else { return false }
    }
    return topic.levels.count == levels.count
  }
}

extension TopicFilter {
  /// What a message is published on (MQTT 5.0, 4.7.3), taken apart once.
  package struct Topic: Hashable, Sendable {
    package let text: String
    let levels: [String]

    /// `nil`: nobody may publish there.
    package init?(_ text: String) {
      guard !text.isEmpty, text.utf8.count <= 65_535,
        !text.utf8.contains(where: { $0 == 0 || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") })
      else { return nil }
      self.text = text
      levels = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
  }
}
