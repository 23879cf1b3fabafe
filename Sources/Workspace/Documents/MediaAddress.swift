import Glibc

/// What people give to `load` and `queue` that no device can fetch, told before it becomes a wrong URL.
package enum MediaAddress {
  /// An address as it is, or that of a file of this computer, relative to the working directory: `file:film.mp4`.
  /// - Throws: What no device can fetch, with a cure.
  package static func own(_ text: String) throws(WorkspaceError) -> String {
    // A file may be named as documents name it.
    let isNamed = text.lowercased().hasPrefix("file:")
    let path = isNamed ? Self.path(ofURL: text) : text
    if !isNamed, text == "-" || text.contains(":") {
      try check(text)
      return text
    }
    guard access(path, F_OK) == 0 else {
      throw WorkspaceError(
        .commandLineWrong, "there is no file `\(path)`, and it is no address",
        help: "give the path of a file, or an address such as `https://example.com/film.mp4`")
    }
    return "file:" + (path.hasPrefix("/") ? try relative(path) : path)
  }

  /// Whether ``own(_:)`` made it of a file of this computer.
  package static func isFile(_ address: String) -> Bool { address.hasPrefix("file:") }

  /// `file:a.mp4` and `file:///srv/a.mp4` are paths.
  private static func path(ofURL text: String) -> String {
    let rest = String(text.dropFirst("file:".count))
    return rest.hasPrefix("///") ? String(rest.dropFirst(2)) : rest
  }

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
        .commandLineWrong, "\(place)`\(text)` is a file of this computer, which a queue cannot play",
        help: "`showcaller load` plays one file, a playlist several; or put it on a web server")
    }
    guard !text.contains(":") else { return }
    if access(text, F_OK) == 0, place.isEmpty {
      throw WorkspaceError(
        .commandLineWrong, "`\(text)` is a file of this computer, which a queue cannot play",
        help: "`showcaller load` plays one file, a playlist several; or put it on a web server")
    }
    throw WorkspaceError(
      .commandLineWrong, "\(place)`\(text)` is not an address that a device can fetch",
      help: "write one such as `https://example.com/film.mp4`")
  }
}
