import ArgumentParser
import RunReporting
import ScenarioLanguage
import Simulation
import ToolServers
import Workspace

/// `showcaller lsp`: serves editors on standard input and output.
struct EditorServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp", _superCommandName: ShowcallerCommand.name,
    abstract: "Serve an editor: problems while typing, completion, pages, definitions, formatting.",
    discussion: """
      Speaks the Language Server Protocol on standard input and output, for editors to start: docs/editors.md has \
      settings for some. Problems are those of `check`, pages those of `explain`, and the layout that of `fmt`.
      Ends with 0 after `shutdown` and `exit` or at the end of standard input, with 2 where what comes is no message.
      """)

  @Flag(help: "Has no effect; accepted because some editors give it.")
  var stdio = false

  @Flag(help: "Do not simulate scenarios for what can never pass.")
  var noSimulate = false

  @Option(
    name: .customLong("allow-path"),
    help: ArgumentHelp("Let documents include files below this folder, too.", valueName: "folder"),
    completion: .directory)
  var allowedPaths: [String] = []

  private enum Event: Sendable {
    case incoming(MessageStream.Incoming)
    case checked(EditorSession.CheckJob, CheckResult)
  }

  func run() async throws {
    if Terminal.inputIsTTY {
      Terminal.say("note: this talks to an editor, which starts it by itself: docs/editors.md tells how")
    }
    let mailbox = MessageMailbox<Event>(limit: 4)
    let writer = MessageWriter { HeaderFrames.framed($0) }
    var given = GivenInputs()
    given.allowedPaths = allowedPaths
    var session = EditorSession(
      toolVersion: ShowcallerCommand.version, exitCode: { Int($0.exit.rawValue) },
      inputs: { [given] in Self.inputs(for: $0, given, open: $1) })
    MessageStream.read(.headers(HeaderFrames())) { mailbox.send(.incoming($0)) }
    var isOver = false
    while !isOver {
      while !session.isFull, !isOver, let event = mailbox.takeWaiting() {
        isOver = try take(event, &session, mailbox, writer)
      }
      if isOver { break }
      if let effects = session.step() {
        isOver = try perform(effects, writer)
        continue
      }
      if let job = session.nextCheck() { check(job, given, mailbox) }
      guard let event = await mailbox.next() else { break }
      isOver = try take(event, &session, mailbox, writer)
    }
    // What came before the end of standard input is answered.
    while let effects = session.step() { _ = try perform(effects, writer) }
    writer.settle()
  }

  /// - Returns: Whether nothing more comes.
  private func take(
    _ event: Event, _ session: inout EditorSession, _ mailbox: MessageMailbox<Event>, _ writer: MessageWriter
  ) throws -> Bool {
    switch event {
    case .incoming(.message(let body)):
      mailbox.makeRoom()
      return try perform(session.receive(body), writer)
    case .incoming(.end): return true
    case .incoming(.broken(let problem)): throw CommandFailure(problem)
    case .checked(let job, let result): return try perform(session.finished(job, result), writer)
    }
  }

  /// - Returns: Whether the editor said goodbye.
  private func perform(_ effects: [EditorSession.Effect], _ writer: MessageWriter) throws -> Bool {
    for effect in effects {
      switch effect {
      case .send(let message): try writer.send(message)
      case .end(let code):
        writer.settle()
        if code != 0 { throw ExitCode(code) }
        return true
      }
    }
    return false
  }

  private func check(_ job: EditorSession.CheckJob, _ given: GivenInputs, _ mailbox: MessageMailbox<Event>) {
    let inputs = Self.inputs(for: job.source, given, open: job.open)
    let simulates = !noSimulate
    Task { @concurrent in
      let result = DocumentCheck.check(job.source, inputs: inputs, isNamed: true, simulates: simulates)
      mailbox.offer(.checked(job, result))
    }
  }

  /// As `check` has them; an included file that is open counts as it is being edited.
  private static func inputs(
    for source: SourceFile, _ given: GivenInputs, open: [String: [UInt8]]
  ) -> PlanCompiler.Inputs {
    var inputs = (try? given.compilerInputs(for: source, in: .process)) ?? PlanCompiler.Inputs()
    inputs.includedFile = { [read = inputs.includedFile] path, includer in
      read(path, includer).map { file in
        open[file.name].map { SourceFile(name: file.name, bytes: $0) } ?? file
      }
    }
    return inputs
  }
}
