import ArgumentParser
import Glibc
import ToolServers
import Workspace

/// `showcaller mcp`: serves agents on standard input and output.
struct AgentServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp", _superCommandName: ShowcallerCommand.name,
    abstract: "Serve an agent: check, explain, simulate, run on a virtual receiver, read reports.",
    discussion: """
      Speaks the Model Context Protocol on standard input and output, for clients to start: docs/editors.md has a \
      configuration. Tools see the working folder only, touch no device, and start no program of a document.
      Ends with 0 at the end of standard input, with 2 where what comes is no message.
      """)

  @Option(
    help: ArgumentHelp("Work in this folder; the current one unless it is given.", valueName: "folder"),
    completion: .directory)
  var folder: String?

  /// How long answers that are on their way are waited for at the end of standard input.
  private static let patience = Duration.seconds(10)

  private enum Event: Sendable {
    case incoming(MessageStream.Incoming)
    case progress(RPCID, done: Int, total: Int?, String)
    case finished(RPCID, AgentAnswer)
    case interrupted
  }

  func run() async throws {
    if let folder, chdir(folder) != 0 {
      throw CommandFailure(
        .commandLineWrong, "cannot work in \(folder): \(String(cString: strerror(errno)))",
        help: "name a folder that is there")
    }
    if Terminal.inputIsTTY {
      Terminal.say("note: this talks to an agent, whose client starts it by itself: docs/editors.md tells how")
    }
    let mailbox = MessageMailbox<Event>(limit: 4)
    let writer = MessageWriter { $0 + "\n" }
    var session = AgentSession(toolVersion: ShowcallerCommand.version)
    await SignalWatch.begin { _ in mailbox.offer(.interrupted) }
    MessageStream.read(.lines(LineFrames())) { mailbox.send(.incoming($0)) }
    var tasks: [RPCID: Task<Void, Never>] = [:]
    var hasEnded = false
    var lastWait: Task<Void, Never>?
    var problem: FrameProblem?
    // At the end of standard input the answers that are on their way are still given.
    while !hasEnded || !tasks.isEmpty, let event = await mailbox.next() {
      var effects: [AgentSession.Effect] = []
      switch event {
      case .incoming(.message(let line)):
        mailbox.makeRoom()
        effects = session.receive(line)
      case .incoming(.end), .incoming(.broken):
        hasEnded = true
        if case .incoming(.broken(let found)) = event { problem = found }
        lastWait = Task {
          try? await Task.sleep(for: Self.patience)
          mailbox.offer(.interrupted)
        }
      case .progress(let id, let done, let total, let message):
        effects = session.progressed(id, done: done, of: total, message)
      case .finished(let id, let answer):
        tasks[id] = nil
        effects = session.finished(id, answer)
      case .interrupted:
        hasEnded = true
        for task in tasks.values { task.cancel() }
      }
      for effect in effects {
        switch effect {
        case .send(let message): try writer.send(message)
        case .cancel(let id): tasks[id]?.cancel()
        case .call(let id, let call):
          tasks[id] = Task { @concurrent in
            let answer = await AgentDesk.answer(call) { done, total, message in
              mailbox.offer(.progress(id, done: done, total: total, message))
            }
            mailbox.offer(.finished(id, answer))
          }
        }
      }
    }
    lastWait?.cancel()
    writer.settle()
    if let problem { throw CommandFailure(problem) }
  }
}
