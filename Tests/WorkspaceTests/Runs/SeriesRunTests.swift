import Dispatch
import RunReporting
import Testing

@testable import Workspace

@Suite struct SeriesRunTests {
  /// Runs `endings`, of which `nil` means that somebody asks for an end while the one before it runs.
  private static func perform(
    _ endings: [SeriesRun.Ending?], in folder: TemporaryFolder, heardBy heard: HeardMessages = HeardMessages()
  ) async throws -> (verdict: SeriesVerdict, series: [RunSeries]) {
    let surroundings = Surroundings.living(in: folder, heardBy: heard)
    let reports = try SeriesReportFiles([ReportTarget(.junit, folder.path("all.xml"))], of: "all", in: surroundings)
    var begun = 0
    var series: [RunSeries] = []
    var isInterrupted: Bool { begun > 0 && begun < endings.count && endings[begun] == nil }
    var run = SeriesRun(
      endings.indices.map { "\($0).yaml" }, reportingTo: reports, in: surroundings, makeID: { "R\(begun)" })
    run.interruption = { isInterrupted ? .interrupted : nil }
    let verdict = await run.perform(until: { .now() + .seconds(5) }) { index, _, own in
      begun = index + 1
      series.append(own)
      return endings[index] ?? .ran(.bug, nil)
    }
    return (verdict, series)
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
}
