import CastProtocol
import Dispatch
import RunReporting
import Synchronization
import Testing

@testable import Workspace

@Suite struct SeriesRunTests {
  /// Runs `endings`, of which `nil` means that somebody asks for an end while the one before it runs.
  private static func perform(
    _ endings: [SeriesRun.Ending?], in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages()
  ) async throws -> (verdict: SeriesVerdict, series: [RunSeries]) {
    let surroundings = Surroundings.living(in: folder, heardBy: heard)
    let reports = try SeriesReportFiles([ReportTarget(.junit, folder.path("all.xml"))], of: "all", in: surroundings)
    let seen = Mutex<[RunSeries]>([])
    var run = SeriesRun(
      endings.indices.map { "\($0).yaml" }, reportingTo: reports, in: surroundings,
      makeID: { "R\(seen.withLock { $0.count })" })
    run.interruption = {
      let begun = seen.withLock { $0.count }
      return begun > 0 && begun < endings.count && endings[begun] == nil ? .interrupted : nil
    }
    let verdict = await run.perform(until: { .now() + .seconds(5) }) { index, _, own in
      seen.withLock { $0.append(own) }
      return endings[index] ?? .ran(.bug, nil)
    }
    return (verdict, seen.withLock { $0 })
  }

  @Test("Each document is run and announced; the worst exit counts, and their seconds add up")
  func all() async throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    let (verdict, series) = try await Self.perform(
      [
        .ran(.passed, .init(result: .passed, seconds: 2)), .ran(.expectationFailed, .init(result: .failed, seconds: 3)),
        .notRun(.noDevice, message: "no device", help: nil),
      ], in: folder, heardBy: heard)
    #expect(verdict.exitCode == 4 && verdict.seconds == 5)
    #expect(verdict.documents.map(\.ending) == [.ran(.passed), .ran(.failed), .notRun])
    #expect(heard.lines == (1...3).map { "document \($0) of 3: \($0 - 1).yaml" })
    // All belong to the run that was begun first.
    #expect(series == Array(repeating: RunSeries(first: "R0", documents: ["0.yaml", "1.yaml", "2.yaml"]), count: 3))
    #expect(folder.text("all.xml")?.contains("no device") == true)
  }

  @Test("After an interruption those that follow are left out, and each is said not to have run")
  func interrupted() async throws {
    let folder = try TemporaryFolder()
    let (verdict, series) = try await Self.perform(
      [.ran(.interrupted, .init(result: .error, seconds: 1)), nil, nil], in: folder)
    #expect(verdict.exitCode == 130 && series.count == 1)
    #expect(verdict.documents.map(\.ending) == [.ran(.error), .notRun, .notRun])
    let text = try #require(folder.text("all.xml"))
    #expect(text.split(separator: "message=\"not run: interrupted\"").count == 3)
  }

  @Test("Whoever wants only the end hears nothing of each document, and rows belong to what is run together")
  func quiet() async throws {
    let folder = try TemporaryFolder()
    let heard = HeardMessages()
    let surroundings = Surroundings.living(in: folder, heardBy: heard)
    var ids = ["R1", "R2"]
    var run = SeriesRun(
      ["a.yaml", "b.yaml"], reportingTo: try SeriesReportFiles([], of: "all", in: surroundings), in: surroundings,
      makeID: { ids.removeFirst() })
    (run.isQuiet, run.rows) = (true, ["b.yaml": [["n": 1]]])
    let begun = Mutex<[String]>([])
    _ = await run.perform(until: { .now() + .seconds(5) }) { index, id, series in
      begun.withLock { $0.append("\(index) \(id) \(series.first)") }
      #expect(series.rows == ["b.yaml": [["n": 1]]])
      return .ran(.passed, nil)
    }
    #expect(begun.withLock { $0 } == ["0 R1 R1", "1 R2 R1"] && heard.lines == [])
  }

  @Test("At the same time only so many are run, none that need the same, and reports have them in their order")
  func atOnce() async throws {
    let folder = try TemporaryFolder()
    let surroundings = Surroundings.living(in: folder)
    let reports = try SeriesReportFiles([], of: "all", in: surroundings)
    let number = Mutex(0)
    var run = SeriesRun(
      (0..<5).map { "\($0).yaml" }, reportingTo: reports, in: surroundings,
      makeID: {
        number.withLock { number in
          number += 1
          return "R\(number)"
        }
      })
    (run.jobs, run.needs) = (3, [["tv"], ["tv"], ["hub"], [], []])
    let going = Mutex<(now: Set<Int>, together: [Set<Int>])>(([], []))
    let reported = Mutex<[String]>([])
    run.report = { index, id in
      reported.withLock { $0.append("\(index) \(id)") }
      return index == 3 ? "no room" : nil
    }
    // The first two of different devices end only when both have begun.
    let (begins, begun) = AsyncStream<Int>.makeStream()
    let verdict = await run.perform(until: { .now() + .seconds(5) }) { index, _, _ in
      going.withLock { going in
        going.now.insert(index)
        going.together.append(going.now)
      }
      begun.yield(index)
      if index == 0 { for await other in begins where other == 2 { break } }
      going.withLock { _ = $0.now.remove(index) }
      return .ran(.passed, .init(result: .passed, seconds: 1))
    }
    let together = going.withLock { $0.together }
    #expect(together.allSatisfy { $0.count <= 3 && !$0.isSuperset(of: [0, 1]) } && together.contains { $0.count > 1 })
    // The second waits for the first's television: those behind it have passed it.
    #expect(reported.withLock { $0.map { $0.prefix(2) } } == ["0 ", "1 ", "2 ", "3 ", "4 "])
    #expect(verdict.documents.map(\.file) == (0..<5).map { "\($0).yaml" })
    #expect(verdict.exitCode == RunExit.reportNotWritten.rawValue)
  }

  @Test("A run whose end nobody knows counts as not run, and adds no time")
  func unknownEnd() async throws {
    let folder = try TemporaryFolder()
    let (verdict, _) = try await Self.perform(
      [.ran(.bug, nil), .ran(.passed, .init(result: .passed, seconds: 2))], in: folder)
    #expect(verdict.exitCode == 70 && verdict.seconds == 2)
    #expect(verdict.documents.map(\.ending) == [.notRun, .ran(.passed)])
  }

  @Test("Why a document could not begin stands in the report, with its cure")
  func notBegun() async throws {
    let folder = try TemporaryFolder()
    _ = try await Self.perform([.notRun(.noDevice, message: "no <TV>", help: "switch it on")], in: folder)
    let text = try #require(folder.text("all.xml"))
    #expect(text.contains("no &lt;TV&gt;") && text.contains("switch it on"), "\(text)")
  }

  @Test("A report that is not whole is told and decides the exit, unless something worse happened")
  func unwritten() async throws {
    for (exit, code) in [(RunExit.passed, RunExit.reportNotWritten), (.documentInvalid, .documentInvalid)] {
      let folder = try TemporaryFolder()
      let heard = HeardMessages()
      let surroundings = Surroundings.living(in: folder, heardBy: heard)
      let files = try SeriesReportFiles([ReportTarget(.console, "/dev/full")], of: "all", in: surroundings)
      let run = SeriesRun(["a.yaml"], reportingTo: files, in: surroundings, makeID: { "R1" })
      let verdict = await run.perform(until: { .now() + .seconds(5) }) { _, id, _ in
        for report in files.begin(run: id, sources: [:]) {
          report.record(Event(number: 1, wallTime: 0, elapsed: 1, kind: .runFinished(.init())))
        }
        return .ran(exit, .init(result: .passed, seconds: 1))
      }
      #expect(verdict.exitCode == code.rawValue)
      #expect(heard.lines.last == "error: cannot write /dev/full: No space left on device")
    }
  }

  @Test("Two reports of several documents do not go to one file")
  func sharedFile() throws {
    let folder = try TemporaryFolder()
    let targets = [ReportTarget(.junit, folder.path("out")), ReportTarget(.json, folder.path("./out"))]
    #expect(throws: WorkspaceError.self) { try SeriesReportFiles(targets, of: "all", in: .living(in: folder)) }
    #expect(try folder.names() == [])
  }
}
