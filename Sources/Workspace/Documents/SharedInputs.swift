import ScenarioLanguage

/// `--set` and `--secret` for several documents: each gets what it has a use for.
struct SharedInputs {
  private let all: GivenInputs
  private let surroundings: Surroundings
  /// Names that a document has, or may have where it cannot be read.
  private var used: (settings: Set<String>, secrets: Set<String>) = ([], [])
  private var known: (settings: Set<String>, secrets: Set<String>) = ([], [])

  /// - Throws: Where one is not well formed.
  init(_ inputs: GivenInputs, in surroundings: Surroundings) throws(WorkspaceError) {
    all = inputs
    self.surroundings = surroundings
    _ = try inputs.compilerInputs(for: SourceFile(name: "", bytes: []), in: surroundings)
  }

  /// The inputs for one document.
  mutating func own(of source: SourceFile) throws(WorkspaceError) -> GivenInputs {
    if all.settings.isEmpty, all.secrets.isEmpty { return all }
    var bare = all
    (bare.settings, bare.secrets, bare.leavesOutSecrets) = ([], [], true)
    let compilerInputs = try bare.compilerInputs(for: source, in: surroundings)
    guard let names = DocumentInputs.read(source, inputs: compilerInputs).inputs else {
      // What is wrong with it is told when it is compiled, and nothing is refused because of it.
      used.settings.formUnion(all.settings.map(Self.name))
      used.secrets.formUnion(all.secrets.map(Self.name))
      return all
    }
    let settings = Set(names.variables.map(\.name))
    let secrets = Set(names.secrets.map(\.secret.name))
    known.settings.formUnion(settings)
    known.secrets.formUnion(secrets)
    var own = all
    own.settings = all.settings.filter { settings.contains(Self.name($0)) }
    own.secrets = all.secrets.filter { secrets.contains(Self.name($0)) }
    used.settings.formUnion(own.settings.map(Self.name))
    used.secrets.formUnion(own.secrets.map(Self.name))
    return own
  }

  private static func name(_ given: String) -> String { String(given.prefix { $0 != "=" }) }

  /// Why what was given is refused: no document has such a name.
  var failures: [WorkspaceError] {
    func strangers(
      _ given: [String], _ used: Set<String>, _ known: Set<String>, _ what: String, _ key: String
    ) -> [WorkspaceError] {
      given.map(Self.name).filter { !used.contains($0) }.map { name in
        let nearest = Suggestions.nearest(to: name, among: known.sorted())
        return WorkspaceError(
          .documentInvalid, "none of the documents has a \(what) `\(name)`",
          help: nearest.map { "did you mean `\($0)`?" } ?? "declare it under `\(key):`")
      }
    }
    return strangers(all.settings, used.settings, known.settings, "variable", "vars")
      + strangers(all.secrets, used.secrets, known.secrets, "secret", "secrets")
  }
}
