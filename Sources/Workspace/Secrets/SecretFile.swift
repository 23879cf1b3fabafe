import Glibc
package import ScenarioLanguage

/// A file that holds a secret: `secrets: { key: { file: key.txt } }` and `--secret key=@key.txt`.
package enum SecretFile {
  /// The most that a secret may be, in bytes.
  package static let byteLimit = 1 << 16

  /// Whether the file could be a secret, without reading it.
  package static func problem(with path: String) -> FileProblem? {
    if case .failure(let problem) = read(path) { problem } else { nil }
  }

  /// The file's text without one newline at its end.
  package static func read(_ path: String) -> Result<String, FileProblem> {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(ProjectFiles.problem(errno)) }
    defer { close(descriptor) }
    return ProjectFiles.contents(of: descriptor, limit: byteLimit).flatMap { text(of: $0) }
  }

  /// Bytes as a secret: UTF-8, not empty.
  package static func text(of bytes: [UInt8]) -> Result<String, FileProblem> {
    var bytes = bytes
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    guard !bytes.isEmpty else { return .failure(.empty) }
    guard let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) else {
      return .failure(.unreadable("it is not UTF-8 text"))
    }
    return .success(text)
  }

  /// A path of a document, from the folder of the file that it stands in.
  package static func path(_ path: String, declaredIn file: String) -> String {
    path.hasPrefix("/") ? path : ProjectFiles.folder(of: file) + "/" + path
  }
}
