import Foundation
import Testing

/// What `--last-failed` runs again.
extension SeveralDocumentsTests {
  @Test("What did not pass is run again, of a matrix the rows, until all has passed")
  func lastFailed() async throws {
    let folder = try Self.folder()
    _ = try await Self.run("-q qa", in: folder)
    let good = try await Self.run("--last-failed --only good", in: folder)
    #expect(
      good.exitCode == 0 && good.errors == "nothing to run again: in the last run qa/good.yaml passed\n",
      "\(good.errors)")
    let row = try await Self.run("--last-failed --row level=10%", in: folder)
    #expect(row.exitCode == 2 && row.errors.contains("no row that fits --row level=10% failed"), "\(row.errors)")
    let again = try await Self.run("--last-failed --seed 0", in: folder)
    #expect(again.exitCode == 1, "\(again.errors)")
    #expect(
      again.errors.contains("note: 2 of 3 documents did not pass in the last run: qa/bad.yaml, qa/more/rows.yaml"),
      "\(again.errors)")
    #expect(again.errors.contains("note: qa/more/rows.yaml: 1 of 3 rows\n"), "\(again.errors)")
    #expect(
      Self.verdicts(again.errors) == [
        "FAILED bad [TV] 1 failed · exit 1", "FAILED rows [TV] level=90% 1 passed, 1 failed · exit 1",
        "FAILED 2 of 2 documents: qa/bad.yaml, qa/more/rows.yaml · exit 1",
      ], "\(again.errors)")
    // What passed before that stays left out.
    let third = try await Self.run("--last-failed --seed 0", in: folder)
    #expect(Self.verdicts(third.errors) == Self.verdicts(again.errors), "\(third.errors)")
    // Of those that are named.
    _ = try folder.write("qa/bad.yaml", Self.bad.replacing("{ name: Film }", with: "none"))
    let named = try await Self.run("-q qa/bad.yaml qa/good.yaml --last-failed --report junit=out.xml", in: folder)
    #expect(
      named.exitCode == 0 && Self.verdicts(named.errors).last == "PASSED 1 of 1 document · exit 0", "\(named.errors)")
    // What was not named is not forgotten.
    let left = try await Self.run("--last-failed", in: folder)
    #expect(left.exitCode == 1, "\(left.errors)")
    #expect(
      left.errors.contains("note: 1 of 2 documents did not pass in the last run: qa/more/rows.yaml\n"), "\(left.errors)"
    )
    #expect(left.errors.contains("note: qa/more/rows.yaml: 1 of 3 rows\n"), "\(left.errors)")
    _ = try folder.write("qa/more/rows.yaml", Self.rows.replacing("max: 50%", with: "max: 95%"))
    #expect(try await Self.run("-q --last-failed", in: folder).exitCode == 0)
    let none = try await Self.run("--last-failed --report junit=out.xml", in: folder)
    #expect(none.exitCode == 0, "\(none.errors)")
    #expect(none.errors == "nothing to run again: in the last run qa/more/rows.yaml passed\n", "\(none.errors)")
    let report = try String(contentsOfFile: folder.path("out.xml"), encoding: .utf8)
    #expect(report.contains("tests=\"0\"") && !report.contains("<testsuite "), "\(report)")
    let byName = try await Self.run("--last-failed --only rows", in: folder)
    #expect(byName.exitCode == 0 && byName.errors == none.errors, "\(byName.errors)")
    let other = try await Self.run("qa/good.yaml --last-failed", in: folder)
    #expect(
      other.exitCode == 2 && other.errors.contains("none of these documents was part of the last run"),
      "\(other.errors)")
  }

  @Test("A command line that ran nothing, or could not report, is run again, not what an older one came to")
  func beganNothing() async throws {
    let folder = try Self.folder()
    _ = try folder.write("qa/bad.yaml", Self.good)
    let line = "qa --tag smoke"
    #expect(try await Self.run("-q \(line)", in: folder).exitCode == 0)
    #expect(try await Self.run("-q --last-failed", in: folder).exitCode == 0)
    // Invalid, not readable, not allowed, and not written.
    let programs = "scenario: P\ntags: [smoke]\ndevice: TV\nsteps: [{ exec: { command: [\"true\"] } }]\n"
    for (text, words, exit) in [
      (Self.good + "stps: []\n", line, 3), (programs, line, 2), (Self.good, line + " nowhere.yaml", 2),
      (Self.good, line + " --report json=/dev/full", 8), (Self.good, "qa/bad.yaml --report junit=/dev/full", 8),
    ] as [(String, String, Int32)] {
      _ = try folder.write("qa/bad.yaml", text)
      let failed = try await Self.run("-q \(words)", in: folder)
      #expect(failed.exitCode == exit, "\(failed.errors)")
      _ = try folder.write("qa/bad.yaml", Self.good)
      _ = try folder.write("nowhere.yaml", Self.good)
      let again = try await Self.run("--last-failed", in: folder)
      try FileManager.default.removeItem(atPath: folder.path("nowhere.yaml"))
      let count = words.hasPrefix("qa/bad") ? "1 of 1 document" : words.hasSuffix("nowhere.yaml") ? "3 of 3" : "2 of 2"
      #expect(again.exitCode == 0 && again.errors.contains("exit \(exit)"), "\(again.errors)")
      #expect(Self.verdicts(again.errors).last?.contains(count) == true, "\(again.errors)")
      let after = try await Self.run("--last-failed", in: folder)
      #expect(after.exitCode == 0 && after.errors.hasPrefix("nothing to run again"), "\(after.errors)")
    }
  }
}
