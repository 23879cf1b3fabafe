import CastProtocol
import Foundation
import Testing

/// `queue` in one line, against a `receive` process.
@Suite(.serialized) struct OneLineQueueTests {
  private static func url(_ name: String) -> String { "https://cdn.example.com/\(name).mp4" }

  /// What the queue holds, by the names of ``url(_:)``, the one that plays in brackets.
  private static func shown(_ json: JSONValue) -> String {
    (json["queue"]?.array ?? []).map { item in
      let name = item["content"]?.string?.split(separator: "/").last?.split(separator: ".").first.map(String.init)
      return item["current"] == true ? "[\(name ?? "?")]" : name ?? "?"
    }.joined(separator: " ")
  }

  @Test("A queue is loaded, listed, added to, cut, reordered, jumped in, repeated and shuffled")
  func session() async throws {
    let lab = try await OneLineLab()
    let none = try await lab.run("queue")
    #expect(none.exitCode == 0 && none.output.hasSuffix("no app is running, volume 100%\nno queue\n"), "\(none.output)")
    let load = try await lab.run("queue", "load", Self.url("a"), Self.url("b"), Self.url("c"))
    #expect(load.exitCode == 0 && load.errors.isEmpty, "\(load.errors)")
    #expect(load.output.contains("playing https://cdn.example.com/a.mp4"), "\(load.output)")
    let list = try await lab.run("queue")
    // How long an item lasts is known once it has played.
    let lines = ["* 1  \(Self.url("a"))  1:00", "  2  \(Self.url("b"))", "  3  \(Self.url("c"))"]
    #expect(list.output == lines.map { $0 + "\n" }.joined(), "\(list.output)\(list.errors)")
    for (arguments, order) in [
      (["add", Self.url("d")], "[a] b c d"),
      (["insert", Self.url("e"), Self.url("f"), "--before", "2"], "[a] e f b c d"),
      (["remove", "5", Self.url("c")], "[a] f b d"), (["reorder", Self.url("d"), "1"], "f b d [a]"),
      (["reorder", "1", "--before", "2"], "f [a] b d"), (["jump", "4"], "f a b [d]"), (["jump", "-1"], "f a [b] d"),
      (["jump", "+1"], "f a b [d]"), (["jump", "previous"], "f a [b] d"), (["jump", Self.url("f")], "[f] a b d"),
      (["jump", "next"], "f [a] b d"), (["list"], "f [a] b d"),
    ] {
      let finished = try await lab.run(["queue"] + arguments)
      #expect(finished.exitCode == 0 && finished.errors.isEmpty, "\(arguments) \(finished.errors)")
      let (json, _) = try await lab.json("queue")
      #expect(Self.shown(json) == order, "\(arguments)")
    }
    for (mode, told) in [("all", "all"), ("one", "one"), ("shuffle", "shuffle"), ("off", "none")] {
      let (json, finished) = try await lab.json("queue", "repeat", mode)
      #expect(json["status"]?["repeat"] == .string(told), "\(mode) \(finished.output)\(finished.errors)")
    }
    let (_, shuffled) = try await lab.json("queue", "shuffle")
    #expect(shuffled.exitCode == 0, "\(shuffled.errors)")
    let (after, _) = try await lab.json("queue")
    #expect(Self.shown(after).split(separator: " ").sorted() == ["[a]", "b", "d", "f"])
    #expect(after["ok"] == true && after["queue"]?.array?.first?["id"]?.int != nil)
    try await lab.end()
  }

  @Test("A list gives addresses, titles and lengths, from a file or standard input, besides those of the command line")
  func lists() async throws {
    let lab = try await OneLineLab()
    let folder = try TemporaryFolder()
    let list = try folder.write(
      "list.m3u",
      "\u{FEFF}#EXTM3U\r\n#EXTINF:90,Sintel\r\n\(Self.url("b"))\r\n\r\n# a comment\r\n  \(Self.url("c"))  \r\n"
        + "#EXTINF:-1 tvg-id=\"x\",Live, and more\r\n\(Self.url("d"))")
    let loaded = try await lab.run("queue", "load", Self.url("a"), "--file", list, "--start-at", "2", "--repeat", "off")
    #expect(
      loaded.exitCode == 0 && loaded.output.contains("playing Sintel, 0:00 of 1:30"), "\(loaded.output)\(loaded.errors)"
    )
    let (json, _) = try await lab.json("queue")
    #expect(Self.shown(json) == "a [b] c d")
    #expect(json["queue"]?.array?.map { $0["title"]?.string ?? "" } == ["", "Sintel", "", "Live, and more"])
    #expect(try await lab.run("queue").output.contains("Sintel  1:30\n"))
    let added = try await lab.run(
      ["queue", "add", "--file", "-", "--type", "video/mp4"], input: "https://cdn.example.com/e?x=1\n")
    #expect(added.exitCode == 0, "\(added.errors)")
    let (more, _) = try await lab.json("queue")
    #expect(more["queue"]?.array?.last?["content"] == "https://cdn.example.com/e?x=1")
    try await lab.end()
  }

  @Test("A queue of a thousand items goes in several messages, in its order, wherever it starts")
  func long() async throws {
    let lab = try await OneLineLab()
    let folder = try TemporaryFolder()
    let names = (1...1_000).map { "a-title-that-takes-some-room-in-a-message-\($0)" }
    let list = try folder.write("list", names.map { "#EXTINF:60,\($0)\n\(Self.url($0))\n" }.joined())
    let loaded = try await lab.run(
      "queue", "load", "--file", list, "--start-at", "600", "--log", "client.message=trace")
    #expect(loaded.exitCode == 0, "\(loaded.errors.suffix(2_000))")
    let sent = loaded.errors.split(separator: "\n").filter { $0.contains("sent QUEUE_") }
    #expect(sent.count { $0.contains("QUEUE_LOAD") } == 1 && sent.count { $0.contains("QUEUE_INSERT") } > 3)
    let (json, finished) = try await lab.json("queue", "list")
    let items = json["queue"]?.array ?? []
    #expect(items.map { $0["title"]?.string } == names, "\(finished.errors)")
    #expect(items.firstIndex { $0["current"] == true } == 599)
    let more = try await lab.run("queue", "add", "--file", list, "--before", "1")
    #expect(more.exitCode == 0, "\(more.errors)")
    let full = try await lab.run("queue", "add", Self.url("one"))
    #expect(full.exitCode == 5, "\(full.output)\(full.errors)")
    try await lab.end()
  }

  @Test("--until finished waits for the last item; an item between is no end")
  func finished() async throws {
    let lab = try await OneLineLab()
    let folder = try TemporaryFolder()
    let films = ["a", "b", "c"].map { "#EXTINF:0.6,\($0)\n\(Self.url($0))\n" }
    let list = try folder.write("short.m3u", films.joined())
    let (json, finished) = try await lab.json("queue", "load", "--file", list, "--until", "finished")
    #expect(json["ok"] == true && json["status"]?["idle_reason"] == "finished", "\(finished.output)\(finished.errors)")
    #expect(json["status"]?["content"] == .string(Self.url("c")) || json["status"]?["queue"]?["current"] == 3)
    #expect(finished.duration >= .milliseconds(1800))
    try await lab.end()
  }

  static let wrong: [([String], String)] = [
    (["load"], "give addresses, or --file"), (["add"], "give addresses, or --file"), (["remove"], "<items>"),
    (["load", "https://x/y"], "--type video/mp4"), (["load", "film.mp4"], "is not an address"),
    (["load", "htps://x/y.mp4"], "did you mean `https`?"), (["load", "README.md"], "is a file of this computer"),
    (["load", "https://x/y.mp4", "--start-at", "2"], "--start-at 2 is none of the 1 items"),
    (["load", "https://x/y.mp4", "--start-at", "0"], "--start-at 0 is none of"),
    (["load", "https://x/y.mp4", "--repeat", "alll"], "did you mean `all`?"),
    (["load", "--file", "nope.m3u"], "cannot read nope.m3u"), (["load", "--file", "Sources"], "it is a folder"),
    (["load", "--file", "/dev/null"], "it is no regular file"),
    (["remove", "first"], "items are named by their number"), (["remove", "1", "1"], "stands twice"),
    (["reorder", "1", "--before", "1"], "cannot go before itself"),
    (["jump", "nxt"], "did you mean `next`?"), (["jump", "+x"], "error["),
    (["repeat", "some"], "`some` is not off, all, one or shuffle"),
    (["lst"], "did you mean `showcaller queue list`?"), (["https://x/y.mp4"], "`showcaller queue add` adds it"),
  ]

  @Test("What is wrong with the words of a queue is told at its place: 2", arguments: wrong)
  func wrongWord(arguments: [String], message: String) async throws {
    let finished = try await Showcaller.start(["queue"] + arguments + ["--host", "127.0.0.1:1"]).finish()
    #expect(finished.exitCode == 2 && finished.output.isEmpty, "\(finished.exitCode) \(finished.output)")
    #expect(finished.errors.contains(message), "\(finished.errors)")
  }

  @Test("What is wrong in a list is told at its line")
  func wrongLine() async throws {
    let folder = try TemporaryFolder()
    for (name, text, message) in [
      ("a.m3u", "#EXTM3U\nhttps://x/y.mp4\n  htps://x/z.mp4\n", "a.m3u:3:3"),
      ("b.txt", "https://x/y.mp4\nz.mp4\n", "b.txt:2: `z.mp4` is not an address"),
      ("c.txt", "https://x/y\n", "c.txt:1:1"), ("d.txt", "# nothing\n\n", "d.txt has no addresses"),
      ("e.m3u8", "#EXTM3U\n#EXT-X-TARGETDURATION:8\n", "e.m3u8 is an HLS stream"),
      ("f.txt", String(repeating: "https://x/y.mp4\n", count: 2_001), "2001 addresses are too many"),
      ("g.txt", "https://x/\(String(repeating: "y", count: 70_000)).mp4\n", "C508"),
      ("h.txt", String(repeating: "https://x/\(String(repeating: "y", count: 900)).mp4\n", count: 1_000), "h.txt"),
      ("i.txt", "https://x/y.mp4 # two\nhttps://x/z.mp4#t=10\t# three\n", ""),
    ] {
      _ = try folder.write(name, text)
      let finished = try await Showcaller.start(
        ["queue", "load", "--file", name, "--host", "127.0.0.1:1"], in: folder.url
      ).finish()
      // Nobody listens at the address: these lists are right.
      let isRight = ["h.txt", "i.txt"].contains(name)
      #expect(finished.exitCode == (isRight ? 4 : 2), "\(name) \(finished.errors.prefix(2_000))")
      if !isRight { #expect(finished.errors.contains(message), "\(finished.errors.prefix(2_000))") }
    }
  }
}
