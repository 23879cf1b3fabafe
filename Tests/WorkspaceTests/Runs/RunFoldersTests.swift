import Glibc
import RunReporting
import Testing

@testable import Workspace

@Suite struct RunFoldersTests {
  private static let now = 1_800_000_000.0
  private static let passed = end(0)
  private static let failed = end(1)
  private static let own = "01ARZ3NDEKTSV4RRFFQ69G5ZZZ"

  /// The last line of a run.
  private static func end(_ exit: Int) -> String {
    var finished = EventKind.RunFinished()
    finished.exit = exit
    return EventRecord(Event(number: 1, wallTime: 0, elapsed: 0, kind: .runFinished(finished))).jsonLine + "\n"
  }

  /// The names of runs, older ones first.
  private static func name(_ number: Int) -> String {
    "01ARZ3NDEKTSV4RRFFQ69G5" + String(String(number + 1000).dropFirst())
  }

  @discardableResult
  private static func makeRun(_ number: Int, events: String?, in folder: TemporaryFolder) throws -> String {
    let name = name(number)
    try folder.folder("\(name)/sources")
    try folder.write("\(name)/sources/a.yaml", "")
    try folder.write("\(name)/plan.json", "{}")
    if let events { try folder.write("\(name)/events.jsonl", events) }
    return name
  }

  private static func prune(
    _ folder: TemporaryFolder, count: Int, keepsFailed: Bool = false, ownPassed: Bool = true
  ) {
    RunFolders(
      path: folder.path, count: count, keepsFailed: keepsFailed, own: own, ownPassed: ownPassed, now: now
    ).prune()
  }

  @Test(
    "So many of the newest stay",
    arguments: [(0, [5]), (1, [5]), (2, [4, 5]), (4, [2, 3, 4, 5]), (9, [1, 2, 3, 4, 5])])
  func newest(count: Int, kept: [Int]) throws {
    let folder = try TemporaryFolder()
    for number in 1...5 { try Self.makeRun(number, events: number % 2 == 0 ? Self.passed : Self.failed, in: folder) }
    Self.prune(folder, count: count)
    #expect(try folder.names() == kept.map(Self.name))
  }

  @Test(
    "An old folder goes only when its run is over and nothing in it is somebody else's",
    arguments: [
      ("passed", false), ("failed", false), ("killed", false), ("empty and old", false), ("without events, old", false),
      ("with artifacts", false), ("killed while writing", false), ("empty and young", true),
      ("without events, young", true), ("marked", true),
      ("with a note", true), ("running", true), ("events are a folder", true),
    ])
  func states(state: String, stays: Bool) throws {
    let folder = try TemporaryFolder()
    var events: String? = Self.passed
    switch state {
    case "failed": events = Self.failed
    case "killed": events = #"{"type":"run.started"}"# + "\n"
    case "empty and old", "empty and young": events = ""
    case "without events, old", "without events, young", "events are a folder": events = nil
    default: break
    }
    let name = try Self.makeRun(1, events: events, in: folder)
    switch state {
    case "with artifacts": try folder.write("\(name)/artifacts/deep/picture", "")
    case "killed while writing": try folder.write("\(name)/\(TemporaryFiles.newName())", "")
    case "with a note": try folder.write("\(name)/note.txt", "")
    case "marked": try folder.write("\(name)/kept", "")
    case "events are a folder": try folder.folder("\(name)/events.jsonl")
    default: break
    }
    // Young and old are told by the clock that is handed in.
    let age = state.hasSuffix("young") ? 10.0 : 4000
    let seen = Double(try #require(folder.status(name)).st_mtim.tv_sec)
    try Self.makeRun(2, events: Self.passed, in: folder)
    let lock = try Files.open(folder.path("\(name)/\(events == nil ? "plan.json" : "events.jsonl")"), O_RDONLY)
    if state == "running" { try #require(flock(lock.descriptor, LOCK_EX | LOCK_NB) == 0) }
    RunFolders(
      path: folder.path, count: 1, keepsFailed: false, own: Self.own, ownPassed: true, now: seen + age
    ).prune()
    #expect(try folder.names() == (stays ? [name] : []) + [Self.name(2)])
    try lock.close()
  }

  @Test("What is no run's is never touched, and no link is followed")
  func foreign() throws {
    let folder = try TemporaryFolder()
    let (other, link) = ("notes", "01ARZ3NDEKTSV4RRFFQ69G5001")
    try folder.write("runs/\(other)/events.jsonl", Self.passed)
    try folder.write("runs/01ARZ3NDEKTSV4RRFFQ69G5002", "a file")
    try folder.write("elsewhere/events.jsonl", Self.passed)
    try folder.link("runs/\(link)", to: "../elsewhere")
    for number in [8, 9] {
      try folder.write("runs/\(Self.name(number))/events.jsonl", Self.passed)
      try folder.link("runs/\(Self.name(number))/sources", to: "../../elsewhere")
    }
    RunFolders(
      path: folder.path("runs"), count: 1, keepsFailed: false, own: Self.own, ownPassed: true, now: Self.now
    ).prune()
    #expect(try folder.names("runs") == [link, "01ARZ3NDEKTSV4RRFFQ69G5002", Self.name(9), other])
    #expect(folder.text("elsewhere/events.jsonl") == Self.passed)
  }

  @Test(
    "Keeping what failed, or left no event, marks it, so that later runs leave it there, too",
    arguments: [failed, "\n\n"])
  func keepingFailed(events: String) throws {
    let folder = try TemporaryFolder()
    try Self.makeRun(1, events: events, in: folder)
    try Self.makeRun(2, events: Self.passed, in: folder)
    try Self.makeRun(3, events: Self.passed, in: folder)
    Self.prune(folder, count: 1, keepsFailed: true)
    #expect(try folder.names() == [Self.name(1), Self.name(3)])
    #expect(try folder.names(Self.name(1)).contains("kept"))
    #expect(try !folder.names(Self.name(3)).contains("kept"))
    Self.prune(folder, count: 1)
    #expect(try folder.names() == [Self.name(1), Self.name(3)])
  }

  @Test("A run that asked to be kept loses its mark by passing", arguments: [true, false])
  func ownMark(passed: Bool) throws {
    let folder = try TemporaryFolder()
    try folder.write("\(Self.own)/events.jsonl", passed ? Self.passed : Self.failed)
    try folder.write("\(Self.own)/kept", "")
    Self.prune(folder, count: 1, keepsFailed: true, ownPassed: passed)
    #expect(try folder.names(Self.own).contains("kept") == !passed)
  }

  @Test("The folder of the run that asks stays, however old its name is")
  func own() throws {
    let folder = try TemporaryFolder()
    let own = try Self.makeRun(1, events: Self.passed, in: folder)
    for number in 2...4 { try Self.makeRun(number, events: Self.passed, in: folder) }
    RunFolders(path: folder.path, count: 1, keepsFailed: false, own: own, ownPassed: true, now: Self.now).prune()
    #expect(try folder.names() == [own, Self.name(4)])
  }

  @Test("Many runs that end at once leave the newest")
  func together() async throws {
    let folder = try TemporaryFolder()
    for number in 1...40 { try Self.makeRun(number, events: Self.passed, in: folder) }
    await withTaskGroup { group in
      for _ in 0..<8 { group.addTask { Self.prune(folder, count: 5) } }
    }
    // One that another just looks at counts as running.
    Self.prune(folder, count: 5)
    #expect(try folder.names() == (36...40).map(Self.name))
  }

  @Test("Without a folder of runs there is nothing to do")
  func missing() throws {
    let folder = try TemporaryFolder()
    RunFolders(
      path: folder.path("missing"), count: 1, keepsFailed: true, own: Self.own, ownPassed: true, now: Self.now
    ).prune()
    #expect(try folder.names().isEmpty)
  }

  @Test("One run removes a thousand old folders at most, the oldest first")
  func most() throws {
    let folder = try TemporaryFolder()
    // Names of runs have digits enough for more than a thousand.
    let names = (0..<1003).map { "01ARZ3NDEKTSV4RRFFQ69G" + String(String($0 + 10_000).dropFirst()) }
    for name in names { try folder.write("\(name)/events.jsonl", Self.passed) }
    Self.prune(folder, count: 1)
    #expect(try folder.names() == Array(names.suffix(3)))
    Self.prune(folder, count: 1)
    #expect(try folder.names() == Array(names.suffix(1)))
  }

  @Test("The folder of a run that did not begin goes, unless somebody put something into it")
  func notBegun() throws {
    let folder = try TemporaryFolder()
    let (own, foreign) = (try Self.makeRun(1, events: "", in: folder), try Self.makeRun(2, events: "", in: folder))
    try folder.write("\(foreign)/note.txt", "")
    for name in [own, foreign, "missing"] { RunFolders.remove(folder.path(name)) }
    #expect(try folder.names() == [foreign])
    #expect(try folder.names("\(foreign)/sources") == ["a.yaml"])
  }

  @Test("A folder that is deeper than any run makes is not removed to its ground")
  func deep() throws {
    let folder = try TemporaryFolder()
    let name = try Self.makeRun(1, events: Self.passed, in: folder)
    let path = "\(name)/artifacts/" + String(repeating: "d/", count: 10) + "file"
    try folder.write(path, "")
    try Self.makeRun(2, events: Self.passed, in: folder)
    Self.prune(folder, count: 1)
    #expect(folder.text(path) == "")
  }
}
