import CastTransport
import Glibc
import Workspace

/// The key that sites take documents and orders from.
enum OperatorKeys {
  private static let keyLimit = 16 << 10

  /// Where it is kept unless the command line says otherwise.
  private static func usualPath() throws(WorkspaceError) -> String {
    guard let folder = Surroundings.process.stateFolder else {
      throw WorkspaceError(.notWritten, "there is no place for the key: neither XDG_STATE_HOME nor HOME names a folder")
    }
    return "\(folder)/operator-key.pem"
  }

  /// The operator's key, with its public half.
  /// - Parameters:
  ///   - file: Where it is; `nil`: in the state folder.
  ///   - makes: Whether it is made where there is none.
  static func key(_ file: String?, makes: Bool) throws -> (key: SigningKey, verifying: VerifyingKey) {
    let path = try file ?? usualPath()
    guard let key = try found(path, makes: makes) else {
      throw CommandFailure(
        .commandLineWrong, "there is no operator's key at \(path)",
        help: "`showcaller fleet key\(file.map { " --key \($0)" } ?? "")` makes one; sites are given its public half")
    }
    return try pair(key, path)
  }

  private static func found(_ path: String, makes: Bool) throws(CommandFailure) -> SigningKey? {
    do throws(FileError) {
      if let key = try read(path) { return key }
      guard makes else { return nil }
      guard let key = SigningKey() else { throw .system(EIO) }
      try Files.makeFolders(Files.folder(of: path))
      try Files.create(key.pem, at: path, mode: 0o600)
      return key
    } catch {
      // Of two that begin at the same time the first makes the key of both.
      if case .system(EEXIST) = error, let key = try? read(path) { return key }
      if case .system(EBADMSG) = error {
        throw CommandFailure(
          .commandLineWrong, "\(path) is no private Ed25519 key",
          help: "the private half is wanted: the file that `showcaller fleet key` made, not what it printed")
      }
      throw CommandFailure(.commandLineWrong, "the operator's key, \(path), cannot be had: \(error.message)")
    }
  }

  private static func pair(_ key: SigningKey, _ path: String) throws -> (SigningKey, VerifyingKey) {
    guard let verifying = key.publicKey else { throw CommandFailure(.commandLineWrong, "\(path) is no key of Ed25519") }
    return (key, verifying)
  }

  private static func read(_ path: String) throws(FileError) -> SigningKey? {
    guard Files.kind(of: path) != nil else { return nil }
    guard let key = SigningKey(pem: try Files.read(path, limit: keyLimit)) else { throw .system(EBADMSG) }
    return key
  }
}
