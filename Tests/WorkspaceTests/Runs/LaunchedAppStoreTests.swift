import Testing

@testable import Workspace

@Suite struct LaunchedAppStoreTests {
  @Test("A session is known until it is over, for each device on its own")
  func sessions() throws {
    let folder = try TemporaryFolder()
    let store = LaunchedAppStore(.living(in: folder))
    #expect(store.session(on: "tv") == nil)
    store.record("one", on: "tv")
    store.record("two", on: "bar")
    store.record("three", on: "tv")
    #expect(store.session(on: "tv") == "three" && store.session(on: "bar") == "two")
    store.record(nil, on: "tv")
    #expect(store.session(on: "tv") == nil && store.session(on: "bar") == "two")
    #expect(try folder.names(".local/state/showcaller/sessions") == ["bar"])
    #expect(folder.mode(".local/state/showcaller/sessions/bar") == 0o600)
    #expect(folder.mode(".local/state/showcaller/sessions") == 0o700)
  }

  @Test(
    "No device makes a path of its name", arguments: ["../../../x", "/etc/passwd", ".", "..", "a/b", "é\0", "a\nb"])
  func names(device: String) throws {
    let folder = try TemporaryFolder()
    let store = LaunchedAppStore(.living(in: folder))
    store.record("session", on: device)
    #expect(store.session(on: device) == "session")
    #expect(try folder.names() == [".local"])
    #expect(try folder.names(".local/state/showcaller/sessions").count == 1)
  }

  @Test("What is no session is none, and ends the one before", arguments: ["", String(repeating: "x", count: 257)])
  func wrong(session: String) throws {
    let folder = try TemporaryFolder()
    let store = LaunchedAppStore(.living(in: folder))
    store.record("session", on: "tv")
    store.record(session, on: "tv")
    #expect(store.session(on: "tv") == nil)
  }

  @Test("A file that is too large, empty or a link is no session")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let place = ".local/state/showcaller/sessions"
    try folder.write("elsewhere", "session")
    try folder.write("\(place)/large", String(repeating: "x", count: 257))
    try folder.write("\(place)/largest", String(repeating: "x", count: 256))
    try folder.write("\(place)/empty", "")
    try folder.link("\(place)/link", to: folder.path("elsewhere"))
    let store = LaunchedAppStore(.living(in: folder))
    for device in ["large", "empty", "link"] { #expect(store.session(on: device) == nil, "\(device)") }
    #expect(store.session(on: "largest")?.count == 256)
  }

  @Test("Whoever has no home, or may not write there, has no sessions")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    for environment: Environment in [[:], ["HOME": "relative"], ["XDG_STATE_HOME": folder.path("file")]] {
      let store = LaunchedAppStore(Surroundings(environment: environment, unixTime: { 0 }))
      store.record("session", on: "tv")
      #expect(store.session(on: "tv") == nil)
    }
    #expect(try folder.names() == ["file"])
  }

  @Test("Only the first hundred bytes of a device's name count, and one without a name has no session")
  func longNames() throws {
    let folder = try TemporaryFolder()
    let store = LaunchedAppStore(.living(in: folder))
    store.record("none", on: "")
    #expect(store.session(on: "") == nil)
    let name = String(repeating: "a", count: 100)
    store.record("one", on: name + "b")
    #expect(store.session(on: name + "c") == "one" && store.session(on: name.dropLast() + "b") == nil)
    #expect(try folder.names(".local/state/showcaller/sessions") == [name])
  }

  @Test("Bytes that are no text are no session")
  func textless() throws {
    let folder = try TemporaryFolder()
    let store = LaunchedAppStore(.living(in: folder))
    store.record("session", on: "tv")
    try Files.store([0x61, 0xFF], at: folder.path(".local/state/showcaller/sessions/tv"), mode: 0o600)
    #expect(store.session(on: "tv") == nil)
  }
}
