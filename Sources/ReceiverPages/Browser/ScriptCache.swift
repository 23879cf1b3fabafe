import Glibc

/// Google's scripts for receiver pages, kept for the time when their server cannot be reached: one file each.
///
/// They come from where a page loads them, are only read when that fails, and are never part of the program.
struct ScriptCache: Sendable {
  /// Bytes of one script.
  static let lengthLimit = 16 << 20
  /// Characters of a name that file systems take.
  private static let nameLimit = 200

  let folder: String

  /// What came by `http:` has files of its own: anybody may have answered it, and no page of `https:` gets it.
  /// - Returns: `nil` for an address that names no script of a version: its answer may be another next time.
  func file(of address: String) -> String? {
    guard let scheme = ["https://", "http://"].first(where: address.hasPrefix) else { return nil }
    let rest = address.dropFirst(scheme.count)
    guard rest.utf8.count <= Self.nameLimit, rest.hasSuffix(".js"), !rest.contains("..") else { return nil }
    let isPlain = rest.utf8.allSatisfy { byte in
      let character = Character(Unicode.Scalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber) || "/._-".contains(character)
    }
    guard isPlain else { return nil }
    return "\(folder)/\(scheme == "http://" ? "http+" : "")\(rest.map { $0 == "/" ? "+" : String($0) }.joined())"
  }

  /// What is kept of an address; of one of `http:` also what came by `https:`.
  func read(_ address: String) -> [UInt8]? {
    if address.hasPrefix("http://"), let bytes = read("https://" + address.dropFirst("http://".count)) { return bytes }
    guard let path = file(of: address) else { return nil }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= Self.lengthLimit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes.isEmpty ? nil : bytes }
      if count < 0 {
        if errno == EINTR { continue }
        return nil
      }
      bytes += chunk.prefix(count)
    }
    return nil
  }

  /// Keeps a script, or nothing where there is no room: the page has it all the same.
  func write(_ address: String, _ bytes: [UInt8]) {
    guard bytes.count <= Self.lengthLimit, let path = file(of: address), makeFolder() else { return }
    if read(address) == bytes { return }
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      if count > 0 { done += count } else if errno != EINTR { break }
    }
    close(descriptor)
    if done == bytes.count { rename(draft, path) } else { unlink(draft) }
  }

  /// Makes the folder and those above it.
  private func makeFolder() -> Bool {
    var path = ""
    for part in folder.split(separator: "/") {
      path += "/\(part)"
      if mkdir(path, 0o700) != 0, errno != EEXIST { return false }
    }
    return true
  }
}
