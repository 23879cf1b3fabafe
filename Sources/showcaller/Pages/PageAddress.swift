import ArgumentParser

/// The address of a receiver page as the command line names it: `http://localhost:3000/`, maybe with the app's id before
/// it, as in `A1B2C3D4=http://localhost:3000/`.
struct PageAddress: Hashable {
  /// `nil`: every app.
  var appID: String?
  var address: String

  static func read(_ text: String) throws -> PageAddress {
    guard let equals = text.firstIndex(of: "="), text[..<equals].allSatisfy({ $0.isLetter || $0.isNumber }) else {
      return PageAddress(appID: nil, address: try address(text[...]))
    }
    let id = String(text[..<equals])
    try VirtualApp.check(id: id)
    return PageAddress(appID: id, address: try address(text[text.index(after: equals)...]))
  }

  private static func address(_ text: Substring) throws -> String {
    guard let scheme = ["http://", "https://"].first(where: { text.lowercased().hasPrefix($0) }) else {
      throw ValidationError("the address of a page begins with `http://` or `https://`, as in `http://localhost:3000/`")
    }
    guard text.count > scheme.count, text.utf8.count <= 2048, !text.contains(where: { $0.isWhitespace || $0 == "\0" })
    else {
      throw ValidationError("the address of a page has a host, no spaces, and at most 2 048 bytes")
    }
    return String(text)
  }

  /// The words that name it again.
  var text: String { (appID.map { "\($0)=" } ?? "") + address }
}
