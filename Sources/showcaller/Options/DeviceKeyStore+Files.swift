import CastClient
import Workspace

extension DeviceKeyStore {
  /// The keys that this user keeps on this computer.
  static func files(_ pins: PinnedKeys) -> DeviceKeyStore {
    DeviceKeyStore(
      read: { device throws(Problem) in
        do throws(WorkspaceError) { return try pins.pin(of: device).map { KnownKey($0) } } catch {
          throw Problem(error)
        }
      },
      keep: { key, device, name throws(Problem) in
        do throws(WorkspaceError) {
          return KnownKey(try pins.keep(.init(device: device, name: name, key: key.hash, since: key.since)))
        } catch {
          throw Problem(error)
        }
      })
  }
}

extension DeviceKeyStore.Problem {
  fileprivate init(_ error: WorkspaceError) { self.init(message: error.message, help: error.help) }
}

extension KnownKey {
  init(_ pin: PinnedKeys.Pin) { self.init(hash: pin.key, since: pin.since, isKept: true) }
}
