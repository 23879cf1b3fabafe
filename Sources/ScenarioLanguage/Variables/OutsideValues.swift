/// Values for variables from outside the document, each with a place that messages can quote.
struct OutsideValues {
  struct Value {
    var name: String
    var node: YAMLNode
    var nameSpan: SourceSpan
  }

  /// `--set`, in order.
  private(set) var settings: [Value] = []
  /// `--vars` files, in order.
  private(set) var fileValues: [Value] = []
  /// Those of ``sources`` that are known from the start.
  private var givenSources: [SourceFile] = []
  private var environmentLines: [String] = []

  /// The files that the places are in; the command line and the environment as files with a line for each value.
  var sources: [SourceFile] {
    if environmentLines.isEmpty { return givenSources }
    let bytes = Array(environmentLines.joined(separator: "\n").utf8)
    return givenSources + [SourceFile(name: Self.environmentFile, bytes: bytes)]
  }

  /// `--secret`, the names only.
  private(set) var givenSecrets: [(name: String, span: SourceSpan)] = []

  static let settingsFile = "--set"
  static let secretsFile = "--secret"
  static let environmentFile = "environment"

  init(_ inputs: PlanCompiler.Inputs, reportingTo diagnostics: DiagnosticCollector) {
    var lines: [String] = []
    for (index, setting) in inputs.settings.enumerated() {
      let (value, line) = Self.value(setting.name, setting.value, file: Self.settingsFile, line: index + 1)
      settings.append(value)
      lines.append(line)
    }
    if !lines.isEmpty {
      givenSources.append(SourceFile(name: Self.settingsFile, bytes: Array(lines.joined(separator: "\n").utf8)))
    }
    var secretLines: [String] = []
    for (index, given) in inputs.givenSecrets.enumerated() {
      let (value, line) = Self.value(given.name, given.argument, file: Self.secretsFile, line: index + 1)
      givenSecrets.append((given.name, value.nameSpan))
      secretLines.append(line)
    }
    if !secretLines.isEmpty {
      let bytes = Array(secretLines.joined(separator: "\n").utf8)
      givenSources.append(SourceFile(name: Self.secretsFile, bytes: bytes))
    }
    for file in inputs.variableFiles {
      givenSources.append(file)
      guard let document = YAMLParser.parse(file, reportingTo: diagnostics) else { continue }
      guard let pairs = document.root.pairs else {
        diagnostics.report(
          .error, .t210, "expected a map of variables and their values", at: .init(document.root.span),
          footers: [.help("`name: value`, one a line")])
        continue
      }
      for pair in pairs {
        fileValues.append(Value(name: pair.key.text, node: pair.value, nameSpan: pair.key.span))
      }
    }
  }

  /// A value of the environment, with a place of its own.
  mutating func environment(_ name: String, _ text: String) -> YAMLNode {
    let (value, line) = Self.value(name, text, file: Self.environmentFile, line: environmentLines.count + 1)
    environmentLines.append(line)
    return value.node
  }

  private static func value(_ name: String, _ text: String, file: String, line: Int) -> (Value, String) {
    // One line each, so that line numbers stay right whatever the value holds.
    var shown = ""
    for scalar in (name + "=" + text).unicodeScalars {
      shown.unicodeScalars.append(scalar == "\n" || scalar == "\r" ? "↵" : scalar)
    }
    let nameLength = name.unicodeScalars.count
    let end = nameLength + 2 + text.unicodeScalars.count
    let nameSpan = SourceSpan(file: file, line: line, column: 1, endLine: line, endColumn: nameLength + 1)
    let span = SourceSpan(file: file, line: line, column: nameLength + 2, endLine: line, endColumn: end)
    let node = YAMLNode(.scalar(.init(text: text, style: .plain)), span: span)
    return (Value(name: name, node: node, nameSpan: nameSpan), shown)
  }
}
