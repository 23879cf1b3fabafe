import FaultSearching
import Foundation
import Testing

/// What `make search` has found, shrunk: each script once made a run do what it must not, or a checker call it that.
@Suite struct FoundScriptTests {
  struct Found: CustomTestStringConvertible, Sendable {
    var document: String
    var script: FaultScript
    /// What was wrong.
    var was: String

    init(_ document: String, seed: UInt64, _ parts: [FaultScript.Part], was: String) {
      self.document = document
      script = FaultScript(seed: seed, parts)
      self.was = was
    }

    var testDescription: String { "\(document) \(script.seed): \(was)" }
  }

  static let found = [
    Found(
      "playlists/cafe.yaml", seed: 7_744_575_749_369,
      [
        .delay(0...300), .fault("{ at: load, delay: 40s }"),
        .fault("{ at: media_status, reorder: true, times: 2 }"),
      ],
      was: "the answer to a load of 40 s ago, of the same file, counted as the one that was loaded just then"),
    Found(
      "examples/screens.yaml", seed: 11_553_506_131_084, [.stalls(oneIn: 3, 4000)],
      was: "a status that was held up since before the SEEK said a place near it, and counted as its effect"),
    Found(
      "playlists/bar.yaml", seed: 2_435_455_436_256_780, [.stalls(oneIn: 3, 4000)],
      was: "bytes on their way when all was over counted as a leak"),
    Found(
      "examples/ads.yaml", seed: 9_915_782_847_616_890, [.cut(at: 41721)],
      was: "a silent device that is asked once counted as a hang"),
    Found(
      "examples/screens.yaml", seed: 18_439_876_874_515_620,
      [.fault("{ at: idle, takeover: Netflix }"), .fault("{ slow_reads: 20000 }")],
      was: "an app that somebody else had ended counted as a STOP that nobody got"),
    Found(
      "playlists/cafe.yaml", seed: 18_787_799_079_695_160, [.fault("{ at: playing, restart: port, for: 4s }")],
      was: "a status that was lost with its connection counted as a play that the ledger does not know"),
    Found(
      "playlists/cafe.yaml", seed: 9_981_637_508_998, [.fault("{ at: load, accept_but_ignore: true, chance: 60% }")],
      was: "an item that stays on while the next one is loaded in vain counted as a play without an entry"),
    Found(
      "playlists/bar.yaml", seed: 14_665_348_018_956, [.powerCut(8964..<48964), .interruption(at: 37964)],
      was: "screens that nobody has seen since serving began again counted as a hole in the ledger"),
    Found(
      "examples/hello.yaml", seed: 70_280_285_446_267_080, [.fault("{ slow_reads: 20000 }")],
      was: "the milliseconds of events counted as a pass before the status"),
    Found(
      "playlists/cafe.yaml", seed: 3_514_717_104_763,
      [
        .fault("{ at: playing, takeover: Netflix, times: 1 }"),
        .fault("{ at: load, after: 7000ms, takeover: default }"),
        .fault("{ at: buffering, after: 7000ms, silence: true }"),
      ],
      was:
        "a play that another app ended at once, with the session number of a later one, counted as one without an entry"
    ),
    Found(
      "playlists/bar.yaml", seed: 18_371_225_322,
      [
        .fault("{ at: refresh, frame: broken_text, every: 3 }"),
        .fault("{ at: playing, drop: connection, for: 500ms }"),
      ],
      was:
        "what an app told by itself counted for nothing where its answer after a reconnect was lost: it was loaded again"
    ),
    Found(
      "playlists/cafe.yaml", seed: 3_094_305_999_262,
      [
        .fault("{ at: load, answer: invalid_player_state, times: 2 }"), .delay(0...5),
        .fault("{ at: launch, status: without_namespaces }"), .fault("{ at: buffering, frame: malformed }"),
      ],
      was:
        "what passed between a device that was back and the next item counted as its absence, whatever played meanwhile"
    ),
    Found(
      "playlists/bar.yaml", seed: 17_049_983_351_356,
      [.fault("{ at: buffering, frame: oversized }"), .delay(0...5), .pieces(1...2)],
      was: "the same: what a device tells as it is back was of its absence"),
    Found(
      "playlists/lobby.yaml", seed: 1_074_203_652_212,
      [.fault("{ at: load, frame: malformed }"), .fault("{ after: 76776ms, restart: port }"), .delay(0...1500)],
      was: "the same, where words take more than a second"),
    Found(
      "playlists/cafe.yaml", seed: 11_761_775_447_664,
      [
        .fault("{ at: launch, answer: launch_error, reason: CANCELLED, times: 1 }"), .interruption(at: 409),
        .fault("{ at: idle, takeover: YouTube, chance: 60% }"),
      ], was: "what stayed on while nobody served, told as serving began again, counted as a play without an entry"),
  ]

  @Test("A script that the search found is found no more", arguments: found)
  func isMended(script: Found) throws {
    let subject = try Subject(reading: script.document, in: ScenarioSimulationTests.root.path)
    #expect(try Search([subject]).finding(subject, script.script, twice: true) == nil)
  }
}
