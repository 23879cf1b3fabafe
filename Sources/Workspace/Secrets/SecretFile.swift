package import ScenarioLanguage

/// A file that holds a secret: `secrets: { key: { file: key.txt } }` and `--secret key=@key.txt`.
package enum SecretFile {
  /// The most that a secret may be, in bytes.
  package static let byteLimit = 1 << 16

  /// Whether the file could be a secret, without telling it.
  package static func problem(with path: String) -> FileProblem? {
    if case .failure(let problem) = read(path) { problem } else { nil }
  }

  /// The file's text without one newline at its end.
  package static func read(_ path: String) -> Result<String, FileProblem> {
    do throws(FileError) {
      return text(of: try Files.read(path, limit: byteLimit))
    } catch {
      return .failure(FileProblem(error))
    }
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
    path.hasPrefix("/") ? path : Files.folder(of: file) + "/" + path
  }
}
