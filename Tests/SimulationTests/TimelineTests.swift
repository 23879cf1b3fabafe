import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Testing

@testable import Simulation

/// What `simulate` prints of runs on the virtual clock.
@Suite struct TimelineTests {
  private final class Events: EventSink {
    private let events = Mutex<[Event]>([])
    func record(_ event: Event) { events.withLock { $0.append(event) } }
    var all: [Event] { events.withLock { $0 } }
  }

  /// The lines of a whole document, each with its spaces made one.
  private static func lines(_ text: String, head: String = "device: TV\n", squeezed: Bool = true) throws -> [String] {
    let source = SourceFile(name: "t.yaml", bytes: Array("scenario: T\n\(head)steps:\n\(text)\n".utf8))
    let outcome = PlanCompiler.compile(source)
    let document = try #require(RunnableDocument(outcome.plans), "\(outcome.diagnostics.map(\.message))")
    let events = Events()
    let configuration = RunConfiguration(runID: "T", toolVersion: "", wallClock: { 0 })
    _ = try ScenarioSimulation().run(document, configuration: configuration, reportingTo: events)
    let lines = Timeline.text(of: document, events: events.all).split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { squeezed ? $0.split(separator: " ").joined(separator: " ") : String($0) }
  }

  @Test("What is held by another step stands below it, to the right, and is told for three passes")
  func nesting() throws {
    let lines = try Self.lines(
      """
        - group:
            steps:
              - repeat: { times: 4, steps: [{ wait: 1s }] }
      """, squeezed: false)
    func column(_ word: String) -> Int? {
      lines.first { $0.contains(word) }?.firstRange(of: word).map { line in
        let text = lines.first { $0.contains(word) } ?? ""
        return text.distance(from: text.startIndex, to: line.lowerBound)
      }
    }
    let (group, loop, wait) = (
      try #require(column("group")), try #require(column("repeat")), try #require(column("wait 1s"))
    )
    #expect(loop == group + 2 && wait == loop + 2, "\(lines)")
    #expect(lines.filter { $0.contains("wait 1s") }.count == 3, "\(lines)")
    #expect(lines.contains { $0.contains("pass 3") } && !lines.contains { $0.contains("pass 4") })
    // A step that holds others and passes has no line at its end.
    #expect(!lines.contains { $0.contains("ends") }, "\(lines)")
  }

  @Test("What does not run says so: skipped with the reason, not run without one")
  func notRun() throws {
    let lines = try Self.lines(
      """
        - log: never
          skip: true
        - expect: { player: paused }
          within: 1s
        - log: later
      """, head: "device: TV\nfinally: [{ log: end }]\n")
    #expect(lines.contains { $0.hasPrefix("0.0 s1 log never skipped:") }, "\(lines)")
    #expect(lines.contains { $0.hasSuffix("s3 log later not run") }, "\(lines)")
    let finally = try #require(lines.firstIndex { $0.hasSuffix(" finally:") })
    #expect(lines[finally...].contains { $0.hasSuffix(" log: end") }, "\(lines)")
  }

  @Test("Warnings count, those of the document and those of the run")
  func warnings() throws {
    let plan = try ScenarioSimulationTests.compile("scenario: W\ndevice: TV\nsteps: [{ log: hi }]\n")
    var events = try ScenarioSimulationTests.run(plan, seed: 0).events
    func verdict(_ warnings: Int) -> String? {
      Timeline(of: plan, events: events, warnings: warnings).text.split(separator: "\n").last.map(String.init)
    }
    #expect(verdict(0)?.hasSuffix("can all pass. No warnings.") == true)
    #expect(verdict(1)?.hasSuffix("can all pass. 1 warning.") == true)
    var problem = EventKind.Problem()
    for severity in [Diagnostic.Severity.warning, .note] {
      problem.severity = severity
      events.insert(Event(number: 1, wallTime: 0, elapsed: 0, kind: .diagnostic(problem)), at: 1)
    }
    #expect(verdict(1)?.hasSuffix("can all pass. 2 warnings.") == true)
  }

  @Test("Rows come one after the other, each under its values, with a verdict of its own")
  func rows() throws {
    let lines = try Self.lines(
      "  - expect: { volume: { muted: \"${matrix.muted}\" } }\n    within: 1s\n",
      head: "device: TV\nmatrix: { muted: [false, true] }\n")
    let titles = lines.filter { $0.hasSuffix(":") }
    #expect(titles == ["muted=false:", "muted=true:"], "\(lines)")
    #expect(lines.filter { $0.hasSuffix("can all pass. No warnings.") }.count == 1, "\(lines)")
    #expect(lines.last == "This scenario cannot pass against a virtual receiver, first at s1.", "\(lines)")
    #expect(lines.filter(\.isEmpty).count == 1)
  }

  @Test("Each of several devices has a timeline of its own, under its id")
  func devices() throws {
    let lines = try Self.lines("  - wait: 1s\n", head: "devices: [Left, Right]\n")
    #expect(Set(lines.filter { $0.hasSuffix(":") }) == ["left:", "right:"], "\(lines)")
    #expect(lines.filter { $0 == "0.0 s1 wait 1s waits 1.0s" }.count == 2, "\(lines)")
  }

  @Test("Nothing in a timeline can change a terminal")
  func escaped() throws {
    let text = try Self.lines("  - log: \"a\\e[2Jb\"\n").joined(separator: "\n")
    #expect(text.contains(#"a\u{1B}[2Jb"#) && !text.contains("\u{1B}"), "\(text)")
  }
}
