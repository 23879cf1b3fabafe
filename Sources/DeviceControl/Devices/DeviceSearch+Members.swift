import CastClient
import CastProtocol
package import RunReporting
import ScenarioLanguage

/// Members of groups. A group tells who its members are and how loud; each of them is set at its own address, as all
/// senders do.
extension DeviceSearch {
  /// The member of a group, connected in its place; both are kept from other runs.
  /// - Throws: Why there is none, with a cure; `busy` where another run has one of them.
  package func member(_ name: String, of group: ReachedDevice) async throws(StepFailure) -> ReachedDevice {
    let connection = group.opened.connection
    var group = group.device
    await group.askForGroup(connection)
    await connection.disconnect()
    let members = await connection.snapshot.multizone?.members(of: group.id) ?? []
    guard !members.isEmpty else {
      throw StepFailure(.notFound, "\(group.name) is no group that tells its members", help: "leave out --member")
    }
    guard let chosen = Self.member(name, among: members) else {
      let names = members.prefix(10).map { "`\($0.name)`" }.joined(separator: ", ")
      throw StepFailure(.notFound, "\(group.name) has no member `\(name)`", help: "its members are \(names)")
    }
    let device = try await find(chosen)
    // Both at once: whoever waits has none of them, so that two who want the same never wait for each other.
    hold.end()
    return ReachedDevice(device: device, opened: try await open(device, together: [group]))
  }

  /// A name as it is written, else without regard to case, else an id.
  private static func member(_ wanted: String, among members: [MultizoneStatus.Device]) -> MultizoneStatus.Device? {
    func plain(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
    return members.first { $0.name == wanted }
      ?? members.first { $0.name.lowercased() == wanted.lowercased() }
      ?? members.first { plain($0.deviceID) == plain(wanted) }
  }

  private func find(_ member: MultizoneStatus.Device) async throws(StepFailure) -> FoundDevice {
    var byName = Plan.DeviceSelector(span: .ofCommandLine)
    var byID = byName
    byName.name = member.name
    byID.id = member.deviceID
    // An entry in the hosts file wins over discovery.
    if let device = await hostsDevice(named: byName) { return device }
    do {
      return try await find(byID, trustsMemory: true)
    } catch {
      throw StepFailure(
        .notFound, "the member \(member.name) was not found: \(error.message)",
        help: "`showcaller discover` lists what answers; a hosts file can name its address")
    }
  }
}

extension FoundDevice {
  /// How long a device may take to say whether it is a group; many never do.
  private static let groupPatience = Duration.seconds(1)

  /// Asks who takes part, unless discovery has told that it is no group, and, where nobody knows it, for its id.
  mutating func askForGroup(_ connection: CastConnection) async {
    if via == .mdns || via == .cache, !isGroup { return }
    if id != nil {
      _ = try? await connection.members(within: Self.groupPatience)
      return
    }
    async let info = connection.deviceInfo(within: Self.groupPatience)
    _ = try? await connection.members(within: Self.groupPatience)
    id = try? await info.deviceID
  }
}
