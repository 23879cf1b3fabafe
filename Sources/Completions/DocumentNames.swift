import Glibc
package import ScenarioLanguage
package import Workspace

/// Names of a document that a command line may set or choose; nothing where it cannot be read.
package struct DocumentNames: Sendable {
  private let surroundings: Surroundings

  package init(in surroundings: Surroundings) { self.surroundings = surroundings }

  /// Larger ones are not read while somebody types.
  private static let longest: off_t = 1 << 20

  /// The variables that `--set` may name.
  package func settings(_ file: String) -> [String] {
    guard let source = source(file) else { return [] }
    return DocumentInputs.read(source, inputs: inputs(for: source)).inputs?.variables.map(\.name) ?? []
  }

  /// What `--row` may be, `name=value`.
  package func rows(_ file: String) -> [String] {
    guard let source = source(file) else { return [] }
    var names: [String] = []
    for plan in PlanCompiler.compile(source, inputs: inputs(for: source)).plans {
      for value in plan.row where !names.contains(value.argument) { names.append(value.argument) }
    }
    return names
  }

  /// How many documents of a folder are looked at while somebody types.
  private static let mostDocuments = 200

  /// The scenarios that a file is or a folder has.
  package func documents(_ file: String) -> [DocumentHeader] {
    var finder = DocumentFinder()
    guard (try? finder.add(file)) != nil else { return [] }
    return finder.found.prefix(Self.mostDocuments).compactMap { found in
      source(found.path).map { DocumentHeader($0) }
    }.filter { $0.kind == .scenario }
  }

  private func source(_ file: String) -> SourceFile? {
    var status = stat()
    guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest else {
      return nil
    }
    return try? SourceFile(readingFrom: file)
  }

  private func inputs(for source: SourceFile) -> PlanCompiler.Inputs {
    var given = GivenInputs()
    given.leavesOutSecrets = true
    return (try? given.compilerInputs(for: source, in: surroundings)) ?? PlanCompiler.Inputs()
  }
}
