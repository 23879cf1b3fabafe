import Glibc

/// What the file of a secret has in it.
package enum SecretForm: Sendable {
  /// Its bytes, no more and no less.
  case bytes
  /// Text for people: hexadecimal digits and a newline where it is made here, and what somebody wrote instead if that is
  /// as long.
  case text

  func written(_ secret: [UInt8]) -> [UInt8] {
    switch self {
    case .bytes: secret
    case .text: Self.digits(of: secret) + Array("\n".utf8)
    }
  }

  /// - Parameter bytes: How many bytes of chance it has to have.
  /// - Returns: `nil`: that is no such secret.
  func read(_ content: [UInt8], bytes: Int) -> [UInt8]? {
    switch self {
    case .bytes: return content.count == bytes ? content : nil
    case .text:
      let text = Array(String(decoding: content, as: UTF8.self).filter { !$0.isWhitespace }.utf8)
      return text.count >= 2 * bytes ? text : nil
    }
  }

  private static func digits(of bytes: [UInt8]) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
  }
}

extension Files {
  /// Larger files are no secrets.
  private static let secretLimit = 64 << 10

  /// The secret that a file keeps, made where there is none: of several that begin at the same time all get the same.
  ///
  /// - Parameters:
  ///   - bytes: How many bytes of chance it has.
  ///   - form: How it stands in the file.
  package static func keptSecret(
    at path: String, bytes: Int, as form: SecretForm = .bytes
  ) throws(FileError) -> [UInt8] {
    func kept() -> [UInt8]? {
      (try? read(path, limit: secretLimit, followsLink: false)).flatMap { form.read($0, bytes: bytes) }
    }
    if let secret = kept() { return secret }
    var generator = SystemRandomNumberGenerator()
    let content = form.written((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    try makeFolders(folder(of: path))
    do throws(FileError) {
      try create(content, at: path, mode: 0o600)
    } catch {
      guard error.code == EEXIST else { throw error }
      if let secret = kept() { return secret }
      // What is there is no secret.
      try replace(content, at: path, mode: 0o600)
    }
    // Somebody else may have replaced the same.
    if let secret = kept() { return secret }
    guard let secret = form.read(content, bytes: bytes) else { throw .system(EBADMSG) }
    return secret
  }

  /// Makes a file, whole or not at all, so that nobody reads a part of it.
  /// - Throws: `EEXIST` where something is there.
  package static func create(_ bytes: [UInt8], at path: String, mode: UInt32) throws(FileError) {
    let temporary = folder(of: path) + "/" + TemporaryFiles.newName()
    let file = try open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    defer { unlink(temporary) }
    try file.write(bytes)
    guard fsync(file.descriptor) == 0 else { throw .last }
    try file.close()
    if link(temporary, path) == 0 { return }
    guard errno != EEXIST else { throw .last }
    // Some disks have no second names for a file; there a reader may see a part.
    let plain = try open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
    try plain.write(bytes)
    try plain.close()
  }
}
