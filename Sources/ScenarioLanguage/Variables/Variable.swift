/// One entry of `vars:` and the value it has in this compilation.
struct Variable {
  var name: String
  var nameSpan: SourceSpan
  /// From a library.
  var isImported = false
  /// As declared; `nil` for a bare value, which takes any shape.
  var type: FieldType?
  /// The declaration's own map.
  var declaration: DecodedMap?
  /// The default as written, before anything was put in.
  var defaultNode: YAMLNode?
  /// From the strongest source that has one.
  var value: YAMLNode?
  /// Whether the value is an error already or comes to nothing, so that its uses need no message.
  var isBroken = false
  /// What putting the whole value in costs.
  var measure = PlaceholderFilling.Measure()
}
