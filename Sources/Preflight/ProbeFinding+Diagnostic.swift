package import ScenarioLanguage

extension ProbeFinding.Code {
  /// The code of the same finding in a document (docs/language/codes.md "A: Addresses on the web").
  package var diagnosticCode: String {
    switch self {
    case .addressInvalid, .unreachable: "A801"
    case .status: "A802"
    case .nameLocal: "A803"
    case .certificate: "A804"
    case .certificateEnds: "A805"
    case .mime: "A806"
    case .ranges: "A807"
    case .cors: "A808"
    case .redirect: "A809"
    case .manifest: "A810"
    case .codec: "A811"
    case .framing: "A812"
    case .imageSize: "A813"
    case .fileSize: "A814"
    case .skipped: "A815"
    case .nameDiffers: "A816"
    }
  }
}

extension ProbeFinding {
  /// The finding at the places where a document names the address; the first is underlined.
  /// - Parameter address: As the document has it: what is found elsewhere says where.
  package func diagnostic(of address: String, at places: [SourceSpan]) -> Diagnostic? {
    guard let first = places.first else { return nil }
    var footers: [Diagnostic.Footer] = help.map { [.help($0)] } ?? []
    if url != address { footers.append(.note("found at \(url.prefix(500))")) }
    if places.count > 1 {
      let lines = places.dropFirst().prefix(5).map { $0.file == first.file ? "\($0.line)" : "\($0.line) of \($0.file)" }
      footers.append(
        .note(
          "also in line\(places.count == 2 ? "" : "s") \(lines.joined(separator: ", "))\(places.count > 6 ? ", …" : "")"
        ))
    }
    return Diagnostic(severity.ofDiagnostics, code.diagnosticCode, text, at: .init(first), footers: footers)
  }
}

extension ProbeFinding.Severity {
  fileprivate var ofDiagnostics: Diagnostic.Severity {
    switch self {
    case .note: .note
    case .warning: .warning
    case .error: .error
    }
  }
}
