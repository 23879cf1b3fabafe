import ArgumentParser
import ScenarioLanguage

/// A word of the command line that is read as the scalar of a document is.
struct Word: ExpressibleByArgument, Hashable, Sendable {
  /// Stands before a word such as `-10s`, which would else be taken for options.
  private static let mark: Character = "\u{1}"

  let text: String

  init(_ text: String) { self.text = text }

  /// Whether it says by how much something changes.
  var hasSign: Bool { text.hasPrefix("+") || text.hasPrefix("-") }

  init?(argument: String) {
    text = argument.first == Self.mark ? String(argument.dropFirst()) : argument
  }

  /// Refuses what is none of a command's own words.
  /// - Parameter meaning: Other words that people use for them.
  func check(isOneOf words: [String], meaning: [String: String] = [:]) throws(CommandFailure) {
    guard !words.contains(text) else { return }
    let meant = meaning[text.lowercased()] ?? Suggestions.nearest(to: text, among: words)
    let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    throw CommandFailure(
      .commandLineWrong, "`\(text)` is not \(list)", help: meant.map { "did you mean `\($0)`?" } ?? "write \(list)")
  }

  /// Marks `-10s`, `-5%` and `-1` as words, where a command takes such; what follows an option is its value or wrong.
  static func markingSigned(_ arguments: [String]) -> [String] {
    let isJump = arguments.starts(with: ["queue", "jump"])
    guard let command = arguments.first, isJump || ["seek", "volume"].contains(command) else { return arguments }
    let takers: Set<String> = [
      "-d", "--device", "--host", "--timeout", "--wait-lock", "--then", "--tolerance", "--over", "--log", "--auth",
      "--auth-root", "--accept-expired-intermediate", "--member",
    ]
    var marked = arguments
    for (index, argument) in arguments.enumerated().dropFirst() {
      if argument == "--" { break }
      let bytes = Array(argument.utf8.prefix(2))
      guard bytes.count == 2, bytes[0] == UInt8(ascii: "-"), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1]),
        !takers.contains(arguments[index - 1])
      else { continue }
      marked[index] = "\(mark)\(argument)"
    }
    return marked
  }
}
