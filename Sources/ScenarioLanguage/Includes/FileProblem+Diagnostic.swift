extension FileProblem {
  /// What a document names the file as.
  enum Role {
    case library, calendar

    fileprivate var noun: String { self == .library ? "included file" : "calendar file" }
  }

  /// N409 or Y311 for a file that cannot be had.
  func diagnostic(of path: String, as role: Role, at node: YAMLNode) -> Diagnostic {
    let shown = ScalarText.shown(path)
    func problem(_ code: Code, _ message: String, _ label: String = "", help: String? = nil) -> Diagnostic {
      // A file's place is its own, also where variables brought the value to another.
      Diagnostic(.error, code, message, at: .init(node.span, label), footers: help.map { [.help($0)] } ?? [])
    }
    let isLibrary = role == .library
    switch self {
    case .notFound:
      return problem(
        .n409, "\(role.noun) `\(shown)` is not there", "not found",
        help: "paths are relative to the file that \(isLibrary ? "includes" : "names them")")
    case .outside(let root):
      return problem(
        .n409, "`\(shown)` lies outside the project", "leads out of `\(ScalarText.shown(root))`",
        help: "move it below that folder, or allow its own with `--allow-path FOLDER`")
    case .symbolicLink:
      return problem(
        .n409, "`\(shown)` is a link, and links are not followed",
        help: "\(isLibrary ? "include" : "name") the file that it leads to")
    case .notRegular(let what):
      return problem(
        .n409, "`\(shown)` is \(what), not a file", help: "name the \(isLibrary ? "library" : "calendar") file itself")
    case .tooLarge(let limit):
      return problem(
        .y311, "\(role.noun) `\(shown)` is larger than \(limit >> 20) MiB",
        help: isLibrary ? "split it into several libraries" : "export only what the playlist needs")
    case .empty: return problem(.n409, "\(role.noun) `\(shown)` is empty")
    case .unreadable(let reason): return problem(.n409, "\(role.noun) `\(shown)` cannot be read: \(reason)")
    }
  }
}
