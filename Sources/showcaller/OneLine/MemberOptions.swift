import ArgumentParser
import CastClient
import CastProtocol
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Workspace

/// Which member of a group a command is about.
///
/// A group tells who its members are and how loud; each of them is set at its own address, as all senders do.
struct MemberOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A member of the group, by name or id, instead of the group.", valueName: "name"))
  var member: String?

  func validate() throws {
    if member?.isEmpty == true { throw ValidationError("--member is empty") }
  }

  /// The member, connected, where one is named; else the device itself.
  /// - Throws: Exit code 4, where the device is no group, has no such member, or the member is not found.
  func device(
    of group: (device: FoundDevice, opened: OpenedDevice), options: DeviceOptions, _ settings: Settings,
    times: TimeSources, configuration: ClientConfiguration
  ) async throws(CommandFailure) -> (device: FoundDevice, opened: OpenedDevice) {
    guard let member else { return group }
    let connection = group.opened.connection
    var group = group
    await group.device.askForGroup(connection)
    await connection.disconnect()
    let members = await connection.snapshot.multizone?.members(of: group.device.id) ?? []
    guard !members.isEmpty else {
      throw CommandFailure(
        .noDevice, "\(group.device.name) is no group that tells its members", help: "leave out --member")
    }
    guard let chosen = Self.member(member, among: members) else {
      let names = members.prefix(10).map { "`\($0.name)`" }.joined(separator: ", ")
      throw CommandFailure(
        .noDevice, "\(group.device.name) has no member `\(member)`", help: "its members are \(names)")
    }
    let device = try await find(chosen, options, within: settings.timeouts.discover)
    do throws(ClientError) {
      return (
        device, try await LiveDevices.connect(to: device, times: times, configuration: configuration, wireTap: nil)
      )
    } catch {
      throw CommandFailure(error)
    }
  }

  /// A name as it is written, else without regard to case, else an id.
  static func member(_ wanted: String, among members: [MultizoneStatus.Device]) -> MultizoneStatus.Device? {
    func plain(_ id: String) -> String { id.lowercased().filter { $0 != "-" } }
    return members.first { $0.name == wanted }
      ?? members.first { $0.name.lowercased() == wanted.lowercased() }
      ?? members.first { plain($0.deviceID) == plain(wanted) }
  }

  private func find(
    _ member: MultizoneStatus.Device, _ options: DeviceOptions, within limit: Duration
  ) async throws(CommandFailure) -> FoundDevice {
    var byName = Plan.DeviceSelector(
      span: .init(file: SourceSpan.commandLine, line: 1, column: 1, endLine: 1, endColumn: 1))
    var byID = byName
    byName.name = member.name
    byID.id = member.deviceID
    // Who writes its address down means that one.
    let written = try? await DeviceResolver.standard.survey(byName, for: .zero, atLeast: nil, way: .hosts)
    if let device = written?.first { return device }
    do {
      return try await options.find(byID, within: limit, trustsMemory: true)
    } catch {
      throw CommandFailure(
        .noDevice, "the member \(member.name) was not found: \(error.message)",
        help: "`showcaller discover` lists what answers; a hosts file can name its address")
    }
  }
}

extension FoundDevice {
  /// How long a device may take to say whether it is a group; many never do.
  private static let groupPatience = Duration.seconds(1)

  /// Asks who takes part, unless discovery has told that it is no group, and, where nobody knows it, for its id.
  mutating func askForGroup(_ connection: CastConnection) async {
    if via == .mdns || via == .cache, !asDiscovered.isGroup { return }
    if id != nil {
      _ = try? await connection.members(within: Self.groupPatience)
      return
    }
    async let info = connection.deviceInfo(within: Self.groupPatience)
    _ = try? await connection.members(within: Self.groupPatience)
    id = try? await info.deviceID
  }
}
