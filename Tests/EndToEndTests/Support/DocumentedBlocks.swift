import Foundation
import Testing

/// A fenced block of a page: ```` ```yaml skip.yaml ````.
struct DocumentedBlock: CustomStringConvertible {
  var kind: String
  /// The file that a reader saves it as; empty where it is none.
  var file: String
  var text: String
  /// Of the fence, counted from 1.
  var line: Int

  var description: String { "line \(line): \(kind) \(file)" }

  static func all(of page: String) -> [DocumentedBlock] {
    let text = (try? String(contentsOf: Showcaller.root.appending(path: page), encoding: .utf8)) ?? ""
    var blocks: [DocumentedBlock] = []
    var isInside = false
    for (index, line) in text.components(separatedBy: "\n").enumerated() {
      if line.hasPrefix("```") {
        isInside.toggle()
        guard isInside else { continue }
        let words = line.dropFirst(3).split(separator: " ").map(String.init)
        blocks.append(.init(kind: words.first ?? "", file: words.dropFirst().first ?? "", text: "", line: index + 1))
      } else if isInside {
        blocks[blocks.count - 1].text += line + "\n"
      }
    }
    return blocks
  }

  /// The commands of a session and what each prints.
  var session: [(command: String, output: String)] {
    var session: [(command: String, output: String)] = []
    for line in text.components(separatedBy: "\n").dropLast() {
      if line.hasPrefix("$ ") {
        session.append((String(line.dropFirst(2)), ""))
      } else if !session.isEmpty {
        session[session.count - 1].output += line + "\n"
      }
    }
    return session
  }
}

/// A reader who types what a page says, block after block, in one folder. The device that the page talks of is there.
struct Reader {
  let folder: TemporaryFolder
  private let receiver: Running
  private let address: String

  /// - Parameter receiver: The page's own command line that starts a receiver; it gets a port of its own.
  init(startingWith receiver: String = "showcaller receive --name 'Living Room TV'") async throws {
    folder = try TemporaryFolder()
    let printed = try Running(
      URL(filePath: "/bin/bash"), ["-c", #"showcaller() { printf '%s\n' "$@"; }; "# + receiver], in: folder.url)
    printed.closeInput()
    let arguments = try await printed.finish().output.split(separator: "\n").map(String.init)
    self.receiver = try Showcaller.start(
      arguments + ["--port", "0"], environment: ["XDG_RUNTIME_DIR": folder.path(".run")], limit: 240)
    address = try #require(try await self.receiver.firstLine().split(separator: " ").last.map(String.init))
    for name in ["playlists", "examples"] {
      try FileManager.default.copyItem(
        at: Showcaller.root.appending(path: name), to: folder.url.appending(path: name))
    }
  }

  func end() async throws {
    receiver.signal(SIGTERM)
    _ = try await receiver.finish()
  }

  /// Runs lines of a shell; both streams come as one. The addresses that pages use are those of the receiver.
  func type(_ lines: String) async throws -> Finished {
    let helpers = """
      exec 2>&1
      showcaller() { "$SHOWCALLER" "$@"; }
      make() { grep -q "^$1:" "$PROJECT/Makefile"; }
      logger() { echo "$@"; }
      set -e

      """
    let lines = lines.replacing("127.0.0.1", with: address).replacing("192.0.2.14", with: address)
    let shell = try Running(
      URL(filePath: "/bin/bash"), ["-c", helpers + lines],
      environment: [
        "SHOWCALLER": Showcaller.binary.path, "PROJECT": Showcaller.root.path, "HOME": folder.url.path,
        "XDG_CONFIG_HOME": folder.path(".config"), "XDG_CACHE_HOME": folder.path(".cache"),
        "XDG_STATE_HOME": folder.path(".state"), "XDG_RUNTIME_DIR": folder.path(".run"),
      ], in: folder.url)
    shell.closeInput()
    return try await shell.finish()
  }

  /// Does what a block says, and tells what came otherwise than it shows.
  func problems(following block: DocumentedBlock) async throws -> [String] {
    var problems: [String] = []
    switch block.kind {
    case "yaml":
      _ = try folder.write(block.file, block.text)
      let check = try await type("showcaller check \(block.file)")
      if check.exitCode != 0 { problems.append("\(block): \(check.output)") }
    case "console":
      for (command, output) in block.session {
        var finished = try await type(command)
        // At 20 times the speed a busy computer is late by seconds of the show: the best of three counts.
        for _ in 0..<2 where command.contains("--speed") {
          if Self.masked(finished.output, of: command) == Self.masked(output, of: command) { break }
          finished = try await type(command)
        }
        if Self.masked(finished.output, of: command) != Self.masked(output, of: command) {
          problems.append("\(block): \(command)\n\(finished.output)")
        }
      }
    case "sh":
      // What goes on in the background is the receiver that runs already.
      let lines = block.text.split(separator: "\n").filter { !$0.hasSuffix("&") }
      let finished = try await type(lines.joined(separator: "\n"))
      if finished.exitCode != 0 { problems.append("\(block): \(finished.output)") }
    case "crontab":
      for line in block.text.split(separator: "\n") where line.wholeMatch(of: /[A-Z]+=.*/) == nil {
        // To cron a bare one ends the command.
        if line.replacing("\\%", with: "").contains("%") { problems.append("\(block): `%` without `\\`: \(line)") }
        guard let command = line.wholeMatch(of: /(?:[0-9*\/,-]+ +){5}(.+)/)?.1 else {
          problems.append("\(block): five times and a command are wanted: \(line)")
          continue
        }
        let finished = try await type(String(command).replacing("\\%", with: "%"))
        if finished.exitCode != 0 || finished.output.contains("exit") {
          problems.append("\(block): \(finished.output)")
        }
      }
    default: problems.append("\(block): nothing runs blocks of this kind")
    }
    return problems
  }

  /// What a command printed, without empty lines at its end; of a real run without what no two runs have in common.
  private static func masked(_ output: String, of command: String) -> String {
    var output = output
    while output.hasSuffix("\n") { output.removeLast() }
    guard command.contains("showcaller run") else { return output }
    return output.replacing(/\d\d:\d\d:\d\d\.\d\d\d/, with: "<time>").replacing(/\d+\.\ds/, with: "<s>")
      .replacing(/--seed \d+/, with: "--seed <n>").replacing(/runs\/[0-9A-Z]{26}/, with: "runs/<id>")
  }
}
