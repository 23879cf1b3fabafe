package import CastReceiver

/// The pages that show one screen, and which of them plays: the one that was opened last. A value without I/O.
package struct ScreenPages: Sendable {
  /// A page as it calls itself: 32 hexadecimal digits that it has drawn, which nobody else knows.
  package struct Key: Hashable, Sendable {
    package let text: String

    package init?(_ text: String) {
      guard text.utf8.count == 32, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
      else { return nil }
      self.text = text
    }

    /// What everybody may know of it.
    package var name: String { String(text.prefix(8)) }
  }

  private struct Page {
    var key: Key
    var streams = 1
  }

  /// In the order in which they were opened.
  private var pages: [Page] = []

  package init() {}

  /// The page that plays; `nil`: none is open.
  package var driver: Key? { pages.last?.key }

  /// Takes a page, or another stream of one that is open.
  /// - Returns: What the receiver is to be told.
  package mutating func opened(_ key: Key) -> PlayerInput? {
    if let index = pages.firstIndex(where: { $0.key == key }) {
      pages[index].streams += 1
      return nil
    }
    pages.append(Page(key: key))
    return .came
  }

  /// Lets go a stream of a page.
  /// - Returns: What the receiver is to be told.
  package mutating func closed(_ key: Key) -> PlayerInput? {
    guard let index = pages.firstIndex(where: { $0.key == key }) else { return nil }
    pages[index].streams -= 1
    guard pages[index].streams == 0 else { return nil }
    let wasDriver = index == pages.count - 1
    pages.remove(at: index)
    if pages.isEmpty { return .left }
    // Another page goes on with it.
    return wasDriver ? .came : nil
  }
}
