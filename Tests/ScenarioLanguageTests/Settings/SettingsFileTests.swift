import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct SettingsFileTests {
  /// Code and place of each problem.
  private static func problems(_ text: String) -> [String] {
    SettingsFile.read(SourceFile(text, name: "config.yaml")).problems.map {
      "\($0.code) \($0.primary.span.line):\($0.primary.span.column)"
    }
  }

  private static func described(_ device: Plan.DeviceSelector?) -> String {
    guard let device else { return "none" }
    if let host = device.host { return "host \(host.text)" }
    return [device.id.map { "id \($0)" }, device.name.map { "name \($0)" }].compactMap { $0 }.joined(separator: " ")
  }

  @Test("A settings file gives a default device, aliases and timeouts, each with its line")
  func whole() {
    let text = """
      # mine
      device: kitchen
      aliases:
        kitchen: Kitchen speaker
        lobby: { id: 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b }
        window: { host: "[2001:db8::1]:8010" }
        bar: 192.0.2.14
      timeout: { discover: 3s, load: 1m }
      auth: require
      """
    let (settings, problems) = SettingsFile.read(SourceFile(text, name: "config.yaml"))
    #expect(problems.isEmpty)
    #expect(settings.device?.name == "kitchen" && settings.device?.span.line == 2)
    #expect(settings.aliases.map(\.name) == ["kitchen", "lobby", "window", "bar"])
    #expect(
      settings.aliases.map { Self.described($0.device) } == [
        "name Kitchen speaker", "id 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b", "host [2001:db8::1]:8010",
        "host 192.0.2.14:8009",
      ])
    #expect(settings.aliases.map(\.device.span.line) == [4, 5, 6, 7])
    #expect(settings.timeouts["discover"]?.value == .seconds(3) && settings.timeouts["load"]?.value == .seconds(60))
    #expect(settings.timeouts["load"]?.span.line == 8 && settings.timeouts.count == 2)
    #expect(settings.authentication?.value == .require && settings.authentication?.span.line == 9)
  }

  @Test("A file that says nothing is no mistake", arguments: ["", "\n\n", "# device: TV\n", "  # x\r\n\r\n"])
  func nothing(text: String) {
    let (settings, problems) = SettingsFile.read(SourceFile(text, name: "config.yaml"))
    #expect(problems.isEmpty && settings == SettingsFile())
  }

  @Test(
    "What is wrong is told at its place, in the words of documents",
    arguments: [
      Example("devcie: TV\n", ["K101 1:1"]),
      Example("timeout: { discovr: 3s }\n", ["K101 1:12"]),
      Example("timeout: { discover: 3 }\n", ["T201 1:22"]),
      Example("timeout: { discover: 2h }\n", ["T213 1:22"]),
      Example("timeout: 3s\n", ["T210 1:10"]),
      Example("auth: always\n", ["T205 1:7"]),
      Example("aliases: [a]\n", ["T210 1:10"]),
      Example("aliases:\n  Küche: TV\n", ["T219 2:3"]),
      Example("aliases: { a: { host: \"a b\" } }\n", ["T222 1:23"]),
      Example("aliases: { a: {} }\n", ["K105 1:12"]),
      Example("aliases: { a: b, b: TV }\n", ["N406 1:15"]),
      Example("device: a\ndevice: b\n", ["K104 2:1"]),
      Example("- device\n", ["T210 1:1"]),
      Example("device: [\n", ["Y309 1:10"]),
    ])
  func wrong(example: Example) {
    #expect(Self.problems(example.text) == example.expected, "\(example.text)")
  }

  @Test("The help of a message names a page that exists")
  func page() throws {
    let page = try #require(Topics.page("config"))
    #expect(page.sections.flatMap(\.rows).map(\.name).contains("aliases"))
  }

  @Test(
    "A text is an address in digits, an id, or a name",
    arguments: [
      ("192.0.2.14", "host 192.0.2.14:8009"), ("192.0.2.14:8010", "host 192.0.2.14:8010"),
      ("2001:db8::1", "host [2001:db8::1]:8009"), ("[2001:db8::1]:8010", "host [2001:db8::1]:8010"),
      ("fe80::1%eth0", "host [fe80::1%eth0]:8009"), ("[fe80::1%eth0]:8010", "host [fe80::1%eth0]:8010"),
      ("::1", "host [::1]:8009"), ("256.0.2.14", "name 256.0.2.14"), ("1.2.3", "name 1.2.3"),
      ("Living Room: TV", "name Living Room: TV"), ("TV:8009", "name TV:8009"), ("cafe::bar", "name cafe::bar"),
      ("8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b", "id 8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b"),
      ("8E2D1C0A7B1F4C399A550C1D2E3F4A5B", "id 8E2D1C0A7B1F4C399A550C1D2E3F4A5B"),
      ("8e2d1c0a7b1f4c399a550c1d2e3f4a5", "name 8e2d1c0a7b1f4c399a550c1d2e3f4a5"), ("", "none"),
    ])
  func spelled(text: String, meaning: String) {
    let span = SourceSpan(file: "x", line: 1, column: 1, endLine: 1, endColumn: 1)
    #expect(Self.described(Plan.DeviceSelector(spelled: text, at: span)) == meaning)
  }

  @Test("A settings file over 1 MiB, or of bytes that are no text, is refused without being read on")
  func hostile() {
    let large = SourceFile(name: "config.yaml", bytes: [UInt8](repeating: 0x41, count: 1 << 20 + 1))
    #expect(SettingsFile.read(large).problems.map(\.code.rawValue) == ["Y311"])
    let binary = SourceFile(name: "config.yaml", bytes: [0x61, 0xFF, 0x00, 0x0A])
    #expect(SettingsFile.read(binary).problems.allSatisfy { $0.code == .y308 })
    #expect(!SettingsFile.read(binary).problems.isEmpty)
  }
}
