import ArgumentParser
import DeviceControl

/// Which member of a group a command is about.
struct MemberOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A member of the group, by name or id, instead of the group.", valueName: "name"))
  var member: String?

  func validate() throws {
    if member?.isEmpty == true { throw ValidationError("--member is empty") }
  }

  var target: CommandRun.Target { member.map { .member($0) } ?? .device }
}
