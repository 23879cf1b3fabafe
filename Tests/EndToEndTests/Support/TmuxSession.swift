import Foundation
import Testing

/// A real terminal for a program, with a person at its keys: a pane of a tmux of its own.
final class TmuxSession {
  /// Whether there is a tmux here.
  static let isThere: Bool = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    if folders.contains(where: { FileManager.default.isExecutableFile(atPath: "\($0)/tmux") }) { return true }
    print("SKIPPED: no tmux here; the screen and keys of `watch` are not tested")
    return false
  }()

  struct NeverShown: Error, CustomStringConvertible { var description: String }

  let folder: TemporaryFolder

  /// Runs a line of the shell, in which `$S` is our program, in a terminal of this size.
  init(_ line: String, columns: Int = 100, rows: Int = 24, environment: [String: String] = [:]) async throws {
    folder = try TemporaryFolder()
    // Ctrl-C is meant for the program and not for the shell that runs it.
    let script = try folder.write("line.sh", "trap : INT\ncd \(folder.url.path)\n\(line)\nexec cat >/dev/null\n")
    let own = [
      "S": Showcaller.binary.path, "XDG_CONFIG_HOME": "/proc/nonexistent", "XDG_CACHE_HOME": "/proc/nonexistent",
      "SHOWCALLER_DEVICE": "",
    ].merging(environment) { $1 }
    _ = try await tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"]
        + own.flatMap { ["-e", "\($0)=\($1)"] } + ["/bin/sh", script])
  }

  // A test that failed leaves no terminal behind.
  deinit { end() }

  /// Ends the terminal and all that runs in it.
  func end() {
    let tmux = Process()
    tmux.executableURL = URL(filePath: "/usr/bin/env")
    tmux.arguments = ["tmux", "-S", folder.path("tmux"), "kill-server"]
    tmux.standardError = FileHandle.nullDevice
    if (try? tmux.run()) != nil { tmux.waitUntilExit() }
  }

  /// Presses keys, by tmux's names for them: `Right`, `C-c`, `q`.
  func press(_ keys: String...) async throws { _ = try await tmux(["send-keys"] + keys) }

  func resize(columns: Int, rows: Int) async throws {
    _ = try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  /// What stands on the screen now, with its colours where asked for.
  func screen(colored: Bool = false) async throws -> String {
    try await tmux(["capture-pane", "-p"] + (colored ? ["-e"] : []))
  }

  /// What tmux knows of the pane: `alternate_on`, `cursor_flag`.
  func facts(_ names: String...) async throws -> [String] {
    let format = names.map { "#{\($0)}" }.joined(separator: " ")
    let shown = try await tmux(["display-message", "-p", format])
    return shown.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  /// Looks at the screen until it is as wanted, for half a minute at most.
  @discardableResult
  func waitFor(_ what: String, _ isAsWanted: (String) -> Bool) async throws -> String {
    let end = ContinuousClock.now + .seconds(30)
    var shown = ""
    repeat {
      shown = try await screen()
      if isAsWanted(shown) { return shown }
    } while ContinuousClock.now < end
    throw NeverShown(description: "never shown: \(what)\n\(shown)")
  }

  /// The same for a text.
  @discardableResult
  func waitFor(_ text: String) async throws -> String { try await waitFor(text) { $0.contains(text) } }

  private func tmux(_ arguments: [String]) async throws -> String {
    let running = try Running(
      URL(filePath: "/usr/bin/env"), ["tmux", "-S", folder.path("tmux")] + arguments,
      environment: ["TMUX": "", "LC_ALL": "C.UTF-8"], in: folder.url, limit: 20)
    running.closeInput()
    let finished = try await running.finish()
    guard finished.exitCode == 0 else {
      throw NeverShown(description: "tmux \(arguments.joined(separator: " ")): \(finished.errors)")
    }
    return finished.output
  }
}
