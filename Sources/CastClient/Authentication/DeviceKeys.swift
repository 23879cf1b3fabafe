package import CastTransport
import Synchronization

/// The key that a device proved itself with when it was first seen.
package struct KnownKey: Hashable, Sendable {
  /// SHA-256 of its SubjectPublicKeyInfo, lower-case hexadecimal.
  package var hash: String
  /// Unix time in seconds of the first proof.
  package var since: Int
  /// Whether it outlives the run (`auth: pin`).
  package var isKept: Bool

  package init(hash: String, since: Int, isKept: Bool) {
    self.hash = hash
    self.since = since
    self.isKept = isKept
  }

  /// The first digits of a key's hash, for messages: `showcaller auth` shows all of them.
  package static func short(_ hash: String) -> String { "\(hash.prefix(16))…" }
}

/// The keys that devices proved themselves with first, as long as whoever shares them runs.
package final class DeviceKeys: Sendable {
  /// How many devices are remembered; further ones are not compared.
  static let limit = 4096

  private let known = Mutex<[String: KnownKey]>([:])

  package init() {}

  /// The key that `device` has to have; `nil`: it has not proved itself yet.
  package func key(of device: String) -> KnownKey? { known.withLock { $0[device] } }

  /// Takes over what is kept of `device` beyond the run. What was kept and is not any more is forgotten here, too.
  package func take(kept key: KnownKey?, of device: String) {
    known.withLock { known in
      if let key {
        Self.set(key, of: device, in: &known)
      } else if known[device]?.isKept == true {
        known[device] = nil
      }
    }
  }

  /// The first key of `device`, which is `key` where none is known.
  func first(_ key: KnownKey, of device: String) -> KnownKey {
    known.withLock { known in
      if let first = known[device] { return first }
      Self.set(key, of: device, in: &known)
      return key
    }
  }

  private static func set(_ key: KnownKey, of device: String, in known: inout [String: KnownKey]) {
    if known.count < limit || known[device] != nil { known[device] = key }
  }
}

/// Compares the key of a device with the one that it had first (docs/security.md 1.6).
package struct DeviceKeyCheck: Sendable {
  private let keys: DeviceKeys
  private let device: String
  private let remembersFirst: Bool
  /// What makes a kept key be forgotten, as a command line.
  private let forgetting: String
  /// A Unix time for people.
  private let date: @Sendable (Int) -> String

  /// - Parameters:
  ///   - device: What devices are told apart by.
  ///   - remembersFirst: False where what answers for the device may be another one tomorrow, as for a group.
  ///   - forgetting: The command that forgets a kept key.
  ///   - date: Writes a Unix time for people.
  package init(
    _ keys: DeviceKeys, device: String, remembersFirst: Bool = true, forgetting: String,
    date: @escaping @Sendable (Int) -> String
  ) {
    self.keys = keys
    self.device = device
    self.remembersFirst = remembersFirst
    self.forgetting = forgetting
    self.date = date
  }

  /// The report, and what is wrong with the device's key.
  package func judged(_ report: DeviceAuthReport, in mode: AuthenticationMode) -> DeviceAuthReport {
    var report = report
    guard let shown = report.provenKey else {
      // Where proof is required, why there is none says it all.
      if !mode.demandsProof, keys.key(of: device) != nil { report.problems.insert(.init(.keyNotShown), at: 0) }
      return report
    }
    let seen = KnownKey(hash: shown, since: report.checkedAt, isKept: false)
    guard let first = remembersFirst ? keys.first(seen, of: device) : keys.key(of: device) else { return report }
    if let problem = problem(of: shown, expecting: first) { report.problems.append(problem) }
    return report
  }

  /// What is wrong where a device that had the key `first` shows the key `shown`.
  package func problem(of shown: String, expecting first: KnownKey) -> DeviceAuthProblem? {
    guard shown != first.hash else { return nil }
    let detail =
      "sha-256 \(KnownKey.short(first.hash)) is \(first.isKept ? "kept" : "known") since \(date(first.since)), "
      + "it showed \(KnownKey.short(shown))"
    return DeviceAuthProblem(
      .otherKey, detail,
      help: first.isKept
        ? "if the device was exchanged: `\(forgetting)`; if not, see what answers at this address"
        : "if nobody exchanged the device during the run, see what answers at this address")
  }
}
