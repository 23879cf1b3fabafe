import ScenarioLanguage
import Testing
import Workspace

@testable import Completions

@Suite struct CompletionTests {
  /// What the argument parser tells of a small program.
  private static let program = """
    {"command": {"commandName": "showcaller", "subcommands": [
      {"commandName": "run", "abstract": "Run.", "arguments": [
        {"kind": "positional", "isRepeating": true, "completionKind": {"file": {"extensions": ["yaml"]}}},
        {"kind": "option", "isRepeating": true,
          "names": [{"name": "d", "kind": "short"}, {"name": "device", "kind": "long"}]},
        {"kind": "option", "names": [{"name": "seed", "kind": "long"}]},
        {"kind": "option", "names": [{"name": "set", "kind": "long"}], "isRepeating": true},
        {"kind": "option", "names": [{"name": "report", "kind": "long"}], "isRepeating": true},
        {"kind": "option", "names": [{"name": "format", "kind": "long"}], "allValues": ["human", "json"]},
        {"kind": "option", "names": [{"name": "runs", "kind": "long"}], "completionKind": {"directory": {}}},
        {"kind": "flag", "names": [{"name": "quiet", "kind": "long"}], "abstract": "Less."},
        {"kind": "flag", "names": [{"name": "quit", "kind": "long"}], "shouldDisplay": false}]},
      {"commandName": "report", "arguments": [{"kind": "positional"}]},
      {"commandName": "conform", "arguments": [{"kind": "positional", "isRepeating": true},
        {"kind": "option", "names": [{"name": "only", "kind": "long"}], "isRepeating": true}]},
      {"commandName": "hidden", "shouldDisplay": false},
      {"commandName": "help", "arguments": [{"kind": "positional", "isRepeating": true}]}]}}
    """

  private static func commands() throws -> CommandTree { try #require(CommandTree(describedBy: program)) }

  private static let outside = Completion.Outside(
    devices: {
      ["Kitchen", "Kit\u{1B}[31m", "Lobby"].map {
        KnownDevices.Device(name: $0, id: "", model: "", host: "192.0.2.14", port: 8009, seen: nil)
      }
    },
    topics: { [] }, settings: { $0 == "a.yaml" ? ["speed"] : [] }, rows: { _ in [] }, documents: { _ in [] },
    runs: { ["01ARZ3NDEKTSV4RRFFQ69G5001"] }, styleKeys: [])

  private static func complete(_ line: String) throws -> Completion {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return Completion.of(
      words.last ?? "", after: ["showcaller"] + words.dropLast(), commands: try commands(), outside: outside)
  }

  @Test(
    "What may follow depends on the words before",
    arguments: [
      ("", ["run", "report", "conform", "help"]), ("ru", ["run"]), ("hi", []),
      ("help ", ["run", "report", "conform"]), ("conform K", ["Kitchen"]),
      ("conform --only senders", ["senders.volume", "senders.app"]),
      ("run --q", ["--quiet"]), ("run --quiet --q", []), ("run --seed 1 --se", ["--set"]), ("run --seed ", []),
      ("run --device K", ["Kitchen"]), ("run -d ", ["Kitchen", "Lobby"]), ("run --device K --dev", ["--device"]),
      ("run a.yaml --set ", ["speed="]), ("run --set ", []), ("run --format ", ["human", "json"]),
      ("run --report ju", ["junit="]), ("report la", ["latest"]), ("report 01", ["01ARZ3NDEKTSV4RRFFQ69G5001"]),
      ("run -- --q", []),
    ])
  func candidates(line: String, texts: [String]) throws {
    #expect(try Self.complete(line).candidates.map(\.text) == texts)
  }

  @Test("Only what follows `=` is completed, and files are left to the shell")
  func parts() throws {
    let device = try Self.complete("run --device=K")
    #expect(device.prefix == "--device=" && device.candidates.map(\.text) == ["Kitchen"])
    let report = try Self.complete("run --report=junit=out")
    #expect(report.prefix == "--report=junit=" && report.extensions == [])
    #expect(try Self.complete("run a").extensions == ["yaml"])
    #expect(try Self.complete("run --runs ").wantsFolders)
    #expect(try Self.complete("report x.jsonl").extensions == [])
  }

  @Test("Each shell gets what its script reads")
  func answers() throws {
    let answer = CompletionAnswer(commands: try Self.commands(), outside: Self.outside, home: nil)
    let cases: [(arguments: [String], text: String)] = [
      (["bash", "=:", "showcaller run --device 'Ki"], "words\nKitchen\n"),
      (["bash", "=:", "showcaller run --report ju"], "part\njunit=\n"),
      (["zsh", "showcaller", "ru"], "words\n\nrun\tRun.\n"),
      (["zsh", "showcaller", "run", "--device=L"], "words\n--device=\nLobby\t192.0.2.14\n"),
      (["zsh", "showcaller", "run", "a"], "yaml\n\n"),
      (["fish", "showcaller", "run", "--qui"], "--quiet\tLess.\n"),
      (["fish"], ""), (["csh", "showcaller", "ru"], ""), ([], ""),
    ]
    for (arguments, text) in cases { #expect(answer.text(arguments) == text, "\(arguments)") }
  }

  @Test("What is no description of a program is no tree")
  func damaged() {
    for text in ["", "{", "{}", "[]"] { #expect(CommandTree(describedBy: text) == nil) }
  }
}
