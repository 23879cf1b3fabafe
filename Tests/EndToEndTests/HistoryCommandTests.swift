import CastProtocol
import Foundation
import Testing

/// `history` and `report --trend` compare runs.
@Suite(.serialized) struct HistoryCommandTests {
  private static let good = """
    scenario: Good
    device: TV
    steps:
      - load: https://media.example/film.mp4
      - expect: { player: playing }
        within: 10s
    """
  private static let bad = """
    scenario: Bad
    device: TV
    steps: [{ fail: always }]
    """

  private func shell(_ line: String, in folder: TemporaryFolder) async throws -> Finished {
    _ = try folder.write("good.yaml", Self.good)
    _ = try folder.write("bad.yaml", Self.bad)
    let running = try Running(
      URL(filePath: "/bin/bash"), ["-c", line], environment: ["S": Showcaller.binary.path], in: folder.url, limit: 60)
    running.closeInput()
    return try await running.finish()
  }

  @Test("Runs are told by scenario, also those whose folders were removed, and again when the history is lost")
  func history() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      for i in 1 2 3 4; do $S run --virtual -q --keep 2 good.yaml 2>/dev/null; done
      $S run --virtual -q --keep 2 bad.yaml 2>/dev/null
      ls .showcaller/runs | wc -l
      $S history > all; $S history good.yaml > good; $S history good --json > json
      rm .showcaller/runs/.history.jsonl; $S history > lost
      $S history --device tv bad > bad; $S history nobody; echo $?
      $S history good lost.yaml | grep -c good
      $S history --runs nowhere; echo $?; $S history good --device Radio; echo $?
      """, in: folder)
    #expect(
      finished.errors.contains("no run in .showcaller/runs is of `good` on a device called `Radio`"),
      "\(finished.errors)")
    #expect(finished.errors.contains("there are runs on `TV (virtual)`"), "\(finished.errors)")
    #expect(finished.output == "2\n2\n1\n2\n2\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.contains("no run in .showcaller/runs is of `nobody`"))
    #expect(finished.errors.contains("warning: no run in .showcaller/runs is of `lost.yaml`"), "\(finished.errors)")
    #expect(finished.errors.contains("there are runs of `bad` or `good`"))
    #expect(finished.errors.contains("there is no run in nowhere"))
    func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }
    let all = try text("all")
    #expect(all.contains("bad on TV (virtual)\n  ×  1 run: 1 failed"), "\(all)")
    #expect(all.contains("good on TV (virtual)\n") && all.contains("4 runs: 4 passed"))
    #expect(!all.contains("s1 load"))
    let good = try text("good")
    #expect(good.contains("s1 load") && good.contains(" of 10s") && !good.contains("bad on TV"), "\(good)")
    #expect(try text("lost").contains("1 run: 1 passed"))
    #expect(try text("bad").hasPrefix("bad on TV (virtual)"))
    let json = try JSONValue(parsing: try text("json"))
    #expect(json.array?.first?["runs"]?.array?.count == 4)
    #expect(json.array?.first?["steps"]?.array?.count == 2)
  }

  @Test("A report with --trend has the earlier runs of its scenarios, on the console and on a page, and no later ones")
  func trend() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      """
      for i in 1 2 3; do $S run --virtual -q good.yaml 2>/dev/null; done; $S run --virtual -q bad.yaml 2>/dev/null
      second=$(ls .showcaller/runs | sed -n 2p)
      $S report $second > plain; $S report $second --trend > trend; head -n $(wc -l < plain) trend | cmp - plain && echo same
      $S report $second --trend --html page; $S report $second --html plain.html
      $S report $second --trend --junit x; echo $?
      """, in: folder)
    #expect(finished.output == "same\n2\n", "\(finished.output)\(finished.errors)")
    #expect(finished.errors.contains("--trend is for the console's report and for HTML"), "\(finished.errors)")
    func text(_ name: String) throws -> String { try String(contentsOfFile: folder.path(name), encoding: .utf8) }
    let trend = try text("trend")
    #expect(
      trend.contains("good on TV (virtual)") && trend.contains("2 runs: 2 passed") && !trend.contains("bad on TV"))
    #expect(try text("page").contains("<section class=\"trend\">") && text("page").contains("good on TV (virtual)"))
    #expect(try !text("plain.html").contains("<section class=\"trend\">"))
  }

  @Test("A run ends as it would without a history that cannot be written, and says so")
  func unwritable() async throws {
    let folder = try TemporaryFolder()
    let finished = try await shell(
      "mkdir -p .showcaller/runs/.history.lock; $S run --virtual -q good.yaml; echo $?", in: folder)
    #expect(finished.output == "0\n")
    #expect(finished.errors.contains("warning: the history goes without this run: cannot write"), "\(finished.errors)")
  }
}
