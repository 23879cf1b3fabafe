import CastProtocol

extension ProofCandidates.AlreadyTrue {
  /// P609.
  package var diagnostic: Diagnostic {
    Diagnostic(
      .warning, .p609, "this expectation is already true before `\(action.verb)`",
      at: .init(step.span, "shows nothing about `\(action.verb)`"),
      related: [.init(setter, "`\(field)` is so from here on"), .init(action.span, "should bring it about")],
      footers: [.help("change `\(field)` to something else first, or leave the expectation out")])
  }
}

extension ProofCandidates.NeverFailing {
  /// P616.
  package var diagnostic: Diagnostic {
    var name = ""
    var what = ""
    var names: [String] = []
    switch contradiction.reason {
    case .unknownBreak(let id):
      (name, what) = (id, "\(media) has no such break")
      names = Contradiction.places(of: film).map(\.id)
    case .unknownClip(let clip, let breakID):
      (name, what) = (clip, breakID.map { "break `\($0)` does not play it" } ?? "no break of \(media) plays it")
      names = Contradiction.places(of: film).filter { breakID == nil || $0.id == breakID }.flatMap(\.clips).map(\.id)
    default: what = "can never be"
    }
    var footers: [Diagnostic.Footer] = []
    if let near = Suggestions.nearest(to: name, among: names) { footers.append(.help(Suggestions.label(near))) }
    footers.append(.note("simulated on a virtual clock; it passed, and there was nothing that could break it"))
    return Diagnostic(
      .warning, .p616, "this `never` can never fail", at: .init(contradiction.span, what),
      footers: footers)
  }
}
