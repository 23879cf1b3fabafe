/// Why a secret has no value.
package enum SecretProblem: Error, Hashable, Sendable {
  case notSet(String)
  case emptyVariable(String)
  case file(String, FileProblem)
  /// A program and how it went wrong.
  case command(String, String)
  case neverSaved

  /// N403 at the secret's source, with the place that needs it.
  /// - Parameter isResumed: Whether a run is gone on with: its secrets come from where they came from.
  package func diagnostic(
    for secret: Plan.Secret, neededAt use: SourceSpan?, isResumed: Bool = false
  ) -> Diagnostic {
    let name = ScalarText.shown(secret.name)
    let (reason, label) = words
    var cures: [String] = []
    switch self {
    case .notSet(let variable), .emptyVariable(let variable): cures = ["`export \(ScalarText.shown(variable))=…`, or "]
    case .neverSaved: cures = ["`save: { \(name): custom.ticket }` in an earlier step fills it, or "]
    case .file, .command: break
    }
    let rest = "`--secret \(name)=@file`; `showcaller check --no-secrets` checks everything else"
    let help = isResumed ? cureOfResumed : (cures.first ?? "") + rest
    return Diagnostic(
      .error, .n403, "secret `\(name)` has no value: \(reason)", at: .init(secret.sourceSpan, label),
      related: use.map { [.init($0, "needed here")] } ?? [], footers: [.help(help)])
  }

  /// A run is gone on with as it began: it takes no other secrets.
  private var cureOfResumed: String {
    let again = "then go on with the run again: a run that is resumed takes each secret from where it was"
    return switch self {
    case .notSet(let variable), .emptyVariable(let variable): "`export \(ScalarText.shown(variable))=…`, \(again)"
    case .file(let path, _): "put the secret into `\(ScalarText.shown(path))`, \(again)"
    case .command(let program, _): "see why `\(ScalarText.shown(program))` does not tell it, \(again)"
    case .neverSaved: "a step has to save it: run the document again"
    }
  }

  /// Why, for the message, and a word for the label.
  private var words: (reason: String, label: String) {
    switch self {
    case .notSet(let variable): ("environment variable \(ScalarText.shown(variable)) is not set", "not set")
    case .emptyVariable(let variable): ("environment variable \(ScalarText.shown(variable)) is empty", "empty")
    case .command(let program, let reason): ("`\(ScalarText.shown(program))` \(reason)", "failed")
    case .neverSaved: ("no step saves it", "filled by a `save:`")
    case .file(let path, let problem):
      switch problem {
      case .notFound: ("file `\(ScalarText.shown(path))` is not there", "not found")
      case .notRegular(let what): ("`\(ScalarText.shown(path))` is \(what), not a file", "not a file")
      case .empty: ("file `\(ScalarText.shown(path))` is empty", "empty")
      case .tooLarge(let limit):
        ("file `\(ScalarText.shown(path))` is larger than \(limit >> 10) KiB", "too large")
      case .symbolicLink, .outside: ("file `\(ScalarText.shown(path))` cannot be read", "not allowed")
      case .unreadable(let reason):
        ("file `\(ScalarText.shown(path))` cannot be read: \(reason)", "not readable")
      }
    }
  }
}
