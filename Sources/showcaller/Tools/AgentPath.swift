import ScenarioLanguage
import ToolServers
import Workspace

/// The files that an agent may name: those below the working folder, links included (docs/security.md 4.6).
enum AgentPath {
  /// A file or folder, as it is called from the working folder.
  /// - Throws: Where there is none, or it lies elsewhere.
  static func existing(_ path: String) throws(AgentProblem) -> String {
    let real: String
    do throws(FileError) {
      real = try Files.realPath(of: path)
    } catch {
      throw AgentProblem(
        "cannot read `\(TerminalText.escaped(path))`: \(error.message)",
        help: "paths are relative to the working folder")
    }
    return try below(real, path)
  }

  /// The folder of a file that need not be there.
  static func folder(of path: String) throws(AgentProblem) -> String { try existing(Files.folder(of: path)) }

  private static func below(_ real: String, _ path: String) throws(AgentProblem) -> String {
    let root = (try? Files.realPath(of: ".")) ?? "/"
    if real == root { return "." }
    let prefix = root == "/" ? "/" : root + "/"
    guard real.hasPrefix(prefix) else {
      throw AgentProblem(
        "`\(TerminalText.escaped(path))` lies outside of the working folder \(TerminalText.escaped(root))",
        help: "move it there, or start `showcaller mcp --folder` with another folder")
    }
    let own = String(real.dropFirst(prefix.count))
    return own.hasPrefix("-") ? "./" + own : own
  }
}
