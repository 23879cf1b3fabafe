import ArgumentParser
import ScenarioLanguage
import Signage
import Workspace

/// The files that a command of `ledger` reads.
struct LedgerOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The files of a ledger, in any order.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var files: [String]

  /// The files, the oldest first.
  /// - Parameter order: What grows in a ledger, of the first line of a file.
  func sorted(by order: (LedgerLine) -> Int?) throws -> [String] {
    var names: Set<String> = []
    var keys: [(file: String, key: Int?)] = []
    for file in files {
      guard names.insert((try? Files.realPath(of: file)) ?? file).inserted else {
        throw CommandFailure(.commandLineWrong, "\(file) is named twice", help: "its plays would count twice")
      }
      keys.append((file, try firstLine(of: file).flatMap(order)))
    }
    // An empty file, or one that begins with a damaged line, is where it was named.
    var last = Int.min
    let known = keys.enumerated().map { index, entry in
      last = entry.key ?? last
      return (file: entry.file, key: last, index: index)
    }
    return known.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.file)
  }

  private struct Found: Error {}

  private func firstLine(of file: String) throws -> LedgerLine? {
    var line: LedgerLine?
    var reader = LedgerReader()
    do {
      try Self.read(file, &reader) { step in
        line = step.line
        throw Found()
      }
    } catch is Found {
      return line
    }
    return nil
  }

  /// Reads one file to its end.
  static func read(_ file: String, _ reader: inout LedgerReader, _ body: (LedgerReader.Step) throws -> Void) throws {
    do {
      let opened = try Files.openRegular(file)
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = try Descriptor.read(opened.descriptor, into: &chunk)
        if count == 0 { break }
        try reader.read(Array(chunk.prefix(count)), body)
      }
    } catch let error as FileError {
      throw CommandFailure(.commandLineWrong, "cannot read \(file): \(error.message)")
    }
    try reader.endFile(body)
  }

  /// How many problems of a file are told.
  private static let toldLimit = 5

  /// Reads the lines of all files that are as they were written, and tells where others are.
  /// - Returns: Whether there were none; a last line that is not whole is none, as it is being written.
  func readLines(_ body: (LedgerLine) throws -> Void) throws -> Bool {
    var isIntact = true
    for file in try sorted(by: \.time) {
      var reader = LedgerReader()
      var count = 0
      try Self.read(file, &reader) { step in
        if let problem = step.problem {
          isIntact = isIntact && problem.kind == .torn
          count += 1
          if count <= Self.toldLimit { Self.warn(file, problem) }
        }
        if let line = step.line { try body(line) }
      }
      if count > Self.toldLimit {
        Terminal.say("warning: \(TerminalText.escaped(file)): \(count - Self.toldLimit) more lines are damaged")
      }
    }
    return isIntact
  }

  private static func warn(_ file: String, _ problem: LedgerProblem) {
    Terminal.say("warning: \(TerminalText.escaped("\(file):\(problem.line)")): \(problem.message)")
  }
}

/// Standard output of a long table, in few writes.
struct BufferedOutput {
  private var text = ""

  mutating func write(_ more: String) {
    text += more
    if text.utf8.count > 1 << 16 { flush() }
  }

  mutating func flush() {
    StandardStream.output.write(text)
    text = ""
  }
}
