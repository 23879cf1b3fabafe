/// Why the text could not be read to its end.
struct YAMLFailure: Error {
  /// libyaml's words; empty where the composer stopped and has said why.
  var problem: String
  var context: String
  /// Line and column from 1.
  var place: YAMLDocument.Place
  var contextPlace: YAMLDocument.Place?

  /// Whether a message about it is already with the others.
  var isReported: Bool { problem.isEmpty }

  static let outOfMemory = YAMLFailure(
    problem: "out of memory", context: "", place: YAMLDocument.Place(line: 1, column: 1), contextPlace: nil)
  static func reported(_ place: YAMLDocument.Place) -> YAMLFailure {
    YAMLFailure(problem: "", context: "", place: place, contextPlace: nil)
  }
}
