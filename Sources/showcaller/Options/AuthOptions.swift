import ArgumentParser
import CastClient
import CastTransport
import ScenarioLanguage
import Workspace

extension AuthenticationMode: ExpressibleByArgument {}

/// How devices have to prove themselves, for every command that connects to one.
struct AuthOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Check the device's certificate: none, report what comes out, require it, or require the key that was seen first, too (pin). It replaces what a document or the settings say.",
      valueName: "none|report|require|pin"))
  var auth: AuthenticationMode?

  @OptionGroup var trust: TrustOptions

  /// As the command line gave them.
  var rerunArguments: [String] {
    var words = auth.map { ["--auth", $0.rawValue] } ?? []
    words += trust.roots.flatMap { ["--auth-root", $0] }
    words += trust.acceptedExpired.flatMap { ["--accept-expired-intermediate", $0] }
    return words + (trust.requiresRevocations ? ["--require-crl"] : [])
  }
}

/// What a device's certificate chain may look like.
struct TrustOptions: ParsableArguments {
  @Option(
    name: .customLong("auth-root"),
    help: ArgumentHelp(
      "Trust this root certificate (PEM) besides Google's; may be repeated.", valueName: "file"), completion: .file())
  var roots: [String] = []

  @Option(
    name: .customLong("accept-expired-intermediate"),
    help: ArgumentHelp(
      "Accept the issuer with this key hash though it has expired; may be repeated.", valueName: "sha-256"))
  var acceptedExpired: [String] = []

  @Flag(name: .customLong("require-crl"), help: "Devices must send a valid revocation list of their own.")
  var requiresRevocations = false

  func validate() throws {
    for hash in acceptedExpired where hash.utf8.count != 64 || !hash.allSatisfy(\.isHexDigit) {
      throw ValidationError(
        "--accept-expired-intermediate takes the SHA-256 of a key, 64 hexadecimal digits; `showcaller auth` shows it")
    }
  }

  /// The rules for the devices of this command.
  /// - Parameters:
  ///   - roots: What ``readRoots()`` answered; `nil` reads them now.
  ///   - extraRoots: PEM texts to trust besides.
  func rules(
    mode: AuthenticationMode = .report, roots: [[UInt8]]? = nil, extraRoots: [[UInt8]] = []
  ) throws -> AuthenticationRules {
    var verifier = try verifier(extraRoots + (roots ?? readRoots()))
    verifier.acceptedExpired = Set(acceptedExpired.map { $0.lowercased() })
    verifier.requiresRevocations = requiresRevocations
    var rules = AuthenticationRules(
      mode: mode, verifier: verifier, makeNonce: Self.makeNonce,
      wallClock: { Int(exactly: Surroundings.process.unixTime().rounded()) ?? 0 })
    rules.keyStore = .files(PinnedKeys(.process))
    return rules
  }

  /// The PEM texts of `--auth-root`.
  /// - Throws: A failure with exit code 2 where one is none.
  func readRoots() throws -> [[UInt8]] {
    var anchors: [[UInt8]] = []
    for path in roots {
      let bytes = try SourceFile(readingFrom: path).bytes
      do {
        _ = try TrustAnchors(pem: bytes)
      } catch {
        throw CommandFailure(
          .commandLineWrong, "cannot trust \(path): \(error.message)",
          help: "a root is a file that begins with -----BEGIN CERTIFICATE-----")
      }
      anchors.append(bytes)
    }
    return anchors
  }

  private func verifier(_ anchors: [[UInt8]]) throws -> DeviceAuthVerifier {
    do {
      return try DeviceAuthVerifier.forDevices(extraRoots: anchors)
    } catch {
      throw CommandFailure(.bug, "device authentication cannot be set up: \(error.message)", help: error.help)
    }
  }

  /// From the system's own source, which nobody can foresee.
  @Sendable private static func makeNonce() -> [UInt8] {
    var system = SystemRandomNumberGenerator()
    return (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &system) }
  }
}
