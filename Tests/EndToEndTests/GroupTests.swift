import CastProtocol
import Foundation
import Testing

/// Groups and their members, apps without media and people who are asked, by the one-line commands.
@Suite(.serialized) struct GroupTests {
  /// A settings folder whose hosts file names the members.
  private static func settings(_ lab: GroupLab) throws -> (TemporaryFolder, [String: String]) {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("showcaller"), withIntermediateDirectories: true)
    _ = try folder.write("showcaller/hosts", "\(lab.kitchen) Kitchen\n\(lab.bath) Bath\n")
    return (
      folder,
      [
        "XDG_CONFIG_HOME": folder.path(""), "XDG_CACHE_HOME": "/proc/nonexistent",
        "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/proc/nonexistent/bus",
      ]
    )
  }

  @Test("status tells who takes part and how loud; --member sets one, and the group hears of it")
  func members() async throws {
    let lab = try await GroupLab("--volume-step", "0.01")
    let (folder, environment) = try Self.settings(lab)
    defer { _ = folder }
    func run(_ arguments: String...) async throws -> Finished {
      try await Showcaller.start(arguments + ["--host", lab.group], environment: environment).finish()
    }
    let told = try await run("status")
    #expect(
      told.output == "\(lab.group): no app is running, volume 100%\n  Kitchen, volume 100%\n  Bath, volume 100%\n",
      "\(told.output)\(told.errors)")
    let set = try await run("volume", "30%", "--member", "kitchen")
    #expect(set.exitCode == 0 && set.output == "Kitchen: no app is running, volume 30%\n", "\(set.output)\(set.errors)")
    let muted = try await run("mute", "--member", "Bath")
    #expect(muted.output == "Bath: no app is running, volume 100%, muted\n", "\(muted.output)\(muted.errors)")
    let after = try await run("status", "--json")
    let members = try JSONValue(parsing: Array(after.output.utf8))["status"]?["members"]?.array ?? []
    #expect(members.map { $0["name"]?.string } == ["Kitchen", "Bath"], "\(after.output)")
    #expect(members.map { $0["volume"]?["level"]?.number?.rounded() } == [30, 100])
    #expect(members.map { $0["volume"]?["muted"] } == [false, true] && members.allSatisfy { $0["id"]?.string != nil })
    // The group's own volume moves them, too.
    #expect(try await run("volume", "-5%").exitCode == 0)
    let kitchen = try await Showcaller.run("status", "--host", lab.kitchen)
    #expect(kitchen.output == "\(lab.kitchen): no app is running, volume 25%\n", "\(kitchen.output)")
    let nobody = try await run("volume", "30%", "--member", "Garage")
    #expect(nobody.exitCode == 4 && nobody.errors.contains("its members are `Kitchen`, `Bath`"), "\(nobody.errors)")
    let single = try await Showcaller.run("volume", "30%", "--member", "Kitchen", "--host", lab.kitchen)
    #expect(single.exitCode == 4 && single.errors.contains("is no group"), "\(single.errors)")
    let lost = try await Showcaller.run(
      "volume", "30%", "--member", "Kitchen", "--host", lab.group,
      environment: environment.merging(["XDG_CONFIG_HOME": "/proc/nonexistent"]) { $1 })
    #expect(lost.exitCode == 4 && lost.errors.contains("the member Kitchen was not found"), "\(lost.errors)")
    try await lab.end()
  }

  @Test("A volume that nobody can change is refused; steps are the device's own")
  func volumes() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0", "--volume", "fixed"], limit: 120)
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    for arguments in [["volume", "40%"], ["volume", "-5%"], ["mute"]] {
      let refused = try await Showcaller.start(arguments + ["--host", address]).finish()
      #expect(refused.exitCode == 5 && refused.errors.contains("the device's volume is fixed"), "\(refused.errors)")
    }
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
    let coarse = try Showcaller.start(
      ["receive", "--port", "0", "--volume", "master", "--volume-step", "0.25"], limit: 120)
    let other = try #require(try await coarse.firstLine().split(separator: " ").last.map(String.init))
    for (change, told) in [
      ("-5%", "volume 75%"), ("-5%", "volume 50%"), ("+40%", "volume 100%"), ("30%", "volume 25%"),
    ] {
      let set = try await Showcaller.run("volume", change, "--host", other)
      #expect(set.output.contains(told), "\(change) \(set.output)\(set.errors)")
    }
    coarse.signal(SIGTERM)
    _ = try await coarse.finish()
  }

  @Test("An app without media is launched, joined, sent text and bytes; what is about media fails at once, 5")
  func plainApp() async throws {
    let chat = "urn:x-cast:com.example.chat"
    let receiver = try Showcaller.start(
      ["receive", "--port", "0", "--app-without-media", "A1B2C3D4,\(chat)"], limit: 120)
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    func run(_ arguments: String...) async throws -> Finished {
      try await Showcaller.start(arguments + ["--host", address]).finish()
    }
    let launched = try await run("launch", "A1B2C3D4", "--credentials", "s3cret", "--app-type", "android-tv")
    #expect(launched.exitCode == 0 && launched.output.contains("Virtual App A1B2C3D4"), "\(launched.errors)")
    for words in [[#"{"a":1}"#], ["--text", "no JSON: ${x}"], ["--hex", "00 ff:17"]] {
      let sent = try await Showcaller.start(["send", chat] + words + ["--host", address, "--auth", "none"]).finish()
      #expect(sent.exitCode == 0 && sent.errors.isEmpty, "\(words) \(sent.errors)")
    }
    for arguments in [["play"], ["pause"], ["seek", "1m"], ["rate", "2"], ["tracks", "en"]] {
      let refused = try await Showcaller.start(arguments + ["--host", address]).finish()
      #expect(refused.exitCode == 5 && refused.errors.contains("(A1B2C3D4) plays no media"), "\(refused.errors)")
      #expect(refused.errors.contains(chat), "\(refused.errors)")
    }
    let answer = try await run("send", chat, "--hex", "00ff17", "--reply")
    #expect(answer.output == "{\"bytes\":3,\"hex\":\"00ff17\"}\n", "\(answer.output)\(answer.errors)")
    let told = try await run("send", chat, "--text", "hello", "--reply", "--json")
    #expect(try JSONValue(parsing: Array(told.output.utf8))["reply"] == ["text": "hello"], "\(told.output)")
    #expect(try await run("stop-app").exitCode == 0)
    let waiting = try Showcaller.start(["send", chat, "{}", "--wait", "--timeout", "30s", "--host", address])
    #expect(try await run("launch", "A1B2C3D4").exitCode == 0)
    #expect(try await waiting.finish().exitCode == 0)
    let late = try await run("send", "urn:x-cast:com.example.none", "{}", "--wait", "--timeout", "100ms")
    #expect(late.exitCode == 6 && late.errors.contains("no app came that offers"), "\(late.errors)")
    let wrong = try await run("send", chat, "--hex", "0g")
    #expect(wrong.exitCode == 2 && wrong.errors.contains("--hex"), "\(wrong.errors)")
    let both = try await run("send", chat, "{}", "--text", "x")
    #expect(both.exitCode == 2 && both.errors.contains("one of them"), "\(both.errors)")
    let other = try await run("send", "urn:x-cast:com.example.other", "{}")
    #expect(other.exitCode == 5 && other.errors.contains("it offers \(chat)"), "\(other.errors)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  @Test("Who waits for a person is told so, and has time for it; who is refused is told why")
  func consent() async throws {
    for (answer, told, code) in [
      ("allow,700ms", "Default Media Receiver", Int32(0)), ("refuse,200ms", "USER_NOT_ALLOWED", 5),
      ("impossible", "USER_NOTIFICATIONS_DISABLED", 5),
    ] {
      let receiver = try Showcaller.start(["receive", "--port", "0", "--consent", answer], limit: 120)
      let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
      // The limit of the step does not count while somebody is asked.
      let launched = try await Showcaller.run("launch", "--timeout", "500ms", "--host", address)
      #expect(launched.exitCode == code && (launched.output + launched.errors).contains(told), "\(launched.errors)")
      #expect(launched.errors.contains("waiting for a person to allow the app") == (answer != "impossible"))
      receiver.signal(SIGTERM)
      _ = try await receiver.finish()
    }
  }

  @Test("A launch that waits for a person is cancelled by another one: its class says so")
  func cancelled() async throws {
    let receiver = try Showcaller.start(["receive", "--port", "0", "--consent", "allow,1s"], limit: 120)
    let address = try #require(try await receiver.firstLine().split(separator: " ").last.map(String.init))
    let first = try Showcaller.start(["launch", "--json", "--host", address])
    try await first.waitFor("waiting for a person")
    // From another computer, so to speak: on this one the first command has the device.
    let folder = try TemporaryFolder()
    let second = try await Showcaller.run(
      "launch", "--host", address, environment: ["XDG_STATE_HOME": folder.url.path])
    #expect(second.exitCode == 0, "\(second.errors)")
    let finished = try await first.finish()
    #expect(try JSONValue(parsing: Array(finished.output.utf8))["error"]?["class"] == "launch_cancelled")
    #expect(finished.exitCode == 5, "\(finished.errors)")
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  static let wrongOptions: [([String], String)] = [
    (["--volume", "loud"], "--volume"), (["--volume-step", "0"], "--volume-step"),
    (["--volume-step", "0.6"], "--volume-step"), (["--consent", "maybe"], "--consent"),
    (["--consent", "allow,x"], "--consent"), (["--group", "Kitchen", "--name", "Kitchen"], "--group"),
    (["--group", ""], "--group"), (["--app-without-media", "A1B2C3D4,chat"], "--app-without-media"),
  ]
  @Test("What no receiver can be is refused before it starts: 2", arguments: wrongOptions)
  func wrongOption(arguments: [String], told: String) async throws {
    let finished = try await Showcaller.start(["receive"] + arguments).finish()
    #expect(finished.exitCode == 2 && finished.output.isEmpty, "\(finished.output)")
    #expect(finished.errors.contains(told), "\(finished.errors)")
  }
}
