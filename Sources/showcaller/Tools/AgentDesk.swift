import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage
import Simulation
import ToolServers
import Workspace

/// Does what an agent asks for, with what the commands of the same names do.
enum AgentDesk {
  /// How far something is: so many steps done, of so many where that is known.
  typealias Progress = @Sendable (_ done: Int, _ total: Int?, _ message: String) -> Void

  private static let mostDocuments = 500

  static func answer(_ call: AgentCall, _ progress: @escaping Progress) async -> AgentAnswer {
    do {
      switch call {
      case .check(let subject): return try check(subject)
      case .explain(let word): return try explain(word)
      case .simulate(let scenario): return try await AgentRun.simulate(scenario)
      case .run(let scenario, let speed, let limit):
        return try await AgentRun.run(scenario, speed: speed, limit: limit, progress)
      case .report(let run): return try report(run)
      }
    } catch let problem as AgentProblem {
      return AgentAnswer(problem)
    } catch {
      let failure = CommandFailure(any: error)
      return AgentAnswer(AgentProblem(failure?.message ?? "\(error)", help: failure?.help))
    }
  }

  // MARK: check

  private static func check(_ subject: AgentCall.Subject) throws -> AgentAnswer {
    var style = HumanCheckFormat.Style()
    style.hasSummary = true
    var human = HumanCheckFormat(style)
    var machine = JSONCheckFormat(tool: "showcaller \(ShowcallerCommand.version)")
    var summary = CheckSummary()
    var text = ""
    var json = machine.begin()
    func add(_ source: SourceFile, isNamed: Bool) throws {
      if !isNamed, !DocumentSniffer.isDocument(source.bytes) { return summary.skipped.append(source.name) }
      let inputs = try GivenInputs().compilerInputs(for: source, in: .process)
      let result = DocumentCheck.check(source, inputs: inputs, isNamed: isNamed)
      summary.add(result)
      text += human.add(result)
      json += machine.add(result)
    }
    switch subject {
    case .text(let text, let name):
      if let name { _ = try AgentPath.folder(of: name) }
      try add(SourceFile(name: name ?? "<text>", bytes: Array(text.utf8)), isNamed: true)
    case .path(let path):
      var finder = DocumentFinder()
      try finder.add(try AgentPath.existing(path))
      guard finder.found.count <= mostDocuments else {
        throw AgentProblem("there are more than \(mostDocuments) documents in `\(path)`", help: "name a smaller folder")
      }
      summary.unreadable = finder.unreadable
      for found in finder.found { try add(try SourceFile(readingFrom: found.path), isNamed: found.isNamed) }
      if summary.documents == 0, summary.unreadable.isEmpty {
        throw AgentProblem(
          "no documents in \(path)",
          help: "documents are YAML files that begin with `scenario:`, `playlist:` or `library:`")
      }
    }
    text += human.end(summary)
    json += machine.end(summary)
    return AgentAnswer(
      text: text, structured: try JSONValue(parsing: json, limits: .init(length: 64 << 20)).object ?? [:])
  }

  // MARK: explain

  private static func explain(_ word: String?) throws -> AgentAnswer {
    let page = try ExplainCommand.page(of: word)
    return AgentAnswer(text: page.text, structured: page.json.object ?? ["pages": page.json])
  }

  // MARK: report

  private static func report(_ name: String) throws -> AgentAnswer {
    guard name == StoredRun.newest || RunID.isOne(name) else {
      throw AgentProblem(
        "`\(TerminalText.escaped(String(name.prefix(60))))` is no id of a run",
        help: "give an id that `run` told, or `latest`")
    }
    let stored = try StoredRun(name, in: ReportCommand.usualRuns, surroundings: .process)
    let (sources, reader) = try stored.readSources()
    if let failure = stored.emptiness(reader) { throw failure }
    let lines = CollectedText()
    let report = ReportKind.console.make(
      stored.reportSources(sources, hash: Digest.sha256, resumingIn: ReportCommand.usualRuns)
    ) { lines.add($0) }
    var evidence = RunEvidence()
    _ = try stored.read { event in
      report.record(event)
      evidence.record(event)
    }
    report.endOfStream()
    let notes = [stored.note.map { "note: \($0)\n" } ?? ""] + reader.warnings.map { "warning: \($0)\n" }
    return AgentAnswer(text: notes.joined() + lines.text, structured: evidence.json)
  }
}
