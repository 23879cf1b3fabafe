/// A map that says what the values of a variable or of a block's parameter are: `{ type: url, default: … }`.
///
/// A class: documents may have a hundred thousand variables, and few of them are declared.
final class VariableDeclaration: Sendable {
  let fields: FieldMap
  /// `nil`: no such type, which was reported.
  let type: FieldType?

  /// - Parameter node: A map of which ``describes(_:)`` is true.
  init(_ node: YAMLNode) {
    fields = FieldMap(node, as: LanguageSchema.variable)
    type = LanguageSchema.variableType(fields.text("type") ?? "text")
  }

  var defaultValue: YAMLNode? { fields.node("default") }
  var environment: String? { fields.text("env") }

  /// Whether a value says how a variable is written, and is not the value itself.
  static func describes(_ node: YAMLNode) -> Bool {
    guard let pairs = node.pairs, !pairs.isEmpty else { return false }
    return pairs.contains { $0.key.text == "type" }
      || pairs.allSatisfy { LanguageSchema.variable.contains($0.key.text) }
  }
}
