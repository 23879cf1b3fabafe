import ScenarioLanguage
import Testing

@testable import Workspace

/// `--shard 2/5`: the parts of all that a command line runs.
@Suite struct RunShardTests {
  @Test(
    "A part is a number and how many there are",
    arguments: [
      ("1/1", true), ("2/5", true), ("5/5", true), ("0/5", false), ("6/5", false), ("5", false), ("2/", false),
      ("/2", false), ("a/b", false), ("1/2/3", false), ("-1/2", false), ("1/0", false), ("1/99999", false), ("", false),
    ])
  func parts(_ text: String, _ isPart: Bool) {
    #expect(RunShard(text).map(\.text) == (isPart ? text : nil))
  }

  /// A document with so many rows and one without a matrix.
  private static func documents(in folder: TemporaryFolder, rows: Int) throws -> [PreparedDocument] {
    let numbers = (1...rows).map(String.init).joined(separator: ", ")
    try RunPreparationTests.write(
      [
        "d/a.yaml": RunPreparationTests.plain,
        "d/b.yaml": "matrix: { n: [\(numbers)] }\nsteps: [{ log: \"${matrix.n}\" }, { expect: { app: none } }]\n",
      ], in: folder)
    return try RunPreparationTests.prepare(["d"], in: folder)
  }

  /// `b 3 2` for the second repeat of the third row of b.
  private static func scenarios(of documents: [PreparedDocument], repeats: Int) -> [String] {
    documents.flatMap { document in
      document.runnable.rows.enumerated().flatMap { index, row in
        let numbers = document.chosenRepeats?[index] ?? Array(1...repeats)
        return numbers.map { "\(document.runnable.id) \(row.row.first?.argument ?? "") \($0)" }
      }
    }
  }

  @Test(
    "All parts together are everything, nothing is in two, and they are of about one size",
    arguments: [(1, 1, 1), (1, 1, 2), (1, 1, 5), (3, 1, 2), (7, 1, 3), (4, 3, 2), (5, 4, 7), (2, 1, 10)])
  func whole(_ rows: Int, _ repeats: Int, _ parts: Int) throws {
    let folder = try TemporaryFolder()
    let all = try Self.documents(in: folder, rows: rows)
    let wanted = Self.scenarios(of: all, repeats: repeats)
    var seen: [String] = []
    var sizes: Set<Int> = []
    for number in 1...parts {
      var own = all
      let told = try #require(RunShard("\(number)/\(parts)")).choose(from: &own, repeats: repeats)
      let scenarios = Self.scenarios(of: own, repeats: repeats)
      #expect(told.all == wanted.count && told.own == scenarios.count)
      // Each part keeps the order of all.
      #expect(scenarios == wanted.filter(scenarios.contains))
      seen += scenarios
      sizes.insert(scenarios.count)
    }
    #expect(seen.count == wanted.count && Set(seen) == Set(wanted))
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
  }

  @Test("A document of which a part has some rows says that not all are run, so that others are not taken for run")
  func chosenRows() throws {
    let folder = try TemporaryFolder()
    var own = try Self.documents(in: folder, rows: 4)
    _ = try #require(RunShard("1/2")).choose(from: &own, repeats: 1)
    #expect(own.map(\.runnable.rows.count) == [1, 2] && own.map(\.hasChosenRows) == [false, true])
  }
}
