import CastClient
import CastProtocol
import ScenarioLanguage
import Testing

@testable import DeviceControl
@testable import RunReporting

@Suite("How a session finds its device, and what it tells of that") struct SessionFindingTests {
  typealias Setting = SessionLab.Setting

  static func device(
    _ name: String, id: String? = nil, host: String = "192.0.2.1", via: FoundDevice.Via = .mdns
  ) -> FoundDevice {
    FoundDevice(name: name, id: id, model: "Chromecast", address: HostAndPort(host: host), via: via)
  }

  static func named(_ name: String) -> Plan.DeviceSelector {
    var selector = Plan.DeviceSelector(span: Make.span)
    selector.name = name
    return selector
  }

  struct Search: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var found: [FoundDevice] = []
    var failure: RunError?
    var fails: ErrorClass
    var says: String
    var notes: [String]
  }

  static let searches: [Search] = [
    Search(
      testDescription: "nothing answers", fails: .notFound, says: "no device called `Lobby TV`",
      notes: ["found in 5 s: nothing"]),
    Search(
      testDescription: "two answer to the name",
      found: [device("Lobby TV", id: "a"), device("Lobby TV", id: "b", host: "192.0.2.2")], fails: .ambiguous,
      says: "2 devices are called `Lobby TV`",
      notes: ["found: Lobby TV (Chromecast, 192.0.2.1), Lobby TV (Chromecast, 192.0.2.2)"]),
    Search(
      testDescription: "another answers",
      failure: RunError(errorClass: .notFound, message: "no device fits", candidates: [device("Loby TV")]),
      fails: .notFound, says: "no device called `Lobby TV`",
      notes: ["found in 5 s: Loby TV (Chromecast, 192.0.2.1)"]),
    Search(
      testDescription: "nothing can look",
      failure: RunError(
        errorClass: .notFound, message: "no mDNS daemon answers", help: "start Avahi", candidates: [device("Loby TV")],
        isFinal: true),
      fails: .notFound, says: "no device called `Lobby TV`",
      notes: ["no mDNS daemon answers; the hosts file has Loby TV (Chromecast, 192.0.2.1)"]),
    Search(
      testDescription: "a failure with a cure of its own",
      failure: RunError(errorClass: .unreachable, message: "no network", help: "plug it in"), fails: .unreachable,
      says: "no network", notes: []),
  ]

  @Test("What is not found is told once, at the selector, with what there is instead", arguments: searches)
  func search(row: Search) throws {
    let setting = Setting {
      $0.selector = Self.named("Lobby TV")
      $0.found = row.found
      $0.lookFailure = row.failure
    }
    try SessionLab.run(setting) { lab in
      let failure = await lab.session.find(besides: [])
      #expect(failure?.errorClass == row.fails && failure?.message == row.says)
      let told = lab.events.fields(.diagnostic)
      #expect(told.count == 1 && told.first?["message"]?.string == row.says)
      #expect(told.first?["code"]?.string == row.fails.code.rawValue && told.first?["line"] == 3)
      #expect((told.first?["notes"]?.array ?? []).compactMap(\.string) == row.notes)
      #expect(lab.session.device == nil && lab.events.fields(.deviceFound).isEmpty)
      #expect(await lab.session.connectAndJoin()?.errorClass == .notFound)
    }
  }

  @Test("After Ctrl-C a failed search says nothing of the device")
  func interrupted() throws {
    let setting = Setting {
      $0.found = []
      $0.owner = ToldOwner { $0.isInterrupted = true }
    }
    try SessionLab.run(setting) { lab in
      #expect(await lab.session.find(besides: [])?.errorClass == .notFound)
      #expect(lab.events.all.isEmpty)
    }
  }

  @Test(
    "Events call a device by the inventory's id, else its name, else its address, and no two alike",
    arguments: [
      (nil, device("Lobby TV", id: "a"), "lobby-tv"), ("left", device("Lobby TV", id: "a"), "left"),
      (nil, device("リビング", host: "192.0.2.9"), "192.0.2.9:8009"), (nil, device("Hall"), "hall-2"),
    ] as [(String?, FoundDevice, String)])
  func names(inventoryID: String?, device: FoundDevice, name: String) throws {
    let setting = Setting {
      $0.selector.inventoryID = inventoryID
      $0.found = [device]
    }
    try SessionLab.run(setting) { lab in
      let other = lab.another { $0.found = [Self.device("Hall", id: "hall", host: "192.0.2.77")] }
      #expect(await other.session.find(besides: []) == nil)
      #expect(await lab.session.find(besides: [other.session]) == nil)
      #expect(lab.session.name == name)
      #expect(lab.events.all.first { $0.type == .deviceFound }?.device == name)
    }
  }

  @Test("Two roles on one device are ambiguous, and both are named")
  func sameDevice() throws {
    let setting = Setting {
      $0.role = "right"
      $0.found = [Self.device("TV", id: "x", host: "192.0.2.8")]
    }
    try SessionLab.run(setting) { lab in
      let other = lab.another {
        $0.role = "left"
        $0.found = [Self.device("Telly", id: "x")]
      }
      #expect(await other.session.find(besides: []) == nil)
      let failure = await lab.session.find(besides: [other.session])
      #expect(failure?.errorClass == .ambiguous)
      #expect(failure?.message == "roles `left` and `right` are the same device, TV")
      #expect(lab.events.diagnostics == ["R702 error: roles `left` and `right` are the same device, TV"])
      #expect(lab.session.device == nil)
    }
  }

  @Test("A role that has found no device yet is in nobody's way")
  func notFoundYet() throws {
    try SessionLab.run { lab in
      let other = lab.another()
      #expect(await lab.session.find(besides: [other.session]) == nil)
      #expect(lab.session.name == "lobby-tv")
    }
  }

  struct Note: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var device = SessionFindingTests.device("Lobby TV", id: "abc")
    var selector = SessionFindingTests.named("Lobby TV")
    var isOneOfSeveral = false
    var isTold = false

    init(_ title: String, isTold: Bool = false, _ change: (inout Note) -> Void = { _ in }) {
      (testDescription, self.isTold) = (title, isTold)
      change(&self)
    }
  }

  static let notes: [Note] = [
    Note("found by discovery", isTold: true), Note("found in the hosts file", isTold: true) { $0.device.via = .hosts },
    Note("found where it was last") { $0.device.via = .cache }, Note("at an address") { $0.device.via = .host },
    Note("without an id") { $0.device.id = nil }, Note("by its id") { $0.selector.id = "abc" },
    Note("by its host") { $0.selector.host = HostAndPort(host: "192.0.2.1") },
    Note("one of several") { $0.isOneOfSeveral = true },
    Note("on the command line") { $0.selector.span.file = SourceSpan.commandLine },
  ]

  @Test("Only a document that chose its device by name alone is told of its id", arguments: notes)
  func idNote(note: Note) throws {
    let setting = Setting {
      $0.found = [note.device]
      $0.selector = note.selector
      $0.policies.isOneOfSeveral = note.isOneOfSeveral
    }
    try SessionLab.run(setting) { lab in
      #expect(await lab.session.find(besides: []) == nil)
      let text = "R706 note: matched by name only; add `id: abc` to survive a rename"
      #expect(lab.events.diagnostics == (note.isTold ? [text] : []))
    }
  }

  @Test("What is known of the device is there for conditions, as far as it is known")
  func facts() throws {
    try SessionLab.run { lab in
      #expect(lab.session.facts.isEmpty && lab.session.name == "device")
      await lab.session.use(SessionLab.device, called: "x")
      #expect(
        lab.session.facts == [
          "device.name": "Lobby TV", "device.ip": "192.0.2.1", "device.id": "abc-1", "device.model": "Chromecast",
        ])
      await lab.session.use(FoundDevice(name: "TV", address: HostAndPort(host: "tv.local"), via: .host), called: "x")
      #expect(lab.session.facts == ["device.name": "TV", "device.ip": "tv.local"])
    }
  }
}
