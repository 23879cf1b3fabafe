import CastProtocol
import Foundation
import Testing

/// `run --jobs`: rows and documents at the same time.
@Suite struct JobsTests {
  private static func document(_ name: String, _ seconds: Int, device: String = "TV") -> String {
    """
    scenario: \(name)
    device: \(device)
    steps:
      - load: { media: { url: https://cdn.example.com/film.mp4, duration: 10m } }
      - wait: \(seconds)s
      - expect: { player: playing }
    """
  }

  /// A folder with these documents in a folder `qa`.
  private static func folder(_ documents: [(name: String, text: String)]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(atPath: folder.path("qa"), withIntermediateDirectories: true)
    for (name, text) in documents { _ = try folder.write("qa/\(name).yaml", text) }
    return folder
  }

  @Test("Documents run at the same time, and reports have them in their order")
  func documents() async throws {
    let folder = try Self.folder(
      [("a", 60), ("b", 20), ("c", 40)].map { ($0, Self.document($0.uppercased(), $1)) })
    let kinds = ["junit", "json", "tap", "html", "ctrf"]
    let reports = kinds.map { "--report \($0)=out.\($0)" }.joined(separator: " ")
    let finished = try await SeveralDocumentsTests.run("qa --jobs 3 \(reports)", in: folder)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(
      SeveralDocumentsTests.verdicts(finished.errors).last == "PASSED 3 of 3 documents · exit 0", "\(finished.errors)")
    // Each line says its device first, then its document.
    #expect(finished.errors.contains(#/\n[0-9:.]+ tv b s2 passed wait 20s/#), "\(finished.errors)")
    let junit = try String(contentsOfFile: folder.path("out.junit"), encoding: .utf8)
    let suites = junit.matches(of: #/<testsuite name="([^"]*)"/#).map { String($0.1) }
    #expect(suites == ["a [TV]", "b [TV]", "c [TV]"])
    #expect(try await JUnitRules.problems(of: folder.path("out.junit")).isEmpty)
    // All events of a document follow each other.
    let lines = try String(contentsOfFile: folder.path("out.json"), encoding: .utf8).split(separator: "\n")
    let runs = try lines.map { try JSONValue(parsing: Array($0.utf8))["run"]?.string ?? "" }
    #expect(Set(runs).count == 3 && zip(runs, runs.dropFirst()).count { $0 != $1 } == 2)
    #expect(try SeveralDocumentsTests.runs(in: folder) == 3)
    // All had begun before the first was over.
    let times = try Self.times(in: "out.json", of: folder)
    #expect(try #require(times.values.map(\.begin).max()) < #require(times.values.map(\.end).min()), "\(times)")
  }

  /// When each document began and was over, as events tell it.
  private static func times(in name: String, of folder: TemporaryFolder) throws -> [String: (
    begin: String, end: String
  )] {
    let text = try String(contentsOfFile: folder.path(name), encoding: .utf8)
    var times: [String: (begin: String, end: String)] = [:]
    for line in text.split(separator: "\n") {
      let event = try JSONValue(parsing: Array(line.utf8))
      guard let doc = event["doc"]?.string, let time = event["t"]?.string else { continue }
      if event["type"] == "scenario.started" { times[doc] = (time, "") }
      if event["type"] == "scenario.finished" { times[doc]?.end = time }
    }
    return times
  }

  @Test("Without --jobs documents of one device go one after the other: each gives the device back")
  func oneAfterTheOther() async throws {
    let lab = try await OneLineLab(name: "Lobby")
    let folder = try Self.folder(
      ["a", "b", "c"].map { ($0, Self.document($0.uppercased(), 0, device: "{ host: \"\(lab.address)\" }")) })
    let running = try Running(Showcaller.binary, ["run", "qa"], in: folder.url)
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(SeveralDocumentsTests.verdicts(finished.errors).last?.hasPrefix("PASSED 3 of 3 documents") == true)
    try await lab.end()
  }

  @Test("Documents of one device go one after the other, those of another pass them")
  func sameDevice() async throws {
    let labs = [try await OneLineLab(name: "Lobby"), try await OneLineLab(name: "Bar")]
    let folder = try Self.folder(
      [("a", labs[0]), ("b", labs[0]), ("c", labs[1])].map { name, lab in
        (name, Self.document(name.uppercased(), 1, device: "{ host: \"\(lab.address)\" }"))
      })
    let running = try Running(
      Showcaller.binary, ["run", "--jobs", "3", "qa", "--report", "json=out.jsonl"], in: folder.url)
    running.closeInput()
    let finished = try await running.finish()
    #expect(finished.exitCode == 0, "\(finished.errors)")
    let times = try Self.times(in: "out.jsonl", of: folder)
    let (a, b, c) = (try #require(times["a"]), try #require(times["b"]), try #require(times["c"]))
    #expect(b.begin >= a.end, "\(times)")
    #expect(c.begin < a.end, "\(times)")
    for lab in labs { try await lab.end() }
  }

  @Test("Rows on different devices are run at the same time in one run")
  func rows() async throws {
    let folder = try TemporaryFolder()
    _ = try folder.write(
      "rows.yaml",
      """
      scenario: Rows
      matrix: { where: [Lobby, Bar, Hall] }
      device: "${matrix.where}"
      steps: [{ load: { media: { url: https://cdn.example.com/film.mp4, duration: 10m } } }, { wait: 40s }, { expect: { player: playing } }]
      """)
    let finished = try await SeveralDocumentsTests.run("rows.yaml -j 3 --report junit=out.xml", in: folder)
    #expect(finished.exitCode == 0, "\(finished.errors)")
    #expect(finished.duration < .seconds(5.5), "\(finished.duration)")
    #expect(try SeveralDocumentsTests.runs(in: folder) == 1)
    for wrong in ["0", "1001", "many"] {
      #expect(try await SeveralDocumentsTests.run("rows.yaml --jobs \(wrong)", in: folder).exitCode == 2)
    }
  }

  @Test("After Ctrl-C those that go on clean up, and those that wait are not begun")
  func interrupted() async throws {
    let folder = try Self.folder((1...4).map { ("d\($0)", Self.document("D\($0)", 500)) })
    let running = try Running(
      Showcaller.binary, ["run", "--virtual", "--jobs", "2", "qa", "--report", "junit=out.xml"], in: folder.url)
    running.closeInput()
    for document in ["d1", "d2"] { try await running.waitFor("tv \(document) s1 passed") }
    kill(running.processID, SIGINT)
    let finished = try await running.finish()
    #expect(finished.exitCode == 130, "\(finished.errors)")
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    let suites = report.matches(of: #/<testsuite name="([^"]*)"/#).map { String($0.1) }
    #expect(suites == ["d1 [TV]", "d2 [TV]", "qa/d3.yaml", "qa/d4.yaml"], "\(report)")
    #expect(try await JUnitRules.problems(of: folder.path("out.xml")).isEmpty)
  }
}
