import FaultSearching
import Foundation
import TestSupport
import Testing

/// What `make search` rests on, and what it has found.
@Suite struct SearchTests {
  private static let root = ScenarioSimulationTests.root.path

  @Test("Everything that is drawn is a fault of the language") func drawing() throws {
    for seed in 0..<UInt64(2_000) {
      var drawing = ScriptDrawing(seed: seed, length: 50)
      let script = drawing.script(seed: seed)
      #expect(!script.parts.isEmpty)
      #expect(throws: Never.self, "\(script)") { try script.plan() }
    }
  }

  @Test("A failure is shrunk to the parts that it takes") func shrinking() throws {
    let hello = try Subject(reading: "examples/hello.yaml", in: Self.root)
    // Said to be wrong wherever the load fails.
    let search = try Search([hello]) { trace in
      trace.exit == 5 ? Finding(checker: "load", problem: "it failed") : nil
    }
    let cause = FaultScript.Part.fault("{ at: load, answer: load_failed, code: 311 }")
    let script = FaultScript(
      seed: 3, [.delay(0...40), .fault("{ at: media_status, duplicate: true }"), cause, .pieces(1...7)])
    let finding = try #require(search.finding(hello, script))
    let small = search.shrunk(.init(subject: hello, script: script, finding: finding))
    #expect(small.script.parts == [cause])
  }

  @Test("Runs under a few hundred seeds have nothing in them that must not happen") func short() throws {
    let search = try Search(Subject.all(in: Self.root))
    for number in 0..<UInt64(60 * Effort.factor) {
      let failure = search.fails(number, twice: number.isMultiple(of: 16))
      #expect(failure == nil, "\(failure.map { "\($0.subject.name) \($0.script): \($0.finding)" } ?? "")")
    }
  }
}
