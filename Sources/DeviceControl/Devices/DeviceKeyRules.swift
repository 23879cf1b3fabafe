package import CastClient
package import CastProtocol
package import CastTransport
import RunReporting
import ScenarioLanguage

extension AuthenticationRules {
  /// Has the key of `device` compared with the one it had before, which `pin` looks up where keys are kept.
  /// - Returns: What is to be told of that.
  package mutating func expectKey(
    of device: FoundDevice, in mode: AuthenticationMode
  ) -> [AuthenticationFacts.KeyNote] {
    keyCheck = DeviceKeyCheck(keys, of: device)
    guard mode == .pin else { return [] }
    do throws(DeviceKeyStore.Problem) {
      keys.take(kept: try keyStore.read(device.keyName), of: device.keyName)
      return []
    } catch {
      return [
        .init(
          text: "the key of \(device.name) is compared within this run only: \(error.message)",
          help: error.help ?? "once you trust what answers there: `\(device.forgetCommand)`", isUnpinned: true)
      ]
    }
  }

  /// Keeps the key that `device` has just proved to have, where none is kept.
  /// - Throws: `auth` where another process has kept another one meanwhile.
  package func keepKey(of device: FoundDevice, _ facts: inout AuthenticationFacts) throws(ClientError) {
    guard let shown = facts.provenKey, let first = keys.key(of: device.keyName), !first.isKept else {
      if device.isGroup, keys.key(of: device.keyName) == nil {
        facts.keyNotes.append(
          .init(
            text: "\(device.name) is a group, whose speakers take turns to answer: it has no key to keep",
            isUnpinned: true))
      }
      return
    }
    let kept: KnownKey
    do throws(DeviceKeyStore.Problem) {
      kept = try keyStore.keep(first, device.keyName, device.name)
    } catch {
      facts.keyNotes.append(
        .init(text: "the key of \(device.name) is not kept: \(error.message)", help: error.help, isUnpinned: true))
      return
    }
    keys.take(kept: kept, of: device.keyName)
    if let problem = DeviceKeyCheck(keys, of: device).problem(of: shown, expecting: kept) {
      throw ClientError(
        .auth, "the device is not authenticated: \(problem.message) (\(problem.code.rawValue))", help: problem.help)
    }
    guard kept.isKept else { return }
    facts.keyNotes.append(
      .init(
        text: "\(device.name) is known from now on by the key it showed for the first time, "
          + "sha-256 \(KnownKey.short(shown))",
        help: "`showcaller auth` shows all of it"))
  }
}

extension DeviceKeyCheck {
  /// - Parameter keys: Those that were seen before.
  package init(_ keys: DeviceKeys, of device: FoundDevice) {
    self.init(
      keys, device: device.keyName, remembersFirst: !device.isGroup, forgetting: device.forgetCommand,
      date: { "\(UTCTime(unixSeconds: Double($0)).text.prefix(10))" })
  }
}

extension FoundDevice {
  /// What its key is kept by: its id, or its address where nothing told the id.
  package var keyName: String {
    id.flatMap { DeviceID($0) }.map { Self.keyName(ofID: $0) } ?? Self.keyName(at: address)
  }

  /// No address has a space in it, and no id.
  package static func keyName(ofID id: DeviceID) -> String { "id \(id.compact)" }
  package static func keyName(at address: HostAndPort) -> String { address.text }

  /// Makes its kept key be forgotten, as it may be pasted into a shell.
  package var forgetCommand: String {
    let words = id.flatMap { DeviceID($0) }.map { ["-d", $0.description] } ?? ["--host", address.text]
    return (["showcaller", "auth"] + words + ["--forget"]).map(ShellWord.quoted).joined(separator: " ")
  }
}
