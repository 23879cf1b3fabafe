import CastProtocol
import FleetMessages
import Workspace

/// Which software the devices of an agent had the last time, in the state folder.
struct LabFirmware: Sendable {
  private static let limit = 1 << 20
  private static let mostDevices = 10_000
  /// `nil`: there is no state folder, and nothing is remembered.
  private let path: String?

  init(agent: SiteName, queue: SiteName) {
    path = Surroundings.process.stateFolder.map { "\($0)/lab/\(queue)/\(agent).json" }
  }

  /// Remembers what a device runs now.
  /// - Returns: What it ran before; `nil`: not known.
  func replace(_ build: String, of device: String) -> String? {
    guard let path else { return nil }
    var known = JSONObject()
    if let bytes = try? Files.read(path, limit: Self.limit),
      let json = try? JSONValue(parsing: bytes, limits: .init(depth: 4, length: Self.limit)), let object = json.object
    {
      known = object
    }
    let was = known[device]?.string
    if was == build { return was }
    if known.members.count < Self.mostDevices || was != nil { known[device] = .string(build) }
    // It is told again the next time where it cannot be kept.
    try? Files.makeFolders(Files.folder(of: path))
    try? Files.replace(Array((JSONValue.object(known).serialized() + "\n").utf8), at: path, mode: 0o600)
    return was
  }
}
