import Foundation
import Glibc
import Testing

@testable import Workspace

@Suite struct DeviceLocksTests {
  private static let place = ".local/state/showcaller/locks"

  private static func locks(
    _ folder: TemporaryFolder, for command: String = "showcaller run a.yaml", isBrief: Bool = false,
    at now: Double = 1_800_000_000
  ) -> DeviceLocks {
    DeviceLocks(.living(in: folder, at: now), for: command, isBrief: isBrief)
  }

  /// Who has one of `keys`; `nil` where nobody else has.
  private static func holder(_ answer: DeviceLocks.Answer) -> DeviceHolder? {
    guard case .held(_, let holder) = answer else { return nil }
    return holder
  }

  @Test("Whoever comes second is told who came first, and since when; another device is free")
  func second() throws {
    let folder = try TemporaryFolder()
    let first = Self.locks(folder, for: "showcaller run night.yaml")
    #expect(first.take(["id tv"]) == .taken)
    let second = Self.locks(folder, for: "showcaller load", isBrief: true, at: 1_800_000_192.7)
    let holder = try #require(Self.holder(second.take(["id tv"])))
    #expect(
      holder
        == DeviceHolder(
          command: "showcaller run night.yaml", process: Int(getpid()), since: 1_800_000_000, isBrief: false))
    #expect(holder.words(at: 1_800_000_192.7) == "showcaller run night.yaml (process \(getpid()), for 3m12s)")
    #expect(holder.words(at: 1_799_999_999) == "showcaller run night.yaml (process \(getpid()))")
    #expect(second.take(["id bar"]) == .taken)
    #expect(Self.holder(first.take(["id bar"]))?.isBrief == true)
    #expect(folder.mode(Self.place) == 0o700 && folder.mode("\(Self.place)/id_20tv") == 0o600)
  }

  @Test("A lock's file holds one line, also after a holder with a longer name")
  func oneLine() throws {
    let folder = try TemporaryFolder()
    let first = Self.locks(folder, for: "showcaller run " + String(repeating: "long", count: 30))
    #expect(first.take(["tv"]) == .taken)
    first.releaseAll()
    #expect(Self.locks(folder, for: "showcaller stop").take(["tv"]) == .taken)
    let text = try #require(folder.text("\(Self.place)/tv"))
    #expect(text.hasSuffix("}\n") && text.split(separator: "\n").count == 1, "\(text)")
  }

  @Test("Of several locks a process gets all or none, whatever their order")
  func allOrNone() throws {
    let folder = try TemporaryFolder()
    let (first, second, third) = (Self.locks(folder), Self.locks(folder), Self.locks(folder))
    #expect(first.take(["b"]) == .taken)
    guard case .held("b", _) = second.take(["a", "b", "c"]) else { return #expect(Bool(false), "taken") }
    #expect(third.take(["a", "c"]) == .taken)
    first.releaseAll()
    guard case .held("a", _) = second.take(["a", "b", "c"]) else { return #expect(Bool(false), "taken") }
    third.releaseAll()
    #expect(second.take(["a", "b", "c"]) == .taken)
  }

  @Test("A process takes what it has once more, and keeps it until its last use is over and somebody asks it to let go")
  func uses() throws {
    let folder = try TemporaryFolder()
    let (own, other) = (Self.locks(folder), Self.locks(folder))
    #expect(own.take(["tv"]) == .taken)
    #expect(own.take(["tv", "bar"]) == .taken)
    own.giveBack(["tv", "bar", "nothing"])
    own.releaseUnused()
    #expect(other.take(["bar"]) == .taken)
    #expect(Self.holder(other.take(["tv"])) != nil)
    own.giveBack(["tv"])
    #expect(Self.holder(other.take(["tv"])) != nil)
    own.releaseUnused()
    #expect(other.take(["tv"]) == .taken)
  }

  @Test(
    "No device makes a path of its id, or takes the place of another",
    arguments: [
      "../../../x", "/etc/passwd", ".", "..", "a/b", "a_2Fb", "é\0", "a\nb", "", "A", "a", "[::1]:8009", "[__1]_8009",
      String(repeating: "/", count: 500), String(repeating: "/", count: 501), String(repeating: "a", count: 5000),
    ])
  func names(key: String) throws {
    let folder = try TemporaryFolder()
    let (own, other) = (Self.locks(folder), Self.locks(folder))
    #expect(own.take([key]) == .taken)
    #expect(Self.holder(other.take([key])) != nil)
    #expect(try folder.names() == [".local"])
    let names = try folder.names(Self.place)
    #expect(names.count == 1 && names.allSatisfy { $0.utf8.count <= 255 && !$0.hasPrefix(".") })
    #expect(other.take([key + "x"]) == .taken)
  }

  @Test(
    "What another process wrote about itself is bounded and cannot do anything to a terminal",
    arguments: [
      ("", nil), ("no JSON", nil), ("{}", nil), (#"{"v":2,"command":"x","process":1}"#, nil),
      (#"{"v":1,"command":"","process":1}"#, nil), (#"{"v":1,"command":"x","process":-1}"#, nil),
      (#"{"v":1,"command":"x","process":7}"#, "x (process 7)"),
      (#"{"v":1,"command":"x","process":7,"since":100}"# + "\nrest of another", "x (process 7, for 20s)"),
      (#"{"v":1,"command":"x","process":7,"since":-9223372036854775808}"#, "x (process 7)"),
      (#"{"v":1,"command":"a\u001b[2J\u202eb\n","process":7}"#, #"a\u{1B}[2J\u{202E}b\u{A} (process 7)"#),
      (
        #"{"v":1,"command":""# + String(repeating: "x", count: 300) + #"","process":7}"#,
        String(repeating: "x", count: 200) + "… (process 7)"
      ),
      (#"{"v":1,"command":""# + String(repeating: "x", count: 5000) + #"","process":7}"#, nil),
      (String(repeating: "[", count: 4000), nil),
    ] as [(String, String?)])
  func hostileText(text: String, words: String?) {
    #expect(DeviceHolder(line: Array(text.utf8))?.words(at: 120.5) == words)
  }

  @Test("A holder is read as it was written, however long its command is")
  func roundTrip() throws {
    for command in [
      "showcaller run é.yaml", String(repeating: "\u{1B}", count: 400), String(repeating: "\\", count: 400),
    ] {
      let holder = DeviceHolder(command: command, process: 4711, since: 5, isBrief: true)
      let line = Array(holder.line.utf8)
      #expect(line.count <= DeviceHolder.byteLimit)
      let read = try #require(DeviceHolder(line: line))
      #expect(read.process == 4711 && read.since == 5 && read.isBrief)
      #expect(read.command.prefix(200) == holder.command.prefix(200))
    }
  }

  @Test("A shorter line stands in the place of a longer one")
  func shorter() throws {
    let folder = try TemporaryFolder()
    let long = Self.locks(folder, for: "showcaller run " + String(repeating: "x", count: 150))
    #expect(long.take(["tv"]) == .taken)
    long.releaseAll()
    let short = Self.locks(folder, for: "showcaller play")
    // A program that another test just starts holds what is released until it is itself.
    var taken = short.take(["tv"])
    for _ in 0..<100 where taken != .taken {
      Thread.sleep(forTimeInterval: 0.02)
      taken = short.take(["tv"])
    }
    #expect(taken == .taken)
    #expect(Self.holder(Self.locks(folder).take(["tv"]))?.command == "showcaller play")
  }

  @Test("Where no file can be written the process goes on without a lock, and tells why once")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    try folder.write("file", "")
    try folder.folder("full/showcaller/locks/tv")
    for (environment, reason) in [
      ([:], "neither XDG_STATE_HOME nor HOME names a folder"),
      (["HOME": "relative"], "neither XDG_STATE_HOME nor HOME names a folder"),
      (["XDG_STATE_HOME": folder.path("file")], "Not a directory"),
      (["XDG_STATE_HOME": folder.path("full")], "Is a directory"),
    ] as [(Environment, String)] {
      let locks = DeviceLocks(
        Surroundings(environment: environment, unixTime: { 0 }), for: "showcaller play", isBrief: true)
      #expect(locks.take(["tv"]) == .taken && locks.take(["tv"]) == .taken)
      let problem = try #require(locks.takeProblem())
      #expect(problem.hasPrefix("devices are not locked: ") && problem.hasSuffix(reason), "\(problem)")
      #expect(locks.takeProblem() == nil)
    }
  }

  @Test("A link in the place of a lock is not followed")
  func link() throws {
    let folder = try TemporaryFolder()
    try folder.write("precious", "text")
    try folder.link("\(Self.place)/tv", to: folder.path("precious"))
    let locks = Self.locks(folder)
    #expect(locks.take(["tv"]) == .taken && locks.takeProblem() != nil)
    #expect(folder.text("precious") == "text")
  }

  @Test("A lock is free at once when it is given back, also while a program is being started that has a copy of it")
  func copiedDescriptor() throws {
    let folder = try TemporaryFolder()
    try folder.folder(Self.place)
    let locks = Self.locks(folder)
    #expect(locks.take(["tv"]) == .taken)
    let copy = try folder.copyOfDescriptor("\(Self.place)/tv")
    locks.releaseAll()
    #expect(Self.locks(folder).take(["tv"]) == .taken)
    _ = copy.descriptor
  }

  @Test("A lock of another process ends with it, also by kill -9; a program that we start does not keep ours")
  func death() async throws {
    let folder = try TemporaryFolder()
    try folder.folder(Self.place)
    let locks = Self.locks(folder)
    let other = Process()
    other.executableURL = URL(filePath: "/usr/bin/flock")
    // Without `-o` the program would keep the lock that its parent is killed with.
    other.arguments = ["-o", folder.path("\(Self.place)/tv"), "sh", "-c", "echo locked; read line"]
    let (input, output) = (Pipe(), Pipe())
    other.standardInput = input
    other.standardOutput = output
    try other.run()
    #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "locked\n")
    guard case .held("tv", nil) = locks.take(["tv"]) else { return #expect(Bool(false), "taken") }
    kill(other.processIdentifier, SIGKILL)
    // The program, which has no part in the lock, ends with its input.
    try input.fileHandleForWriting.close()
    other.waitUntilExit()
    #expect(locks.take(["tv"]) == .taken)
    let program = ChildProgram(
      command: ["/bin/sh", "-c", "ls -l /proc/self/fd"], environment: ["PATH=/usr/bin:/bin"], input: [],
      outputLimit: 1 << 16, standardError: .kept(100), limit: .seconds(30))
    guard case .exited(0, let listed, _) = await program.run() else { return #expect(Bool(false), "ended otherwise") }
    #expect(!String(decoding: listed, as: UTF8.self).contains("/locks/"))
    locks.releaseAll()
    #expect(Self.locks(folder).take(["tv"]) == .taken)
  }
}
