import CastProtocol
import ScenarioLanguage
import Testing

@testable import Workspace

@Suite struct SettingsListingTests {
  private static let path = ".config/showcaller/config.yaml"

  private static func listing(_ text: String?, in folder: TemporaryFolder) throws -> SettingsListing {
    if let text { try folder.write(path, text) }
    let surroundings = Surroundings.living(in: folder)
    return SettingsListing(
      try Settings.read(in: surroundings).settings, device: nil, hosts: HostsFileDevices(surroundings).entries,
      folder: SettingsFolder(surroundings))
  }

  @Test("Each setting is told with its value and who gave it, and each file whether it is there")
  func lines() throws {
    let folder = try TemporaryFolder()
    let none = try Self.listing(nil, in: folder).lines
    #expect(none.first?.split(separator: " ") == ["device", "none", "built", "in"])
    #expect(none.suffix(2).allSatisfy { $0.hasSuffix(" (not there)") })
    try folder.write(".config/showcaller/hosts", "192.0.2.14 Lobby\n")
    let all = try Self.listing("device: tv\naliases:\n  tv: { host: 192.0.2.1 }\nauth: require\n", in: folder).lines
    let words = all.map { $0.split(separator: " ").joined(separator: " ") }
    let file = folder.path(Self.path)
    #expect(words[0] == "device host 192.0.2.1:8009 \(file):1")
    #expect(words[1] == "aliases.tv host 192.0.2.1:8009 \(file):3")
    #expect(words.contains("auth require \(file):4"))
    #expect(words.last == "hosts file \(folder.path(".config/showcaller/hosts")), 1 device")
  }

  @Test("Programs get the same as one object")
  func json() throws {
    let folder = try TemporaryFolder()
    let json = try Self.listing("auth: require\n", in: folder).json
    #expect(json["settings"]?.array?.first == ["name": "device", "value": .null, "from": "built in"])
    #expect(
      json["settings"]?.array?.last == [
        "name": "auth", "value": "require", "from": "file", "file": .string(folder.path(Self.path)), "line": 1,
      ])
    #expect(json["hosts"] == [] && json["files"]?["settings"]?.string == folder.path(Self.path))
  }
}
