import CastProtocol
import CastTransport
import Glibc
import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// Signs the files of a ledger that nothing is written to any more: what is signed is the hash of the last line, which stands
/// for all lines before it. The signature of `plays-2026-11-23.jsonl` is `plays-2026-11-23.jsonl.sig`.
struct LedgerSigning {
  private static let interval = Duration.seconds(1)
  private static let keyLimit = 16 << 10
  static let ending = ".sig"

  /// Signs what is left, now and then, until the task is cancelled; and what was left by an earlier process.
  /// - Parameter signs: Whether the playlist wants it, as it is served now.
  func follow(_ ledger: PlaylistLedger, on clock: TimeSource, _ signs: @Sendable () -> Bool) async {
    var complaint: String?
    repeat {
      guard signs() else { continue }
      var problem: String?
      for file in ledger.leftFiles where Files.kind(of: file + Self.ending) == nil {
        problem = Self.sign(file) ?? problem
      }
      if let problem, problem != complaint {
        Terminal.say("warning: \(TerminalText.escaped(problem)); it is tried again")
      }
      complaint = problem
    } while (try? await clock.sleep(for: Self.interval)) != nil
  }

  /// - Returns: Why there is no signature.
  private static func sign(_ file: String) -> String? {
    do {
      let key = try key(makes: true)
      // A file without a line proves nothing, and is not missed.
      guard let last = try LedgerFile.lastLine(of: file, limit: LedgerLine.byteLimit) else { return nil }
      guard let link = LedgerLine.link(of: last) else { return "\(file) is not signed: its last line is damaged" }
      guard let signature = key.sign(Array(link.hash.utf8)) else { return "\(file) cannot be signed" }
      try Files.replace(signature, at: file + ending, mode: 0o644)
      return nil
    } catch let error as FileError {
      return "the signature of \(file) cannot be written: \(error.message)"
    } catch let error as WorkspaceError {
      return error.message
    } catch {
      return "\(file) is not signed: \(error)"
    }
  }

  // MARK: keys

  /// The key of this computer, in the state folder.
  /// - Parameter makes: Whether it is made where there is none.
  static func key(makes: Bool) throws(WorkspaceError) -> SigningKey {
    guard let folder = Surroundings.process.stateFolder else {
      throw WorkspaceError(.notWritten, "there is no place for the key: neither XDG_STATE_HOME nor HOME names a folder")
    }
    let path = "\(folder)/ledger-key.pem"
    do throws(FileError) {
      if let key = try readKey(path) { return key }
      guard makes, let key = SigningKey() else {
        throw FileError.system(ENOENT)
      }
      try Files.makeFolders(folder)
      // Of two processes that begin at the same time the first makes the key of both.
      try Files.create(key.pem, at: path, mode: 0o600)
      return key
    } catch {
      if case .system(EEXIST) = error, let key = try? readKey(path) { return key }
      throw WorkspaceError(.notWritten, "the key of ledgers, \(path), cannot be had: \(error.message)")
    }
  }

  /// - Returns: `nil` where there is none.
  private static func readKey(_ path: String) throws(FileError) -> SigningKey? {
    guard Files.kind(of: path) != nil else { return nil }
    guard let key = SigningKey(pem: try Files.read(path, limit: keyLimit)) else { throw .system(EBADMSG) }
    return key
  }

  /// Reads the file of `--key`.
  /// - Parameter command: What writes such a file.
  static func publicKey(_ path: String, by command: String = "ledger key") throws -> VerifyingKey {
    do throws(FileError) {
      if let key = VerifyingKey(pem: try Files.read(path, limit: keyLimit)) { return key }
    } catch {
      throw CommandFailure(.commandLineWrong, "cannot read \(path): \(error.message)")
    }
    throw CommandFailure(
      .commandLineWrong, "\(path) is no public key", help: "`showcaller \(command) > key.pem` writes one")
  }

  // MARK: checking

  /// - Parameters:
  ///   - last: The end of the chain in the file; `nil`: it has no lines.
  ///   - key: By whom it has to be signed; `nil`: it need not be.
  ///   - isLast: It may be written to still.
  /// - Returns: What there is to say behind the file's lines.
  static func check(
    _ file: String, endsWith last: LedgerChain.Link?, by key: VerifyingKey?, isLast: Bool
  ) throws -> String {
    let path = file + ending
    guard Files.kind(of: path) != nil else {
      guard key != nil else { return "" }
      if isLast || last == nil { return ", not signed yet" }
      throw CommandFailure(
        .expectationFailed, "\(file) is not signed",
        help: "a file is signed when the next one is begun, by `serve` with `ledger: { sign: true }`")
    }
    let signature: [UInt8]
    do throws(FileError) {
      signature = try Files.read(path, limit: keyLimit)
    } catch {
      throw CommandFailure(.commandLineWrong, "cannot read \(path): \(error.message)")
    }
    let known = key ?? (try? Self.key(makes: false))?.publicKey
    guard let known else { return ", signed by somebody: `--key` checks by whom" }
    guard let last, known.accepts(signature, of: Array(last.hash.utf8)) else {
      throw CommandFailure(
        .expectationFailed,
        "\(file) is not as it was signed, or \(key == nil ? "another computer" : "somebody else") signed it",
        help: key == nil
          ? "name the key of who signed it: `--key FILE`" : "ask who signed it for `showcaller ledger key`")
    }
    return key == nil ? ", signed by this computer" : ", signed"
  }
}
