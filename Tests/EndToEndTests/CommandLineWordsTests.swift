import Foundation
import Testing

/// What is wrong with a word of the command line is told with the word to write instead.
@Suite struct CommandLineWordsTests {
  struct Line: Sendable, CustomTestStringConvertible {
    var arguments: [String]
    var message: String
    var cure: String
    var testDescription: String { arguments.joined(separator: " ") }

    init(_ line: String, _ message: String, _ cure: String) {
      arguments = line.split(separator: " ").map(String.init)
      self.message = message
      self.cure = cure
    }
  }

  @Test(
    "A wrong word is told with a cure that works on the command line",
    arguments: [
      Line("volume +10", "volume is a percentage", "did you mean `+10%`?"),
      Line("volume -10", "volume is a percentage", "did you mean `-10%`?"),
      Line("seek +90", "a duration needs a unit", "`+90s` for seconds"),
      Line("seek -90", "a duration needs a unit", "`-90s` for seconds"),
      Line("mute yes", "`yes` is not on, off or toggle", "did you mean `on`?"),
      Line("mute maybe", "`maybe` is not on, off or toggle", "write on, off or toggle"),
      Line("queue repeat forever", "`forever` is not off, all, one or shuffle", "did you mean `all`?"),
      Line("queue load https://a.example/a.mp4 --repeat none", "`none` is not off, all, one or shuffle", "`off`"),
      Line(
        "load https://a.example/a.mp4 --subtitles en.srt", "there is no file `en.srt`", "give the path of a file"),
      Line("load https://a.example/a.mp4 --subtitles https://a.example/en.srt", "track", "convert other kinds"),
      Line("load https://www.youtube.com/watch?v=1", "cannot be told", "plays the file itself"),
      Line("load https://a.example/film", "cannot be told", "--type video/mp4"),
      Line("plan examples/hello.yaml --row lang=de", "no variable `lang`", "leave `--row` out"),
      Line("serve playlists/cafe.yaml --speed 60x", "--speed needs --virtual", "showcaller serve --help"),
      Line("check --strickt examples", "unknown option `--strickt`", "did you mean `--strict`?"),
      Line("run exprot latest", "there is no command `run exprot`", "did you mean `showcaller run export`?"),
      Line("report mrege a b", "there is no command `report mrege`", "did you mean `showcaller report merge`?"),
      Line(
        "replay latest hello.yaml --runs nowhere", "unexpected argument 'hello.yaml'", "named by `--with hello.yaml`"),
      Line("run -j0 examples/hello.yaml", "--jobs is from 1 to", "showcaller run --help"),
      Line("run --shard 6/5 examples/hello.yaml", "`6/5` is no part of a whole", "the second of five is 2/5"),
      Line("simulate examples/hello.yaml --row nope=de", "has no", "leave `--row` out"),
    ])
  func words(line: Line) async throws {
    let finished = try await Showcaller.start(
      line.arguments
        + (["volume", "seek", "mute", "queue", "load"].contains(line.arguments[0]) ? ["--host", "127.0.0.1:1"] : []),
      in: Showcaller.root
    ).finish()
    #expect(finished.exitCode == 2, "\(finished.errors)")
    #expect(finished.errors.contains(line.message), "\(finished.errors)")
    #expect(finished.errors.contains(line.cure), "\(finished.errors)")
  }

  @Test(
    "A value that an option does not take is told with those it takes",
    arguments: [
      (
        ["run", "--report", "pdf=x", "a.yaml"],
        "write `json=PATH`, `junit=PATH`, `html=PATH`"
      ),
      (["run", "--report", "junit=", "a.yaml"], "write `json=PATH`, `junit=PATH`, `html=PATH`"),
      (["run", "--virtual", "--speed", "0", "a.yaml"], "write 0.1x to 100x, such as `20x`"),
      (["serve", "--virtual", "--speed", "2000x", "a.yaml"], "write 0.1x to 1000x, such as `60x`"),
      (["run", "--seed", "x", "a.yaml"], "write a whole number"),
      (["run", "--host", "[::1", "a.yaml"], "write an address such as `192.0.2.14`"),
      (["discover", "--timeout", "soon"], "write a time such as `30s` or `2m`"),
      (["discover", "--can", "fly"], "there are video, audio, video_in, audio_in, group and developer"),
      (["check", "--format", "xml"], "there are human, json, sarif, github and gcc"),
      (["status", "--auth", "maybe"], "there are none, report, require and pin"),
      (["run", "--wait-lock", "banana", "a.yaml"], "write a time such as `30s` or `1m`"),
      (["status", "Living Room TV"], "a device is named by `-d \"Living Room TV\"`"),
      (["status", "Living", "Room", "TV"], "a device is named by `-d \"Living Room TV\"`"),
      (["seek", "10s", "Kitchen"], "a device is named by `-d Kitchen`"),
      (["load", "--until", "x", "https://cdn.example.com/a.mp4"], "there are accepted, loaded, playing and finished"),
      (["receive", "--latency", "fast"], "there are device and none"),
    ])
  func values(arguments: [String], help: String) async throws {
    let finished = try await Showcaller.start(arguments).finish()
    #expect(finished.exitCode == 2)
    #expect(finished.errors.contains("\nhelp: \(help)"), "\(finished.errors)")
    #expect(!finished.errors.contains("Please provide"))
  }

  @Test(
    "Every failure of a one-line command says what to do",
    arguments: [
      ["play"], ["pause"], ["next"], ["skip-ad"], ["tracks", "en"], ["seek", "1m"], ["rate", "2"],
      ["style", "size=150%"],
      ["queue", "remove", "1"], ["queue", "shuffle"], ["launch", "12345678"],
      ["load", "https://cdn.example.com/a.mp4", "--timeout", "1ms"],
    ])
  func help(arguments: [String]) async throws {
    let lab = try await OneLineLab(name: "Lab")
    let finished = try await lab.run(arguments)
    #expect(finished.exitCode != 0 && finished.errors.contains("\nhelp: "), "\(finished.errors)")
    try await lab.end()
    let gone = try await Showcaller.start(["status", "--host", lab.address]).finish()
    #expect(gone.exitCode == 4 && gone.errors.contains("\nhelp: see whether it is on"), "\(gone.errors)")
    let folder = try TemporaryFolder()
    let document = try folder.write("x.yaml", "scenario: x\nsteps: [{ expect: { app: none } }]\n")
    let run = try await Showcaller.start(["run", document, "--host", lab.address], in: folder.url).finish()
    #expect(run.exitCode == 4 && run.errors.contains("help: see whether it is on"), "\(run.errors)")
  }

  @Test("A row of no variable is told with the variables that the matrix has")
  func row() async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write(
      "x.yaml",
      "scenario: x\ndevice: TV\nmatrix: { lang: [en, no] }\nsteps: [{ log: \"${matrix.lang}\" }, { expect: { app: none } }]\n"
    )
    let finished = try await Showcaller.run("simulate", "--row", "nope=de", document)
    #expect(finished.exitCode == 2 && finished.errors.contains("has no variable `nope`"), "\(finished.errors)")
    #expect(finished.errors.contains("it has `lang`"), "\(finished.errors)")
  }

  @Test(
    "What the argument parser refuses has the form of all messages: error, then help",
    arguments: [
      ["check"], ["run", "--seed"], ["status", "TV", "x"], ["load"], ["plan", "--json", "--wire", "x.yaml"],
    ])
  func form(arguments: [String]) async throws {
    let finished = try await Showcaller.start(arguments).finish()
    #expect(finished.exitCode == 2)
    let lines = finished.errors.split(separator: "\n")
    #expect(lines.count == 2 && lines[0].hasPrefix("error: ") && lines[1].hasPrefix("help: "), "\(finished.errors)")
  }

  @Test("An argument that is not UTF-8 is refused, never taken for another address")
  func encoding() async throws {
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", "\"$S\" load $'https://cdn.example.com/caf\\xe9.mp4' --host 127.0.0.1:1"],
      environment: ["S": Showcaller.binary.path], in: Showcaller.root)
    let finished = try await running.finish()
    #expect(finished.exitCode == 2 && finished.errors.contains("is not UTF-8"), "\(finished.errors)")
  }

  @Test("A document with one step has one step, not `1 steps`")
  func oneStep() async throws {
    let folder = try TemporaryFolder()
    let document = try folder.write("x.yaml", "scenario: x\ndevice: TV\nsteps: [{ expect: { app: none } }]\n")
    let finished = try await Showcaller.run("check", document)
    #expect(finished.output.hasSuffix("is valid: 1 step\n"), "\(finished.output)")
  }
}
