import ArgumentParser

/// The address of a receiver page as the command line names it: `http://localhost:3000/`, maybe with the app's id before
/// it, as in `A1B2C3D4=http://localhost:3000/`.
struct PageAddress: ExpressibleByArgument, Hashable {
  /// `nil`: every app.
  var appID: String?
  var address: String

  init?(argument: String) {
    var rest = argument[...]
    if let equals = argument.firstIndex(of: "="), argument[..<equals].allSatisfy({ $0.isLetter || $0.isNumber }) {
      appID = String(argument[..<equals])
      rest = argument[argument.index(after: equals)...]
      if appID?.isEmpty != false { return nil }
    }
    guard let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) }),
      rest.count > scheme.count, rest.utf8.count <= 2048, !rest.contains(where: { $0.isWhitespace || $0 == "\0" })
    else { return nil }
    address = String(rest)
  }

  /// The words that name it again.
  var text: String { (appID.map { "\($0)=" } ?? "") + address }
}
