/// One event of a text: a scalar, an alias, or where a list or map begins or ends.
struct YAMLEvent: Sendable {
  /// What it says, without its place.
  struct Content: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case streamStart, streamEnd, documentStart, documentEnd, alias, scalar, sequenceStart, sequenceEnd, mappingStart
      case mappingEnd
    }
    var kind: Kind
    var anchor: String?
    var tag: String?
    var text = ""
    var style = YAMLNode.Scalar.Style.plain
    var isFlow = false
  }

  var content: Content
  var start: YAMLDocument.Place
  var end: YAMLDocument.Place
  /// Whether it covers no character.
  var isEmpty: Bool
  /// The document begins with `%YAML` or `%TAG`.
  var hasDirectives = false

  var kind: Content.Kind { content.kind }
  var anchor: String? { content.anchor }
  var tag: String? { content.tag }
  var scalar: YAMLNode.Scalar { YAMLNode.Scalar(text: content.text, style: content.style) }

  /// Whether two texts are YAML and mean the same.
  static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let (first, second) = (LibYAML(one), LibYAML(other))
    while let a = try? first.event(), let b = try? second.event(), a.content == b.content {
      if a.kind == .streamEnd { return true }
    }
    return false
  }
}

/// Why a text could not be read to its end.
struct YAMLFailure: Error {
  /// libyaml's words; empty where the composer stopped and has said why.
  var problem: String
  var context: String
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
