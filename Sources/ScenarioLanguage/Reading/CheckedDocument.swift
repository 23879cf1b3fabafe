/// A document that was checked against the tables, variables put in.
package struct CheckedDocument {
  package var kind: DocumentKind
  /// The text after `scenario:`.
  package var title: String
  package var titleSpan: SourceSpan
  /// The kind key; its label is "the first key makes this a scenario".
  package var kindSpan: SourceSpan
  package var root: FieldMap
  /// Names that a `save:` makes, with the place of the first one.
  package var savedNames: [String: SourceSpan]
  /// The name it was given, and the lines that messages quote.
  package var source: SourceText
  /// One root for each row of the matrix; without a matrix one row without values.
  var rows: [Matrix.Row]
  var variables: VariableTable
  /// Variables that a `set` assigns.
  var assigned: Set<String>
  /// Checks what unrolling puts in.
  var fieldReader: FieldReader
  /// Declared here and in libraries, in order.
  package var secrets: [Plan.Secret] = []
  /// Where each secret is needed first.
  var secretUses: [String: SourceSpan] = [:]
}
