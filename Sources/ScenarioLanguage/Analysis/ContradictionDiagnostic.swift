import CastProtocol

/// The words of a P602: where, why, and what would work.
package struct ContradictionDiagnostic {
  let plan: Plan
  let candidate: ProofCandidates.NeverPassing
  /// The film position when the step ended, in seconds, as simulated.
  let filmAtEnd: Double?
  /// An expectation's time that would work, as simulated.
  package var within: Duration?
  /// A start of the film, in seconds, that would work, as simulated.
  package var start: Double?
  /// A window's length that would work, as simulated.
  package var during: Duration?

  /// - Parameter filmAtEnd: The film position when the step ended, in seconds, as simulated.
  package init(plan: Plan, candidate: ProofCandidates.NeverPassing, filmAtEnd: Double?) {
    self.plan = plan
    self.candidate = candidate
    self.filmAtEnd = filmAtEnd
  }

  /// P602.
  package var diagnostic: Diagnostic {
    let (primary, related) = labels
    var footers: [Diagnostic.Footer] = help.map { [.help($0)] } ?? []
    footers.append(.note("simulated on a virtual clock; `showcaller simulate \(plan.file)` shows the timeline"))
    return Diagnostic(.error, .p602, "this expectation can never pass", at: primary, related: related, footers: footers)
  }

  private var field: SourceSpan { candidate.contradiction.span }
  private var places: Plan.MediaSpans { candidate.state.load?.places ?? Plan.MediaSpans() }
  private var media: String { candidate.state.mediaName }
  /// As in "the film lasts 10m".
  private var plainMedia: String { candidate.state.load?.mediaID ?? "media" }

  private var labels: (primary: Diagnostic.Label, related: [Diagnostic.Label]) {
    func declared(_ span: SourceSpan?, _ text: String) -> [Diagnostic.Label] { span.map { [.init($0, text)] } ?? [] }
    switch candidate.contradiction.reason {
    case .tooEarly(let position, let breakID):
      let needed = Self.spelled(position)
      let related =
        breakID.map { declared(places.breaks[$0], "the break starts at \(needed)") } ?? [
          .init(field, "not before \(needed)")
        ]
      let end = filmAtEnd.map { "film position \(Self.spelled($0))" } ?? "an earlier film position"
      if candidate.state.isPaused {
        return (.init(field, "the film is paused at \(end)"), related.filter { $0.span != field })
      }
      if let limit = candidate.step.limitSpan { return (.init(limit, "ends at \(end)"), related) }
      let waits = (candidate.step.within ?? candidate.step.during ?? .zero).spelled
      return (.init(field, "waits for \(waits), until \(end)"), related.filter { $0.span != field })
    case .beyondEnd(let duration):
      return (
        .init(field, "beyond the end"),
        declared(places.duration, "the \(plainMedia) lasts \(Self.spelled(duration))")
      )
    case .unknownBreak: return (.init(field, "\(media) has no such break"), [])
    case .unknownClip(_, let breakID):
      return (.init(field, breakID.map { "break `\($0)` does not play it" } ?? "no break of \(media) plays it"), [])
    case .clipTooShort(let clip, let duration):
      return (.init(field, "never reached"), declared(places.clips[clip], "the clip lasts \(Self.spelled(duration))"))
    case .neverSkippable: return (.init(field, "this clip can never be skipped"), [])
    case .tracksNotActive(let names, let fact):
      let names = names.map { "`\($0)`" }.joined(separator: ", ")
      return (.init(field, "\(names) is not active"), [.init(fact.span, "the active tracks are set here")])
    case .otherRate(let fact):
      let rate = (fact.value.number ?? 1).decimals(3)
      return (.init(field, "the rate is \(rate)"), [.init(fact.span, "set here")])
    case .otherDuration(let duration):
      return (
        .init(field, "not what \(media) declares"),
        declared(places.duration, "the \(plainMedia) lasts \(Self.spelled(duration))")
      )
    case .wrongOrder(let breakID, let other):
      return (
        .init(field, "plays before `\(other)`"),
        declared(places.breaks[breakID], "`\(breakID)` starts here")
          + declared(places.breaks[other], "`\(other)` starts here")
      )
    case .breakComes(let id, let position):
      return (
        .init(candidate.step.limitSpan ?? field, "the break comes within it"),
        declared(places.breaks[id], "break `\(id)` starts at \(Self.spelled(position))")
      )
    }
  }

  private var help: String? {
    switch candidate.contradiction.reason {
    case .tooEarly:
      if candidate.state.isPaused { return "`play` before it" }
      let choices = [within.map(withinHelp), start.map(startHelp)].compactMap { $0 }
      return choices.isEmpty ? nil : choices.joined(separator: ", or ")
    case .breakComes: return during.map { "`during: \($0.spelled)` ends before it" }
    case .unknownBreak(let name):
      return choice(of: Contradiction.places(of: film).map(\.id), insteadOf: name, noun: "breaks of \(media)")
    case .unknownClip(let name, let breakID):
      let places = Contradiction.places(of: film).filter { breakID == nil || $0.id == breakID }
      let owner = breakID.map { "break `\($0)`" } ?? "the breaks"
      return choice(of: places.flatMap(\.clips).map(\.id), insteadOf: name, noun: "clips in \(owner)")
    case .clipTooShort(_, let duration):
      let most = (duration * 2 / 3).rounded(.down)
      return most >= 1 ? "ask for less, such as `clip_time: { min: \(Self.spelled(most)) }`" : nil
    case .neverSkippable(let clip): return "give clip `\(clip)` a `skippable_after`, such as `skippable_after: 5s`"
    case .wrongOrder(let breakID, let other): return "expect `\(breakID)` before `\(other)`"
    case .tracksNotActive(let names, _): return names.count == 1 ? "switch it on first: `tracks: [\(names[0])]`" : nil
    case .otherRate, .otherDuration, .beyondEnd: return nil
    }
  }

  private var film: MediaInformation { candidate.state.film ?? MediaInformation() }

  private func choice(of names: [String], insteadOf name: String, noun: String) -> String? {
    if let near = Suggestions.nearest(to: name, among: names) { return Suggestions.label(near) }
    var listed: [String] = []
    for name in names where !listed.contains(name) { listed.append(name) }
    return listed.isEmpty ? nil : "\(noun): \(ScalarText.listed(listed))"
  }

  /// A window that works, with the time of the whole scenario that it needs.
  private func withinHelp(_ within: Duration) -> String {
    var hold = Duration.zero
    if case .expect(let action) = candidate.step.action { hold = action.holdFor ?? .zero }
    let needed = plan.timeouts.connect + candidate.state.written + within + hold
    let window = "`within: \(within.spelled)`"
    return needed > plan.timeout ? "\(window) and a scenario `timeout` of at least \(needed.spelled)" : window
  }

  /// A start that works; written out where the load says nothing else.
  private func startHelp(_ start: Double) -> String {
    let key = "start: \(Self.spelled(start))"
    guard let load = candidate.state.load, let id = load.mediaID, load.saysNothingElse else {
      return "`\(key)` in the `load`"
    }
    return "`load: { media: \(id), \(key) }`"
  }

  private static func spelled(_ seconds: Double) -> String {
    Duration.clamped(seconds: (seconds * 10).rounded() / 10).spelled
  }
}

extension Plan.LoadAction {
  /// Whether only the media was written.
  fileprivate var saysNothingElse: Bool {
    request.autoplay && (request.currentTime ?? 0) == 0 && request.playbackRate == nil
      && (request.activeTrackIDs ?? []).isEmpty && request.credentials == nil && request.customData == nil
      && appID == nil && until == .playing
  }
}
