import CastProtocol
import CastTransport
import Foundation
import Synchronization
import Testing

/// What `receive` tells its user of the senders that speak to it.
@Suite struct ReceiveTests {
  @Test("--wire prints what is received and sent as lines of JSON, --log what connections do")
  func wire() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Lobby TV", "--wire", "--log", "*=trace"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let asked = try await Showcaller.run("status", "--host", address)
    #expect(asked.exitCode == 0, "\(asked.errors)")
    try await receiver.waitFor("\"closed\"")
    receiver.signal(SIGTERM)
    let finished = try await receiver.finish()
    #expect(finished.exitCode == 0)
    let lines = try finished.output.split(separator: "\n").dropFirst().map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(lines.first?["type"] == "opened" && lines.last?["type"] == "closed")
    #expect(lines.allSatisfy { $0["receiver"] == "Lobby TV" && $0["connection"] == 1 })
    let request = lines.first { $0["type"] == "received" && $0["msg"]?["type"] == "GET_STATUS" }
    #expect(request?["ns"] == "urn:x-cast:com.google.cast.receiver" && request?["to"] == "receiver-0")
    #expect(lines.contains { $0["type"] == "sent" && $0["msg"]?["type"] == "RECEIVER_STATUS" })
    for text in ["debug receiver: Lobby TV: connection 1 is open", "trace receiver: Lobby TV: received on 1 {"] {
      #expect(finished.errors.contains(text), "\(finished.errors)")
    }
  }

  @Test("An app id that is not whole is told, and words and whole ids are not")
  func shortID() async throws {
    let receiver = try Showcaller.start([
      "receive", "--port", "0", "--app", "A1B2", "--app", "A1B2C3D4", "--app-without-media", "YouTube",
    ])
    _ = try await receiver.firstLine()
    receiver.signal(SIGTERM)
    let finished = try await receiver.finish()
    #expect(finished.errors.contains("warning: --app: A1B2 has 4 hexadecimal digits"), "\(finished.errors)")
    #expect(finished.errors.ranges(of: "warning: --app").count == 1)
  }

  @Test("--any-app launches what no other does, --model is what senders hear, and --media live-window gives a range")
  func appAndModel() async throws {
    let receiver = try Showcaller.start([
      "receive", "--port", "0", "--latency", "none", "--any-app", "--model", "Lab Screen", "--media", "live-window=90",
    ])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    #expect(try await Showcaller.run("launch", "12345678", "--host", address).exitCode == 0)
    let loaded = try await Showcaller.run(
      "load", "https://cdn.example.com/live.m3u8", "--live", "--app", "12345678", "--host", address)
    #expect(loaded.exitCode == 0, "\(loaded.errors)")
    let status = try await Showcaller.run("status", "--json", "--host", address)
    #expect(status.output.contains("12345678") && status.output.contains("live_range"), "\(status.output)")
    let found = try await Showcaller.run("discover", "--json", "--host", address)
    #expect(found.output.contains("Lab Screen"), "\(found.output) \(found.errors)")
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
    let wrong = try await Showcaller.run("receive", "--model", "")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("--model is a text of 1 to 60 bytes"), "\(wrong.errors)")
  }

  @Test("--count starts so many receivers with names, ids and ports of their own")
  func fleet() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0", "--name", "Lab", "--count", "3"])
    try await receiver.waitFor("Lab 3 ")
    let lines = receiver.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(lines.map { $0.prefix(2).joined(separator: " ") } == ["Lab 1", "Lab 2", "Lab 3"])
    #expect(Set(lines.map { $0[2] }).count == 3 && Set(lines.map { $0[3] }).count == 3)
    for line in lines {
      #expect(try await Showcaller.run("status", "--host", line[3]).exitCode == 0)
    }
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }

  static let wrongFleets: [(arguments: [String], message: String)] = [
    (["--count", "0"], "--count is a number from 1 to 1000"),
    (["--count", "1001"], "--count is a number from 1 to 1000"),
    (["--count", "2", "--name", "A", "--name", "B"], "--count gives one --name its numbers, not several"),
    (["--count", "2", "--name", "A", "--group", "A 2"], "--group needs a name of its own"),
    (
      ["--count", "1000", "--port-from", "65000"],
      "--port 65000 leaves no room for 1000 receivers: begin at 64536 or lower"
    ),
  ]
  @Test("Fleets that cannot be are refused", arguments: wrongFleets)
  func wrongFleet(arguments: [String], message: String) async throws {
    let refused = try await Showcaller.start(["receive"] + arguments).finish()
    #expect(refused.exitCode == 2 && refused.errors.contains(message), "\(refused.errors)")
  }

  @Test("With --fetch a file that is there plays, one that is missing fails, and no other host is asked")
  func fetch() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write("film.mp4", "no film, but there")
    let server = try await FolderServer(folder)
    let receiver = try Showcaller.start(["receive", "--port", "0", "--latency", "none", "--fetch", "127.0.0.1"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    #expect(try await Showcaller.run("launch", "CC1AD845", "--host", address).exitCode == 0)
    let film = "http://127.0.0.1:\(server.port)/film.mp4"
    let loads = [
      (film, true), ("http://127.0.0.1:\(server.port)/none.mp4", false), (film, true), ("http://192.0.2.1/a", false),
    ]
    for (url, plays) in loads {
      let load = #"{"type":"LOAD","requestId":7,"media":{"contentId":"\#(url)","contentType":"video/mp4"}}"#
      let sent = try await Showcaller.run("send", "urn:x-cast:com.google.cast.media", load, "--host", address)
      #expect(sent.exitCode == 0, "\(sent.errors)")
      var status = ""
      for _ in 0..<50 {
        status = try await Showcaller.run("status", "--json", "--host", address).output
        if status.contains("\"playing\"") == plays { break }
        try await Task.sleep(for: .milliseconds(100))
      }
      #expect(status.contains("\"playing\"") == plays, "\(url) \(status)")
    }
    await server.stop()
    receiver.signal(SIGTERM)
    let finished = try await receiver.finish()
    #expect(finished.exitCode == 0 && finished.errors.contains("none.mp4 is not there: it was answered with 404"))
    #expect(finished.errors.contains("add `--fetch 192.0.2.1`"), "\(finished.errors)")
  }

  @Test("--media chooses how apps behave; what it cannot be is refused with what it can be")
  func media() async throws {
    let receiver = try Showcaller.start([
      "receive", "--port", "0", "--latency", "none", "--wire", "--media", "sdk", "--media", "commands=15",
    ])
    let line = try await receiver.firstLine()
    let address = try #require(line.split(separator: " ").last.map(String.init))
    #expect(try await Showcaller.run("load", "http://192.0.2.1/a.mp4", "--host", address).exitCode == 0)
    receiver.signal(SIGTERM)
    let heard = try await receiver.finish().output
    #expect(heard.contains("\"supportedMediaCommands\":15") && !heard.contains("\"BUFFERING\""), "\(heard)")
    let refused = try await Showcaller.run("receive", "--media", "seek-reply=purple")
    #expect(
      refused.exitCode == 2 && refused.errors.contains("seek-reply takes playing or buffering"), "\(refused.errors)")
  }

  static let wrongValues: [(arguments: [String], message: String)] = [
    (["--media", "idle-exit=5s"], "idle-exit takes a whole number of seconds from 1 to 604800, as in `300`"),
    (["--media", "seek-repy=playing"], "did you mean `seek-reply`?"),
    (["--media", "purple"], "the settings are load-reply"),
    (["--fetch", "http://localhost:3000"], "a host without scheme and port"),
    (["--fetch", "localhost:3000"], "a host without scheme and port"),
    (["--fetch", ""], "a host without scheme and port"),
    (["--fetch", "*.example.com"], "a host without scheme and port"),
  ]
  @Test("What a setting or a host cannot be is refused with what it can be", arguments: wrongValues)
  func wrongValue(arguments: [String], message: String) async throws {
    let refused = try await Showcaller.start(["receive"] + arguments).finish()
    #expect(refused.exitCode == 2 && refused.errors.contains(message), "\(refused.errors)")
  }

  @Test("A sender that loads again and again has one fetch at a time: the one before is given up")
  func oneFetch() async throws {
    let accepted = Mutex<[Int32]>([])
    let server = try PlainServer { connection in accepted.withLock { $0.append(connection.descriptor) } }
    defer { for descriptor in accepted.withLock({ $0 }) { close(descriptor) } }
    let receiver = try Showcaller.start(["receive", "--port", "0", "--latency", "none", "--fetch", "127.0.0.1"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    #expect(try await Showcaller.run("launch", "CC1AD845", "--host", address).exitCode == 0)
    func sockets() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/\(receiver.processID)/fd").count
    }
    let before = try sockets()
    let film = "http://127.0.0.1:\(server.port)/film.mp4"
    for number in 1...12 {
      let load = #"{"type":"LOAD","requestId":\#(number),"media":{"contentId":"\#(film)","contentType":"video/mp4"}}"#
      let sent = try await Showcaller.run("send", "urn:x-cast:com.google.cast.media", load, "--host", address)
      #expect(sent.exitCode == 0, "\(sent.errors)")
    }
    #expect(try sockets() <= before + 4)
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
  }

  @Test("Who reads that a receiver is there may end it at once")
  func endedAtOnce() async throws {
    for _ in 0..<10 {
      let receiver = try Showcaller.start(["receive", "--port", "0"])
      _ = try await receiver.firstLine()
      receiver.signal(SIGTERM)
      #expect(try await receiver.finish().exitCode == 0)
    }
  }

  @Test("A receiver that is ended while it makes the key of its proof ends with 0")
  func endedWhileBusy() async throws {
    // Exit handlers of libraries would take away what the thread that makes the key needs, in one of thirty runs.
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<15 {
            let receiver = try Showcaller.start(["receive", "--port", "0"])
            let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
            #expect(try await Showcaller.run("status", "--host", address).exitCode == 0)
            receiver.signal(SIGTERM)
            #expect(try await receiver.finish().exitCode == 0)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// The types of the messages that a receiver sent to one connection.
  private final class Heard: Sendable {
    private let state: Mutex<ChannelStateMachine>
    private let statuses = Mutex(0)
    init() {
      var limits = ChannelStateMachine.Limits()
      limits.messagesPerSecond = 1_000_000
      state = Mutex(ChannelStateMachine(role: .sender, limits: limits, now: .zero))
    }
    func add(_ bytes: [UInt8]) -> Int {
      let effects = state.withLock { $0.receive(bytes, at: .zero) }
      let new = effects.count { effect in
        guard case .deliver(let message) = effect, case .text(let text) = message.payload else { return false }
        return text.contains("RECEIVER_STATUS")
      }
      return statuses.withLock { count in
        count += new
        return count
      }
    }
  }

  @Test("A reader of --wire who stops reading stops no answer; what was not shown is said", .timeLimit(.minutes(2)))
  func stoppedReader() async throws {
    let folder = try TemporaryFolder()
    let line = folder.path("line")
    let shell = try Running(
      URL(filePath: "/bin/sh"),
      [
        "-c",
        "exec 3<&0; { '\(Showcaller.binary.path)' receive --port 0 --latency none --wire & echo $! > pid; wait; } | "
          + "{ read first; echo \"$first\" > '\(line)'; echo ready; read stop <&3; cat > /dev/null; }",
      ], in: folder.url, limit: 100)
    _ = try await shell.firstLine()
    let port = try #require(try String(contentsOfFile: line, encoding: .utf8).split(separator: ":").last)
    let channel = try await TLSClient.connect(
      host: "127.0.0.1", port: try #require(Int(port.trimmingCharacters(in: .newlines))))
    let heard = Heard()
    let count = 12_000
    let (ends, done) = AsyncStream<Void>.makeStream()
    channel.start { event in
      switch event {
      case .received(let bytes): if heard.add(bytes) == count { done.finish() }
      case .closed: done.finish()
      }
    }
    func bytes(_ json: JSONValue, _ namespace: Namespace) throws -> [UInt8] {
      try ChannelStateMachine.encode([
        CastMessage(source: .sender, destination: .receiver, namespace: namespace, json: json)
      ])
    }
    channel.send(try bytes(["type": "CONNECT"], .connection))
    for id in 1...count { channel.send(try bytes(["type": "GET_STATUS", "requestId": .int(id)], .receiver)) }
    for await _ in ends {}
    #expect(heard.add([]) == count)
    channel.close()
    shell.closeInput()
    try await shell.waitFor("messages are not shown")
    let pid = try String(contentsOfFile: folder.path("pid"), encoding: .utf8).trimmingCharacters(in: .newlines)
    kill(try #require(Int32(pid)), SIGTERM)
    #expect(try await shell.finish().exitCode == 0)
  }

  @Test("A device's times are what a sender meets; --latency none answers at once")
  func latency() async throws {
    for (latency, isSlow) in [("device", true), ("none", false)] {
      let lab = try await OneLineLab("--latency", latency, "--wire")
      let loaded = try await lab.run("load", OneLineLab.film)
      #expect(loaded.exitCode == 0, "\(loaded.errors)")
      #expect(loaded.duration > .milliseconds(800) || !isSlow)
      try await lab.end()
    }
  }

  @Test("A receiver on loopback may be sent to an address of this computer, by load, queue and run; others may not")
  func loopbackMedia() async throws {
    let folder = try TemporaryFolder()
    let receiver = try Showcaller.start(["receive", "--port", "0"])
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let film = "http://127.0.0.1:8000/film.mp4"
    let file = try folder.write(
      "s.yaml", "scenario: S\ndevice: TV\nsteps: [{ load: \"\(film)\" }, { expect: { player: playing } }]\n")
    for command in [["load", film], ["queue", "load", film], ["run", "--runs", folder.path("runs"), file]] {
      let done = try await Showcaller.start(command + ["--host", address]).finish()
      #expect(done.exitCode == 0, "\(command) \(done.errors)")
    }
    receiver.signal(SIGTERM)
    #expect(try await receiver.finish().exitCode == 0)
    let refused = try await Showcaller.run("load", film, "--host", "192.0.2.1")
    #expect(refused.exitCode == 2 && refused.errors.contains("error[C502]"), "\(refused.errors)")
  }
}
