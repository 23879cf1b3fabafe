extension Diagnostic {
  /// The same problem with the characters named that only look like what was meant, and with what was meant.
  func namingLookalikes(in text: SourceText) -> Diagnostic {
    guard severity == .error, Self.concernsWords(code), let written = text.text(at: primary.span),
      !written.utf8.allSatisfy({ $0 < 0x80 }), !["[", "{"].contains(written.first), written.count <= 2_000,
      let meant = Lookalike.meant(by: written)
    else { return self }
    let found = Lookalike.found(in: written.unicodeScalars)
    guard !found.isEmpty else { return self }
    var result = self
    result.primary.text = Suggestions.label(ScalarText.shown(meant))
    let names = found.prefix(3).map { one in
      let shown = Lookalike.isInvisible(one.scalar) ? "the character" : "`\(one.scalar)`"
      return "\(shown) in column \(primary.span.column + one.offset) is \(Lookalike.number(of: one.scalar)), "
        + one.meaning.words
    }
    let more = found.count > names.count ? ["and \(found.count - names.count) more of this kind"] : []
    result.footers = [.help((names + more).joined(separator: "\n"))]
    result.commandLineHint = .same
    return result
  }

  /// Whether a code is about how a word is written, so that other letters may be all that is wrong with it.
  private static func concernsWords(_ code: Code) -> Bool {
    code == .k101 || code == .n406 || code.family == .types
  }
}

extension [Diagnostic] {
  /// The problems with look-alike characters named, whichever file they are in.
  func namingLookalikes(in sources: [SourceFile]) -> [Diagnostic] {
    var texts: [String: SourceText] = [:]
    return map { problem in
      let file = problem.primary.span.file
      if texts[file] == nil, let source = sources.first(where: { $0.name == file }) { texts[file] = SourceText(source) }
      return texts[file].map { problem.namingLookalikes(in: $0) } ?? problem
    }
  }
}
