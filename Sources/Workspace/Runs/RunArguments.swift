package import CastProtocol

/// What decides how a run goes besides its document and what was added to that, as its folder keeps it in `options.json`.
package struct RunArguments: Hashable, Sendable {
  /// The file in a run's folder.
  static let name = "options.json"

  /// The words of the command line behind the program's name, without those that only decide what is told. Of secrets
  /// there are places, never values.
  package var words: [String]
  /// Where its random choices began.
  package var seed: UInt64

  /// The words of a command line, and the seed that was given or chosen.
  package init(_ words: [String], seed: UInt64) {
    self.words = words
    self.seed = seed
  }

  /// As the file has it. The seed is a text: not every reader of JSON takes 64 bits.
  package var json: JSONValue {
    ["v": 1, "arguments": .array(words.map(JSONValue.string)), "seed": .string(String(seed))]
  }

  /// Reads what ``json`` wrote; `nil` for anything else.
  package init?(_ json: JSONValue) {
    guard json["v"] == 1, let values = json["arguments"]?.array, let seed = json["seed"]?.string.flatMap({ UInt64($0) })
    else { return nil }
    let words = values.compactMap(\.string)
    guard words.count == values.count else { return nil }
    self.init(words, seed: seed)
  }
}
