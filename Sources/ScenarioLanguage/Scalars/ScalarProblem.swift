/// Why a scalar is not what its field asks for.
package struct ScalarProblem: Error, Hashable, Sendable {
  package var code: Code
  package var message: String
  /// Stands after the underline.
  package var label: String
  /// The part of the text that is at fault, in Unicode scalars; `nil`: all of it.
  package var range: Range<Int>?
  package var footers: [Diagnostic.Footer]
  /// What cures it where the words stand on a command line.
  package var commandLineHint = CommandLineHint.same

  init(
    _ code: Code, _ message: String, label: String = "", at range: Range<Int>? = nil,
    help: String? = nil, note: String? = nil
  ) {
    self.code = code
    self.message = message
    self.label = label
    self.range = range
    self.footers = [help.map { .help($0) }, note.map { .note($0) }].compactMap { $0 }
  }
}
