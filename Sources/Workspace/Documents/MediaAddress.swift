import Glibc

/// What people give to `load` and `queue` that no device can fetch, told before it becomes a wrong URL.
package enum MediaAddress {
  /// An address as it is, or that of a file of this computer, relative to the working directory: `file:film.mp4`.
  /// - Throws: What no device can fetch, with a cure.
  package static func own(_ text: String) throws(WorkspaceError) -> String {
    if text == "-" || text.contains(":") || access(text, F_OK) != 0 {
      try check(text)
      return text
    }
    return "file:" + (text.hasPrefix("/") ? try relative(text) : text)
  }

  /// Whether ``own(_:)`` made it of a file of this computer.
  package static func isFile(_ address: String) -> Bool { address.hasPrefix("file:") }

  /// A path from `/` as one from the working directory.
  private static func relative(_ path: String) throws(WorkspaceError) -> String {
    guard let folder = try? Files.realPath(of: ".") else {
      throw WorkspaceError(.notReadable, "the working directory cannot be found")
    }
    return folder.split(separator: "/").map { _ in "../" }.joined() + path.drop { $0 == "/" }
  }

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
