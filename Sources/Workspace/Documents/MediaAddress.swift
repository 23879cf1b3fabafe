import Glibc

/// What people give to `load` and `queue` that no device can fetch, told before it becomes a wrong URL.
package enum MediaAddress {
  /// - Parameter place: What stands before the message, such as `list.m3u:3: `.
  /// - Throws: What no device can fetch, with a cure.
  package static func check(_ text: String, place: String = "") throws(WorkspaceError) {
    if text == "-" {
      throw WorkspaceError(
        .commandLineWrong, "\(place)standard input cannot be played: a device fetches what it plays by itself",
        help: "put it on a web server the device can reach and give its http: or https: address")
    }
    if text.lowercased().hasPrefix("file:") {
      throw WorkspaceError(
        .commandLineWrong, "\(place)`\(text)` cannot be served to a device yet",
        help: "put the file on a web server the device can reach and give its http: or https: address")
    }
    guard !text.contains(":") else { return }
    if access(text, F_OK) == 0, place.isEmpty {
      throw WorkspaceError(
        .commandLineWrong, "`\(text)` is a file of this computer, which a device cannot fetch",
        help:
          "put it on a web server the device can reach, such as `python3 -m http.server`, and give its http: address")
    }
    throw WorkspaceError(
      .commandLineWrong, "\(place)`\(text)` is not an address that a device can fetch",
      help: "such as `https://example.com/film.mp4`; a file of this computer must be on a web server")
  }
}
