import CastProtocol
import Testing

@testable import ScenarioLanguage

@Suite struct DeviceSelectorTests {
  static let devices = [
    DiscoveredDevice(
      name: "Living Room TV", id: "8e2d1c0a7b1f4c399a550c1d2e3f4a5b", model: "Chromecast Ultra",
      address: HostAndPort(host: "192.0.2.14")),
    DiscoveredDevice(name: "Kitchen", model: "Nest Hub", address: HostAndPort(host: "192.0.2.15")),
  ]

  static func selector(_ change: (inout Plan.DeviceSelector) -> Void) -> Plan.DeviceSelector {
    var selector = Plan.DeviceSelector(
      span: SourceSpan(file: "lobby.yaml", line: 2, column: 9, endLine: 2, endColumn: 22))
    change(&selector)
    return selector
  }

  static let selectors: [(selector: Plan.DeviceSelector, found: [String])] = [
    (selector { $0.name = "Kitchen" }, ["Kitchen"]),
    (selector { $0.name = "kitchen" }, []),
    (selector { $0.nameLike = "*i*" }, ["Living Room TV", "Kitchen"]),
    (selector { $0.nameLike = "Kit?hen" }, ["Kitchen"]),
    (selector { $0.id = "8e2d1c0a-7b1f-4c39-9a55-0c1d2e3f4a5b" }, ["Living Room TV"]),
    (selector { $0.host = HostAndPort(host: "192.0.2.15") }, ["Kitchen"]),
    (selector { $0.modelLike = "Chromecast*" }, ["Living Room TV"]),
    (
      selector {
        $0.name = "Kitchen"; $0.model = "Chromecast Ultra"
      }, []
    ),
  ]

  @Test("Every given part of a selector must fit", arguments: selectors)
  func matching(selector: Plan.DeviceSelector, found: [String]) {
    #expect(Self.devices.filter(selector.matches).map(\.name) == found)
  }

  @Test("Nothing found names what was found, several name each other, one is fine")
  func diagnostics() {
    let missing = Self.selector { $0.name = "Living Rom TV" }
    let problem = missing.diagnostic(among: Self.devices, listenFor: .seconds(5))
    #expect(problem?.code == .r701)
    #expect(problem?.message == "no device called `Living Rom TV`")
    #expect(problem?.primary.text == "did you mean `Living Room TV`?")
    let empty = missing.diagnostic(among: [], listenFor: .milliseconds(2_500))
    #expect(empty?.footers.first == .note("found in 2.5 s: nothing"))
    let several = Self.selector { $0.nameLike = "*" }.diagnostic(among: Self.devices, listenFor: .seconds(5))
    #expect(several?.code == .r702)
    #expect(Self.selector { $0.name = "Kitchen" }.diagnostic(among: Self.devices, listenFor: .seconds(5)) == nil)
  }

  @Test("The golden message for a device that is not there comes out byte for byte", arguments: Golden.devices)
  func golden(name: String) throws {
    let outcome = PlanCompiler.compile(try Golden.document(name))
    guard case .scenario(let plan)? = outcome.document else { throw Compiling.NoPlan() }
    let problem = try #require(plan.device.diagnostic(among: Self.devices, listenFor: .seconds(5)))
    let text = DiagnosticRenderer(sources: outcome.sources).render([problem])
    #expect(("\n" + text).contains("\n" + (try Golden.message(name)) + "\n"), "\(text)")
  }

  @Test("A glob matches the whole text, in linear time")
  func globs() {
    let table: [(String, String, Bool)] = [
      ("*", "", true), ("a*c", "abbc", true), ("a*c", "abbd", false), ("?", "", false), ("a**b", "ab", true),
      ("*a*b*", "xaxbx", true), ("", "", true), ("", "a", false),
    ]
    for (pattern, text, matches) in table { #expect(Glob(pattern).matches(text) == matches) }
    let stars = String(repeating: "*a", count: 50)
    #expect(!Glob(stars + "b").matches(String(repeating: "a", count: 5_000)))
  }
}
