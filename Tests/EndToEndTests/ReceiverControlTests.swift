import CastProtocol
import CastTransport
import Foundation
import Glibc
import Synchronization
import Testing

/// `receiver press` and `receiver status`: the person in the room.
@Suite struct ReceiverControlTests {
  /// Receivers with a control socket of their own, and commands that find them.
  fileprivate struct Lab {
    let folder: TemporaryFolder
    let environment: [String: String]
    fileprivate(set) var receivers: [(running: Running, address: String)] = []
    /// Those that a test ends itself.
    fileprivate(set) var others: [Running] = []

    init() throws {
      folder = try TemporaryFolder()
      environment = ["XDG_RUNTIME_DIR": folder.url.path, "XDG_STATE_HOME": folder.path("state")]
    }

    var sockets: String { folder.path("showcaller/receivers") }

    /// The control socket of a receiver.
    func socket(of index: Int) throws -> String {
      let all = try FileManager.default.contentsOfDirectory(atPath: sockets)
      let own = all.filter { $0.hasPrefix("\(receivers[index].running.processID)-") }
      try #require(own.count == 1, "\(all)")
      return "\(sockets)/\(own[0])"
    }

    mutating func start(_ arguments: String...) async throws {
      let running = try Showcaller.start(["receive", "--port", "0"] + arguments, environment: environment)
      let address = try #require(try await running.firstLine().split(separator: " ").last.map(String.init))
      receivers.append((running, address))
    }

    func run(_ arguments: String..., limit: Double = 60) async throws -> Finished {
      try await Showcaller.start(arguments, environment: environment, limit: limit).finish()
    }

    func json(_ arguments: String...) async throws -> JSONValue {
      let finished = try await Showcaller.start(arguments + ["--json"], environment: environment).finish()
      return try JSONValue(parsing: Array(finished.output.utf8))
    }

    func end() async throws {
      for receiver in receivers {
        receiver.running.signal(SIGTERM)
        #expect(try await receiver.running.finish().exitCode == 0)
      }
    }
  }

  /// How often something came.
  private final class Heard: Sendable {
    let count = Mutex(0)
  }

  @Test("A person pauses, mutes and leaves; a sender that watches sees each of it")
  func keys() async throws {
    var lab = try Lab()
    try await lab.start("--name", "Lobby TV")
    let host = ["--host", lab.receivers[0].address, "--auth", "none"]
    let idle = try await lab.run("receiver", "status")
    #expect(idle.exitCode == 0 && idle.output.hasPrefix("Lobby TV  127.0.0.1:") && idle.output.contains("  idle  "))
    let refused = try await lab.run("receiver", "press", "pause")
    #expect(refused.exitCode == 5 && refused.errors == "error: Lobby TV: no app runs\n", "\(refused.errors)")

    let load = ["load", "https://cdn.example.com/film.mp4", "--duration", "10m"] + host
    #expect(try await Showcaller.start(load, environment: lab.environment).finish().exitCode == 0)
    let watch = try Showcaller.start(["watch", "--json"] + host, environment: lab.environment)
    try await watch.waitFor("\"player\":\"playing\"")
    let paused = try await lab.run("receiver", "press", "pause", "--device", "lobby tv")
    #expect(paused.exitCode == 0 && paused.output.contains("  paused 0:"), "\(paused.output)\(paused.errors)")
    #expect(paused.output.contains("\n  Default Media Receiver: https://cdn.example.com/film.mp4"))
    try await watch.waitFor("\"player\":\"paused\"")
    let muted = try await lab.json("receiver", "press", "mute")
    #expect(muted["volume"]?["muted"] == true)
    #expect(muted.object?.members.prefix(3).map(\.name) == ["v", "ok", "exit"] && muted["exit"] == 0)
    try await watch.waitFor("\"muted\":true")
    let home = try await lab.run("receiver", "press", "home")
    #expect(home.output.contains("(another input is on)"))
    #expect(try await lab.json("receiver", "press", "power")["standby"] == true)
    let status = try await lab.json("receiver", "status")
    #expect(status["v"] == 1 && status["ok"] == true && status["exit"] == 0)
    let receiver = status["receivers"]?.array?.first
    #expect(receiver?["app"]?["id"] == "CC1AD845" && receiver?["media"]?["duration"] == 600)
    #expect(receiver?["pid"]?.int == Int(lab.receivers[0].running.processID))
    #expect(receiver?["senders"]?.array?.isEmpty == false)
    let taken = try await lab.run("receiver", "press", "takeover", "Netflix")
    #expect(taken.exitCode == 0 && taken.output.contains("  Netflix  "), "\(taken.output)")
    watch.signal(SIGINT)
    _ = try await watch.finish()
    try await lab.end()
    #expect(try FileManager.default.contentsOfDirectory(atPath: lab.sockets) == [])
  }

  @Test("Pulling the plug ends nothing by itself: a sender notices the silence; plugged in, it is there and empty")
  func plug() async throws {
    var lab = try Lab()
    try await lab.start("--name", "Lobby TV")
    let address = lab.receivers[0].address
    let load = try await lab.run(
      "load", "https://cdn.example.com/film.mp4", "--duration", "10m", "--host", address, "--auth", "none")
    #expect(load.exitCode == 0, "\(load.errors)")
    let port = try #require(Int(address.split(separator: ":").last ?? ""))
    let channel = try await TLSClient.connect(host: "127.0.0.1", port: port)
    let (end, ending) = AsyncStream<Void>.makeStream()
    let heard = Heard()
    channel.start { event in
      switch event {
      case .received: heard.count.withLock { $0 += 1 }
      case .closed: ending.finish()
      }
    }
    // The receiver asks an idle sender after 5 s; without power it neither asks nor ends the connection.
    #expect(try await lab.run("receiver", "press", "unplug").output.contains("  unplugged  "))
    let before = heard.count.withLock { $0 }
    let again = try await lab.run("receiver", "press", "unplug")
    #expect(again.exitCode == 5 && again.errors.contains("it is unplugged already"))
    let pressed = try await lab.run("receiver", "press", "pause")
    #expect(pressed.errors.contains("it is unplugged") && pressed.errors.contains("press `plug` first"))
    let asked = try await lab.run("status", "--host", address, "--auth", "none")
    #expect(asked.exitCode == 4 && asked.errors.contains("connection refused"), "\(asked.errors)")
    // While its port is another's it stays without power, and can be plugged in once the port is free.
    let taken = try await TLSServer.listen(host: "127.0.0.1", port: port) { $0.close() }
    let refused = try await lab.run("receiver", "press", "plug")
    #expect(refused.exitCode == 5 && refused.errors.contains("it cannot start again"), "\(refused.errors)")
    await taken.close()
    let plugged = try await lab.run("receiver", "press", "plug")
    #expect(plugged.exitCode == 0 && plugged.output.contains(address) && plugged.output.contains("  idle  "))
    // Only now the connection breaks, and nothing came on it before.
    for await _ in end {}
    #expect(heard.count.withLock { $0 } == before)
    let back = try await lab.run("status", "--host", address, "--auth", "none")
    #expect(back.exitCode == 0 && !back.output.contains("film.mp4"), "\(back.output)\(back.errors)")
    try await lab.end()
  }

  @Test("Without a receiver, with several, or with the wrong name, the message says what to do")
  func choosing() async throws {
    var lab = try Lab()
    let none = try await lab.run("receiver", "press", "pause")
    #expect(none.exitCode == 4 && none.errors.contains("error: no virtual receiver runs on this computer"))
    #expect(none.errors.contains("help: start one: `showcaller receive --name \"Living Room TV\"`"))
    try await lab.start("--name", "Lobby TV", "--name", "Bar TV")
    try await lab.running(0).waitFor("Bar TV ")
    try await lab.start("--name", "Kitchen")
    let several = try await lab.run("receiver", "press", "mute")
    #expect(several.exitCode == 4 && several.errors.contains("error: 3 virtual receivers run"), "\(several.errors)")
    for name in ["Lobby TV (", "Bar TV (", "Kitchen ("] { #expect(several.errors.contains(name)) }
    let wrong = try await lab.json("receiver", "status", "-d", "Attic")
    #expect(wrong["ok"] == false && wrong["exit"] == 4 && wrong["error"]?["class"] == "not_found")
    let port = try #require(lab.receivers[1].address.split(separator: ":").last.map(String.init))
    #expect(try await lab.json("receiver", "press", "mute", "-d", port)["name"] == "Kitchen")
    #expect(try await lab.json("receiver", "status")["receivers"]?.array?.count == 3)
    for (arguments, message) in [
      (["press", "eject"], "eject"), (["press", "pause", "YouTube"], "only `takeover` takes an app"),
      (["press", "takeover", "Netfilx"], "did you mean `Netflix`?"), (["press", "takeover", "x"], "unknown app `x`"),
      (["pres"], "there is no command `receiver pres`"),
    ] {
      let refused = try await Showcaller.start(["receiver"] + arguments, environment: lab.environment).finish()
      #expect(refused.exitCode == 2 && refused.errors.contains(message), "\(refused.errors)")
    }
    try await lab.end()
  }

  @Test("The socket is its owner's alone; what a killed process left is taken away; an open folder is refused")
  func socket() async throws {
    var lab = try Lab()
    try await lab.start("--name", "Lobby TV")
    try await lab.start("--name", "Bar TV")
    func mode(_ path: String) -> UInt32? {
      var status = stat()
      return lstat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }
    let place = try lab.socket(of: 0)
    #expect(mode(place) == 0o600 && mode(lab.sockets) == 0o700)
    lab.receivers[0].running.signal(SIGKILL)
    _ = try await lab.receivers[0].running.finish()
    #expect(mode(place) == 0o600)
    let status = try await lab.run("receiver", "status")
    #expect(status.exitCode == 0 && status.output.hasPrefix("Bar TV  ") && status.errors == "", "\(status.errors)")
    #expect(mode(place) == nil)
    chmod(lab.sockets, 0o755)
    let open = try await lab.run("receiver", "status")
    #expect(open.exitCode == 8 && open.errors.contains("is open to others"), "\(open.errors)")
    let receiver = try Showcaller.start(["receive", "--port", "0"], environment: lab.environment)
    try await receiver.waitFor("note: `showcaller receiver` cannot reach what runs here")
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
    chmod(lab.sockets, 0o700)
    lab.forget(0)
    try await lab.end()
  }

  /// What a peer of the socket says and hears, in Python: as another user where `user` says so.
  private static func peer(_ path: String, _ script: String, user: String? = nil) async throws -> String {
    let code = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.settimeout(20)
      try:
        s.connect(sys.argv[1])
      \(script.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n"))
        print(s.recv(65536).decode() or "nothing")
      except Exception as e: print(type(e).__name__)
      """
    let python = ["/usr/bin/python3", "-c", code, path]
    let words = user.map { ["/usr/bin/setpriv", "--reuid", $0, "--clear-groups"] + python } ?? python
    let running = try Running(URL(filePath: words[0]), Array(words.dropFirst()), in: Showcaller.root)
    return try await running.finish().output.trimmingCharacters(in: .newlines)
  }

  @Test("Nonsense, half a request, too much of it and a crowd of silent peers stop nobody")
  func hostile() async throws {
    var lab = try Lab()
    try await lab.start("--name", "Lobby TV")
    let place = try lab.socket(of: 0)
    #expect(try await Self.peer(place, #"s.sendall(b"GET / HTTP/1.1\r\n\r\n")"#).contains("does not know this request"))
    let long = try await Self.peer(place, #"s.sendall(b"x" * 5000)"#)
    #expect(long.contains("over 4096 bytes") || long == "ConnectionResetError", "\(long)")
    let endless = try await Self.peer(place, #"s.sendall(b"x" * 10000000)"#)
    #expect(endless.contains("over 4096 bytes") || endless.hasSuffix("Error"), "\(endless)")
    // Whoever says nothing is put out after ten seconds, and until then keeps no one else out.
    async let silent = Self.peer(
      place,
      #"others = [socket.socket(socket.AF_UNIX) for _ in range(40)]"# + "\n"
        + #"[o.connect(sys.argv[1]) for o in others]"# + "\n" + #"s.sendall(b"{")"#)
    for _ in 0..<5 { #expect(try await lab.run("receiver", "status").exitCode == 0) }
    #expect(["nothing", "ConnectionResetError", "BrokenPipeError"].contains(try await silent))
    try await lab.end()
  }

  @Test(
    "Who says by the end of its stream that the request is over gets its answer, and one without a request is let go")
  func halfClosed() async throws {
    var lab = try Lab()
    try await lab.start("--name", "Lobby TV")
    let place = try lab.socket(of: 0)
    let ask = #"s.sendall(b'{"v":1,"do":"status"}\n')"# + "\ns.shutdown(socket.SHUT_WR)"
    #expect(try await Self.peer(place, ask).contains(#""name":"Lobby TV""#))
    #expect(try await Self.peer(place, "s.settimeout(5)\ns.shutdown(socket.SHUT_WR)") == "nothing")
    try await lab.end()
  }

  @Test("No socket is called as another was: two processes with one id, as in two containers, do not take each other's")
  func names() async throws {
    var lab = try Lab()
    var seen: Set<String> = []
    for _ in 0..<2 {
      // The first process of a container has always the same id.
      let running = try Running(
        URL(filePath: "/usr/bin/unshare"),
        ["--pid", "--fork", "--kill-child", Showcaller.binary.path, "receive", "--port", "0", "--latency", "none"],
        environment: lab.environment, in: Showcaller.root)
      _ = try await running.firstLine()
      lab.add(running)
      seen.formUnion(try FileManager.default.contentsOfDirectory(atPath: lab.sockets))
    }
    #expect(seen.count == 2, "\(seen)")
    #expect(try await lab.json("receiver", "status")["receivers"]?.array?.count == 2)
    for running in lab.others { running.signal(SIGKILL) }
    for running in lab.others { _ = try await running.finish() }
  }

  @Test("A process with hundreds of receivers tells of all of them, though no socket takes that much at once")
  func hundreds() async throws {
    var lab = try Lab()
    let name = "Screen" + String(repeating: " in the hall", count: 12)
    try await lab.start("--count", "700", "--name", name)
    try await lab.running(0).waitFor("\(name) 700 ")
    let status = try await lab.json("receiver", "status")
    #expect(status["receivers"]?.array?.count == 700, "\(status["error"]?.serialized() ?? "")")
    try await lab.end()
  }

  @Test("Another user is turned away even where the modes let everybody in", .enabled(if: geteuid() == 0))
  func anotherUser() async throws {
    var lab = try Lab()
    try await lab.start("--name", "Lobby TV")
    let place = try lab.socket(of: 0)
    let ask = #"s.sendall(b'{"v":1,"do":"status"}\n')"#
    #expect(try await Self.peer(place, ask, user: "65534") == "PermissionError")
    for path in [lab.folder.url.path, lab.folder.path("showcaller"), lab.sockets] { chmod(path, 0o755) }
    chmod(place, 0o666)
    let answer = try await Self.peer(place, ask, user: "65534")
    #expect(["nothing", "ConnectionResetError", "BrokenPipeError"].contains(answer), "\(answer)")
    chmod(lab.sockets, 0o700)
    #expect(try await lab.run("receiver", "status").exitCode == 0)
    try await lab.end()
  }
}

extension ReceiverControlTests.Lab {
  fileprivate func running(_ index: Int) -> Running { receivers[index].running }
  fileprivate mutating func add(_ other: Running) { others.append(other) }
  fileprivate mutating func forget(_ index: Int) { receivers.remove(at: index) }
}
