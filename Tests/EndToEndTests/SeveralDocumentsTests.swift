import CastProtocol
import Foundation
import Testing

/// `run` with several documents: which are chosen, what each and all of them come to, and what is run again.
@Suite struct SeveralDocumentsTests {
  static let good = """
    scenario: Good
    tags: [smoke]
    device: TV
    vars: { title: none }
    steps:
      - log: ${title}
      - expect: { app: none }
    """
  static let bad = """
    scenario: Bad
    tags: [smoke, slow]
    device: TV
    steps: [{ expect: { app: { name: Film } }, within: 1s }]
    """
  static let rows = """
    scenario: Rows
    tags: [slow]
    device: TV
    matrix: { level: [10%, 90%, 20%] }
    steps: [{ volume: "${matrix.level}" }, { expect: { volume.level: { max: 50% } }, within: 1s }]
    """

  /// A folder `qa` with three documents that can be run, and others that cannot.
  static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("qa/more"), withIntermediateDirectories: true)
    _ = try folder.write("qa/good.yaml", good)
    _ = try folder.write("qa/bad.yaml", bad)
    _ = try folder.write("qa/more/rows.yaml", rows)
    _ = try folder.write("qa/kit.yaml", "library: Kit\n")
    _ = try folder.write("qa/compose.yaml", "services: {}\n")
    _ = try folder.write("qa/week.yaml", "playlist: Week\n")
    return folder
  }

  static func run(
    _ line: String, in folder: TemporaryFolder, input: String? = nil, limit: Double = 60
  ) async throws -> Finished {
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", "exec $S run --virtual --speed 20x " + line],
      environment: ["S": Showcaller.binary.path], in: folder.url, limit: limit)
    if let input { running.send(input) }
    running.closeInput()
    return try await running.finish()
  }

  /// The lines that begin with a verdict, without their times.
  static func verdicts(_ text: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { line in
      ["PASSED", "FAILED", "ERROR", "FLAKY"].contains { line.hasPrefix($0 + " ") }
    }.map { $0.replacing(#/ in [0-9.]+s/#, with: "") }
  }

  /// How many runs left a folder.
  static func runs(in folder: TemporaryFolder) throws -> Int {
    let path = folder.path(".showcaller/runs")
    return FileManager.default.fileExists(atPath: path) ? try RunFolder.ids(in: path).count : 0
  }

  @Test("The documents of a folder are run in the order of their paths, each a run of its own, with one line for all")
  func wholeFolder() async throws {
    let folder = try Self.folder()
    let finished = try await Self.run("qa --seed 0 --report junit=out.xml --report json=out.jsonl", in: folder)
    #expect(finished.exitCode == 1, "\(finished.errors)")
    #expect(
      Self.verdicts(finished.errors) == [
        "FAILED bad [TV] 1 failed · exit 1", "PASSED good [TV] 2 passed · exit 0",
        "PASSED rows [TV] level=10% 2 passed",
        "FAILED rows [TV] level=90% 1 passed, 1 failed", "PASSED rows [TV] level=20% 2 passed",
        "FAILED all 3: 2 passed, 1 failed · exit 1", "FAILED 2 of 3 documents: qa/bad.yaml, qa/more/rows.yaml · exit 1",
      ], "\(finished.errors)")
    for note in [
      "note: qa/kit.yaml is a library: it only holds definitions for other documents",
      "note: qa/week.yaml is a playlist: it is served, not run",
    ] {
      #expect(finished.errors.contains(note), "\(finished.errors)")
    }
    #expect(!finished.errors.contains("compose"), "\(finished.errors)")
    #expect(try Self.runs(in: folder) == 3)

    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(try await JUnitRules.problems(of: folder.path("out.xml")).isEmpty, "\(report)")
    #expect(
      report.components(separatedBy: "<testsuites ").count == 2
        && report.components(separatedBy: "<testsuite ").count == 6)
    #expect(
      report.contains("<testsuites name=\"showcaller\" tests=\"9\" failures=\"2\" errors=\"0\" skipped=\"0\""),
      "\(report)")

    let latest = try await Showcaller.run("report", "latest", in: folder.url)
    #expect(latest.exitCode == 0 && Self.verdicts(latest.output) == ["FAILED bad [TV] 1 failed · exit 1"], "\(latest)")
    #expect(latest.errors.contains("the first of 3 documents that did not pass"), "\(latest.errors)")
    let remade = try await Showcaller.run("report", "out.jsonl", in: folder.url)
    #expect(remade.exitCode == 2 && remade.errors.contains("out.jsonl has the events of 3 runs"), "\(remade.errors)")

    // Each line says whose it is, and each run's lines are those of its folder.
    let lines = try String(contentsOfFile: folder.path("out.jsonl"), encoding: .utf8).split(separator: "\n")
    let events: [JSONValue] = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
    let ids: Set<String> = Set(events.compactMap { $0["run"]?.string })
    #expect(events.allSatisfy { $0["run"]?.string != nil } && ids.count == 3)
    for id in ids {
      let stored = try String(contentsOfFile: folder.path(".showcaller/runs/\(id)/events.jsonl"), encoding: .utf8)
      var own: [String] = []
      for (line, event) in zip(lines, events) where event["run"]?.string == id {
        // These two have it in every stream.
        let isOurs = ["run.started", "run.finished"].contains(event["type"]?.string ?? "")
        own.append(isOurs ? String(line) : String(line).replacing("\"run\":\"\(id)\",", with: ""))
      }
      #expect(own.joined(separator: "\n") + "\n" == stored)
    }
  }

  static let choices: [(line: String, exitCode: Int32, last: String)] = [
    ("qa --tag smoke --tag '!slow'", 0, "PASSED 1 of 1 document"),
    ("qa --only 'g*'", 0, "PASSED 1 of 1 document"),
    ("qa --only good --only bad.yaml", 1, "FAILED 1 of 2 documents: qa/bad.yaml"),
    ("qa/good.yaml qa/bad.yaml qa/good.yaml", 1, "FAILED 1 of 2 documents: qa/bad.yaml"),
    ("qa/bad.yaml qa/good.yaml", 1, "FAILED 1 of 2 documents: qa/bad.yaml"),
    ("qa --row level=10%", 0, "PASSED 1 of 1 document"),
    ("qa --tag slow --row level=20% --set title=x", 3, ""),
    ("qa --set title=x --only good", 0, "PASSED 1 of 1 document"),
    ("qa --set title=x --tag smoke", 1, "FAILED 1 of 2 documents: qa/bad.yaml"),
    ("qa --set titel=x", 3, ""), ("qa --secret key=@qa/good.yaml", 3, ""), ("qa --set title", 2, ""),
    ("qa --tag smok", 2, ""), ("qa --only ghost", 2, ""), ("qa --row level=5%", 2, ""), ("qa --row level", 2, ""),
    ("qa --tag ''", 2, ""), ("qa/kit.yaml qa/good.yaml", 2, ""), ("qa nowhere.yaml", 2, ""), ("", 2, ""),
    ("qa --last-failed", 2, ""),
  ]

  @Test(
    "What is chosen is run and nothing else; what cannot be meant is refused before anything runs", arguments: choices)
  func choice(_ example: (line: String, exitCode: Int32, last: String)) async throws {
    let folder = try Self.folder()
    let finished = try await Self.run("-q " + example.line, in: folder)
    #expect(finished.exitCode == example.exitCode, "\(finished.errors)")
    if example.last.isEmpty {
      #expect(try Self.runs(in: folder) == 0)
      #expect(finished.errors.contains("error: "), "\(finished.errors)")
    } else {
      #expect(Self.verdicts(finished.errors).last == "\(example.last) · exit \(example.exitCode)", "\(finished.errors)")
      #expect(!finished.errors.contains("note:"), "\(finished.errors)")
      // Where its reports are stands below each verdict.
      let paths = finished.errors.split(separator: "\n").filter { $0.hasPrefix("events ") }.map { $0.dropFirst(7) }
      #expect(try paths.count == Self.runs(in: folder) && !paths.isEmpty, "\(finished.errors)")
      #expect(paths.allSatisfy { FileManager.default.fileExists(atPath: folder.path(String($0))) })
    }
  }

  @Test("One invalid document keeps all from being run, and the mistakes of all are told")
  func invalid() async throws {
    let folder = try Self.folder()
    _ = try folder.write("qa/lib.yaml", "library: L\nblocks: { a: { stps: [] } }\n")
    _ = try folder.write("qa/one.yaml", Self.good.replacing("expect", with: "expct") + "\ninclude: [lib.yaml]\n")
    _ = try folder.write("qa/two.yaml", Self.good.replacing("steps:", with: "stps:") + "\ninclude: [lib.yaml]\n")
    let finished = try await Self.run("qa --report junit=out.xml", in: folder)
    #expect(finished.exitCode == 3, "\(finished.errors)")
    for place in ["qa/one.yaml:", "qa/two.yaml:"] { #expect(finished.errors.contains(place), "\(finished.errors)") }
    // What is wrong with a library is told once.
    #expect(finished.errors.components(separatedBy: "qa/lib.yaml:2:").count == 2, "\(finished.errors)")
    #expect(try Self.runs(in: folder) == 0)
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(report.contains("[K101]") && report.contains("<error "), "\(report)")
    // Nobody asked for the wrong ones.
    let others = try await Self.run("qa --only good", in: folder)
    #expect(others.exitCode == 0, "\(others.errors)")
  }

  @Test("Ctrl-C ends the document that runs, with its cleanup, and those that follow are not begun")
  func interrupted() async throws {
    let folder = try Self.folder()
    _ = try folder.write(
      "b.yaml", "scenario: Long\ndevice: TV\nsteps: [{ log: begun }, { wait: 5m }]\nfinally: [{ log: cleaned }]\n")
    _ = try folder.write("c.yaml", Self.good)
    let running = try Showcaller.start(
      ["run", "--virtual", "qa/good.yaml", "b.yaml", "c.yaml", "--report", "junit=out.xml"], in: folder.url)
    running.closeInput()
    try await running.waitFor("begun")
    running.signal(SIGINT)
    let finished = try await running.finish()
    #expect(finished.exitCode == 130, "\(finished.errors)")
    #expect(finished.errors.contains("log    cleaned"), "\(finished.errors)")
    let verdicts = Self.verdicts(finished.errors)
    #expect(verdicts.count == 3 && verdicts[0].hasPrefix("PASSED good ["), "\(verdicts)")
    #expect(verdicts.last == "ERROR 1 of 3 documents: b.yaml; not run: c.yaml · exit 130", "\(verdicts)")
    #expect(try Self.runs(in: folder) == 2)
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(
      report.contains("<skipped message=\"not run: interrupted\"/>") && report.contains("file=\"c.yaml\""), "\(report)")
    #expect(try await JUnitRules.problems(of: folder.path("out.xml")).isEmpty, "\(report)")
    _ = try folder.write("b.yaml", Self.good)
    let again = try await Self.run("-q --last-failed", in: folder)
    #expect(
      again.exitCode == 0 && Self.verdicts(again.errors).last == "PASSED 2 of 2 documents · exit 0", "\(again.errors)")
  }

  @Test("Each document gets the inputs and secrets that it has, and its command to run it again only those")
  func inputs() async throws {
    let folder = try Self.folder()
    let secret = "secrets: { key: { env: SHOWCALLER_NOT_SET } }\n"
    for name in ["a", "b"] {
      _ = try folder.write(
        "\(name).yaml",
        "scenario: Wants\ndevice: TV\nvars: { title: none }\n\(secret)"
          + "steps: [{ fail: \"${title} ${secret.key}\" }]\n")
    }
    let finished = try await Self.run(
      "qa/bad.yaml a.yaml b.yaml --set title=given --secret key=@- --vars v.yaml", in: folder, input: "canary\n")
    #expect(finished.exitCode == 2, "\(finished.errors)")
    _ = try folder.write("v.yaml", "title: other\nunknown: 1\n")
    let read = try await Self.run(
      "qa/bad.yaml a.yaml b.yaml --set title=given --secret key=@- --vars v.yaml --seed 7", in: folder,
      input: "canary\n")
    #expect(read.exitCode == 1, "\(read.errors)")
    #expect(!read.errors.contains("canary") && read.errors.contains("given ‹secret.key›"), "\(read.errors)")
    #expect(
      read.errors.contains("rerun     showcaller run qa/bad.yaml --virtual --speed 20x --vars v.yaml --seed 7\n"),
      "\(read.errors)")
    #expect(
      read.errors.contains(
        "rerun     showcaller run b.yaml --virtual --speed 20x --set title=given --vars v.yaml --secret"),
      "\(read.errors)")
    // A variable of a file is told of where no document has it, once.
    #expect(read.errors.components(separatedBy: "has no variable `unknown`").count == 2, "\(read.errors)")
    #expect(!read.errors.contains("has no variable `title`"), "\(read.errors)")
  }

  @Test("One document that is named by itself is told of as ever")
  func one() async throws {
    let folder = try Self.folder()
    let finished = try await Self.run("qa/good.yaml --report json=out.jsonl", in: folder)
    #expect(
      finished.exitCode == 0 && Self.verdicts(finished.errors) == ["PASSED good [TV] 2 passed · exit 0"],
      "\(finished.errors)")
    let id = try #require(try RunFolder.ids(in: folder.path(".showcaller/runs")).first)
    let run = folder.path(".showcaller/runs/\(id)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: run).sorted() == [
        "events.jsonl", "inputs.json", "options.json", "plan.json", "runnable.json", "sources", "sources.json",
      ])
    #expect(
      try Data(contentsOf: URL(filePath: folder.path("out.jsonl")))
        == Data(contentsOf: URL(filePath: run + "/events.jsonl")))
  }
}
