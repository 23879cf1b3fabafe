import CastProtocol
import Foundation
import Testing

/// `run --repeat` and `run --shard`.
@Suite struct RepeatTests {
  /// `bad good` names of suites in a JUnit file.
  private static func suites(_ path: String) throws -> [String] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return text.matches(of: #/<testsuite name="([^"]*)"/#).map { String($0.1) }
  }

  @Test("Every scenario is run so often, each has its name in JUnit, and a failed one fails the run")
  func repeats() async throws {
    let folder = try SeveralDocumentsTests.folder()
    let good = try await SeveralDocumentsTests.run("qa/good.yaml --repeat 3 --report junit=out.xml", in: folder)
    #expect(good.exitCode == 0, "\(good.errors)")
    #expect(
      SeveralDocumentsTests.verdicts(good.errors) == [
        "PASSED good [TV] 3 of 3 repeats passed", "PASSED all 3: 3 passed · exit 0",
      ], "\(good.errors)")
    #expect(try Self.suites(folder.path("out.xml")) == (1...3).map { "good [TV] repeat \($0)/3" })
    #expect(try await JUnitRules.problems(of: folder.path("out.xml")).isEmpty)

    let rows = try await SeveralDocumentsTests.run("qa/more/rows.yaml --seed 0 --repeat 2", in: folder)
    #expect(rows.exitCode == 1)
    #expect(
      SeveralDocumentsTests.verdicts(rows.errors) == [
        "FAILED rows [TV] level=90% repeat 1/2 1 passed, 1 failed",
        "FAILED rows [TV] level=90% repeat 2/2 1 passed, 1 failed",
        "PASSED rows [TV] level=10% 2 of 2 repeats passed",
        "FAILED rows [TV] level=90% 0 of 2 repeats passed, 2 failed",
        "PASSED rows [TV] level=20% 2 of 2 repeats passed", "FAILED all 6: 4 passed, 2 failed · exit 1",
      ], "\(rows.errors)")
    // One of them again is one alone.
    #expect(rows.errors.contains("--row level=90% --seed 0\n"), "\(rows.errors)")
    let again = try await SeveralDocumentsTests.run("--last-failed", in: folder)
    #expect(again.exitCode == 1 && again.errors.contains("1 of 3 rows"), "\(again.errors)")
    for wrong in ["0", "10001", "x"] {
      let refused = try await SeveralDocumentsTests.run("qa/good.yaml --repeat \(wrong)", in: folder)
      #expect(refused.exitCode == 2, "\(refused.errors)")
    }
  }

  @Test("The parts of --shard are all scenarios once, whatever the seed, and an empty one says so and exits with 0")
  func shards() async throws {
    let folder = try SeveralDocumentsTests.folder()
    var seen: [String] = []
    for part in [2, 3, 1] {
      let finished = try await SeveralDocumentsTests.run(
        "qa --shard \(part)/3 --seed \(part) --report junit=part-\(part).xml", in: folder)
      #expect(finished.exitCode == (part == 1 ? 1 : 0), "\(part): \(finished.errors)")
      #expect(
        finished.errors.contains("note: part \(part)/3: \(part == 3 ? 1 : 2) of 5 scenarios"), "\(finished.errors)")
      seen += try Self.suites(folder.path("part-\(part).xml"))
    }
    #expect(
      seen.sorted() == [
        "bad [TV]", "good [TV]", "rows [TV] level=10%", "rows [TV] level=20%", "rows [TV] level=90%",
      ], "\(seen)")

    let empty = try await SeveralDocumentsTests.run("qa/good.yaml --shard 2/2 --report junit=empty.xml", in: folder)
    #expect(empty.exitCode == 0, "\(empty.errors)")
    #expect(empty.errors.contains("nothing to run: part 2/2 of 1 scenario is empty"), "\(empty.errors)")
    #expect(try Self.suites(folder.path("empty.xml")) == [])
    // What failed here before is still to be run again.
    let again = try await SeveralDocumentsTests.run("--last-failed", in: folder)
    #expect(again.exitCode == 1 && again.errors.contains("level=90%"), "\(again.errors)")
    let repeats = try await SeveralDocumentsTests.run("qa/good.yaml --repeat 3 --shard 1/2", in: folder)
    #expect(
      repeats.exitCode == 0 && repeats.errors.contains("2 of 3 repeats passed, 1 not run here"), "\(repeats.errors)")
    let wrong = try await SeveralDocumentsTests.run("qa --shard 4/3", in: folder)
    #expect(wrong.exitCode == 2 && wrong.errors.contains("the second of five is 2/5"), "\(wrong.errors)")
  }
}
