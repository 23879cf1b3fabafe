/// The name of a site: one level of a topic, the same in every tool, so only letters, digits and `-`, `_`, `.`.
package struct SiteName: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// At most 63 characters.
  package static let longest = 63
  package let text: String

  /// `nil`: it is empty, too long, or has other characters.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.longest, text.utf8.allSatisfy(TopicLevel.isPlain) else { return nil }
    self.text = text
  }

  package var description: String { text }

  package static func < (left: SiteName, right: SiteName) -> Bool { left.text < right.text }
}

/// Which sites somebody means: a name in which `*` stands for any characters and `?` for one.
package struct SiteGlob: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// `nil`: no site can have such a name.
  package init?(_ text: String) {
    let isPossible = text.utf8.allSatisfy {
      TopicLevel.isPlain($0) || $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "?")
    }
    guard !text.isEmpty, text.utf8.count <= SiteName.longest, isPossible else { return nil }
    self.text = text
  }

  package var description: String { text }

  package func matches(_ site: SiteName) -> Bool {
    let (pattern, name) = (Array(text.utf8), Array(site.text.utf8))
    var (place, index) = (0, 0)
    // Where to go on when the last star has to take one character more.
    var star: (place: Int, index: Int)?
    while index < name.count {
      if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
        star = (place, index)
        place += 1
      } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == name[index] {
        (place, index) = (place + 1, index + 1)
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
