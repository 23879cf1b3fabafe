import ArgumentParser
import Glibc
import ScenarioLanguage
import Workspace

/// Names of a document that a command line may set or choose; nothing where it cannot be read.
enum DocumentNames {
  /// Larger ones are not read while somebody types.
  private static let longest: off_t = 1 << 20

  @Sendable static func settings(_ file: String) -> [String] {
    guard let source = source(file) else { return [] }
    return DocumentInputs.read(source, inputs: inputs(for: source)).inputs?.variables.map(\.name) ?? []
  }

  @Sendable static func rows(_ file: String) -> [String] {
    guard let source = source(file) else { return [] }
    var names: [String] = []
    for plan in PlanCompiler.compile(source, inputs: inputs(for: source)).plans {
      for value in plan.row where !names.contains(value.argument) { names.append(value.argument) }
    }
    return names
  }

  /// How many documents of a folder are looked at while somebody types.
  private static let mostDocuments = 200

  @Sendable static func documents(_ file: String) -> [DocumentHeader] {
    var finder = DocumentFinder()
    guard (try? finder.add(file)) != nil else { return [] }
    return finder.found.prefix(mostDocuments).compactMap { found in
      source(found.path).map { DocumentHeader($0) }
    }.filter { $0.kind == .scenario }
  }

  private static func source(_ file: String) -> SourceFile? {
    var status = stat()
    guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= longest else { return nil }
    return try? SourceFile(readingFrom: file)
  }

  private static func inputs(for source: SourceFile) -> PlanCompiler.Inputs {
    // As on a command line that says nothing: its properties have values only when it was parsed.
    guard var options = try? InputOptions.parse([]) else { return PlanCompiler.Inputs() }
    options.noSecrets = true
    return (try? options.compilerInputs(for: source)) ?? PlanCompiler.Inputs()
  }
}
