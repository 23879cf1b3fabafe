import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct HostsFileDevicesTests {
  private static let file = ".config/showcaller/hosts"

  @Test("Devices are named in the file's order; without a file there are none, and nothing is wrong")
  func entries() throws {
    let folder = try TemporaryFolder()
    let none = HostsFileDevices(.living(in: folder))
    #expect(none.entries == [] && none.isSound)
    try folder.write(Self.file, "192.0.2.2 TV\n192.0.2.1:8010 Bar\n")
    let devices = HostsFileDevices(.living(in: folder))
    #expect(devices.entries.map(\.name) == ["TV", "Bar"])
    #expect(devices.entries.map(\.address.text) == ["192.0.2.2:8009", "192.0.2.1:8010"])
    #expect(devices.isSound)
  }

  @Test("Mistakes are warnings, told once, and the other lines count")
  func mistakes() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, "192.0.2.1:99999 Bad\n192.0.2.2 TV\n")
    let devices = HostsFileDevices(.living(in: folder))
    #expect(devices.entries.map(\.name) == ["TV"])
    guard case .mistakes(let problems, let source) = devices.takeProblem() else {
      Issue.record("nothing is told")
      return
    }
    #expect(problems.map(\.severity) == [.warning] && problems[0].primary.span.line == 1)
    #expect(source.name == folder.path(Self.file))
    #expect(devices.isSound)
  }

  @Test("A file that cannot be read is told of, once")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    try folder.folder(Self.file)
    let devices = HostsFileDevices(.living(in: folder))
    #expect(devices.entries == [])
    guard case .unreadable(let message) = devices.takeProblem() else {
      Issue.record("nothing is told")
      return
    }
    #expect(message == "cannot read \(folder.path(Self.file)): it is a folder")
    #expect(devices.isSound)
  }

  @Test("The file is read when it is asked for, and only then")
  func lazy() throws {
    let folder = try TemporaryFolder()
    let devices = HostsFileDevices(.living(in: folder))
    try folder.write(Self.file, "192.0.2.2 TV\n")
    #expect(devices.entries.map(\.name) == ["TV"])
    try folder.write(Self.file, "")
    #expect(devices.entries.map(\.name) == ["TV"])
  }
}

extension HostsFileDevices {
  /// Whether there is nothing to tell, or no more.
  fileprivate var isSound: Bool {
    if case nil = takeProblem() { true } else { false }
  }
}
