package import ScenarioLanguage

extension ProbeFinding.Code {
  /// The code of the same finding in a document (docs/language/codes.md "A: Addresses on the web").
  package var diagnosticCode: Code {
    switch self {
    case .addressInvalid, .unreachable: .a801
    case .status: .a802
    case .nameLocal: .a803
    case .certificate: .a804
    case .certificateEnds: .a805
    case .mime: .a806
    case .ranges: .a807
    case .cors: .a808
    case .redirect: .a809
    case .manifest: .a810
    case .codec: .a811
    case .framing: .a812
    case .imageSize: .a813
    case .fileSize: .a814
    case .skipped: .a815
    case .nameDiffers: .a816
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
