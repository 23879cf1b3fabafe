import CastProtocol

/// What declared breaks and clips rule out.
extension Contradiction {
  /// A break of the film at its place on the film's time line.
  struct Place {
    var id: String
    /// Film seconds.
    var position: Double
    var clips: [MediaInformation.BreakClip]
    /// Whether every clip says how long it is.
    var hasLength: Bool
    /// Seconds.
    var length: Double
  }

  /// The declared breaks; an end that nobody declared lies behind everything.
  static func places(of film: MediaInformation) -> [Place] {
    let clips = Dictionary((film.breakClips ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    return (film.breaks ?? []).map { entry in
      let played = entry.breakClipIDs.compactMap { clips[$0] }
      let position = entry.position < 0 ? film.duration ?? .infinity : entry.position
      return Place(
        id: entry.id, position: position, clips: played, hasLength: played.allSatisfy { $0.duration != nil },
        length: played.reduce(0) { $0 + ($1.duration ?? 0) })
    }
  }

  /// The breaks that the fields of a conjunction can mean, or why there is none; `nil` when they ask for no break.
  private static func candidates(_ all: Conjunction, _ places: [Place]) -> (found: [Place], reason: Contradiction?)? {
    let (id, clip) = (all.text("break.id"), all.text("break.clip"))
    let asks = all.leaves.contains { $0.path.parts.first == "break" && $0.matcher.needsValue }
    guard asks else { return nil }
    var found = places
    if let id {
      found = found.filter { $0.id == id.value }
      if found.isEmpty { return ([], Contradiction(reason: .unknownBreak(id.value), span: id.span)) }
    }
    if let clip {
      found = found.filter { $0.clips.contains { $0.id == clip.value } }
      if found.isEmpty {
        return ([], Contradiction(reason: .unknownClip(clip.value, breakID: id?.value), span: clip.span))
      }
    }
    return (found, nil)
  }

  static func inBreaks(_ all: Conjunction, reach: Double, _ state: StaticDeviceState) -> Contradiction? {
    // Data of its own may tell an app of other breaks.
    guard let film = state.film, film.customData == nil, state.load?.request.customData == nil else { return nil }
    let places = places(of: film)
    guard !places.isEmpty, let (found, reason) = candidates(all, places) else { return nil }
    if let reason { return reason }
    if let reason = inClips(all, found) { return reason }
    guard let first = found.min(by: { $0.position < $1.position }), first.position.isFinite else { return nil }
    if first.position > reach + slack {
      let span = all.leaves.first { $0.path.parts.first == "break" && $0.matcher.needsValue }?.span
      return span.map { Contradiction(reason: .tooEarly(position: first.position, breakID: first.id), span: $0) }
    }
    return nil
  }

  /// Times within clips, and whether they can be skipped.
  private static func inClips(_ all: Conjunction, _ found: [Place]) -> Contradiction? {
    let named = all.text("break.clip")?.value
    let clips = found.flatMap(\.clips).filter { named == nil || $0.id == named }
    guard let longest = clips.max(by: { ($0.duration ?? .infinity) < ($1.duration ?? .infinity) }) else { return nil }
    for (path, matcher, span) in all.leaves {
      switch path.text {
      case "break.clip_time":
        guard let least = matcher.leastNumber, let duration = longest.duration, least > duration + 0.5 else { continue }
        return Contradiction(reason: .clipTooShort(longest.id, duration: duration), span: span)
      case "break.skippable":
        guard case .equals(let operand) = matcher, operand.base == .literal(true),
          clips.allSatisfy({ $0.whenSkippable == nil }), clips.count == 1 || named != nil
        else { continue }
        return Contradiction(reason: .neverSkippable(longest.id), span: span)
      default: continue
      }
    }
    return nil
  }

  /// Why the entries of a sequence cannot come true one after the other.
  static func find(in action: Plan.SequenceAction, from state: StaticDeviceState) -> Contradiction? {
    // The look-back sees what was before a seek; a step named by `since`, even more.
    guard action.since == nil, let last = state.lastAction else { return nil }
    if case .seek = last.action { return nil }
    for entry in action.entries {
      if let found = find(in: entry.condition, for: action.within, from: state) { return found }
    }
    guard case .load = last.action, let film = state.film, film.customData == nil,
      state.load?.request.customData == nil
    else { return nil }
    let places = places(of: film)
    var behind: Place?
    for entry in action.entries {
      let all = Conjunction(entry.condition)
      guard let (found, _) = candidates(all, places), let id = all.text("break.id"), let place = found.first,
        found.count == 1
      else { continue }
      if let behind, behind.position > place.position {
        return Contradiction(reason: .wrongOrder(breakID: place.id, after: behind.id), span: id.span)
      }
      behind = place
    }
    return nil
  }

  /// Why a window that forbids breaks cannot pass: a declared one comes within it.
  ///
  /// - Parameter isNever: The condition must not hold, instead of having to.
  static func breakComes(
    in condition: Condition, isNever: Bool, during window: Duration, from state: StaticDeviceState
  ) -> Contradiction? {
    // Who is logged in may see no breaks at all.
    guard let film = state.film, film.customData == nil, let request = state.load?.request, request.customData == nil,
      request.credentials == nil, state.neverPaused, let rate = state.facts["rate"]?.value.number, rate > 0
    else { return nil }
    let places = places(of: film).sorted { $0.position < $1.position }
    let forbidden: [Place]
    let all = Conjunction(condition)
    let whole = all.leaves.first { $0.path.text == "break" }
    if isNever {
      guard all.choices.isEmpty, !all.leaves.isEmpty, all.isOnlyAboutIdentity else { return nil }
      forbidden = whole.map { $0.matcher.isPresence ? places : [] } ?? candidates(all, places)?.found ?? []
    } else {
      guard let whole, whole.matcher.isAbsence else { return nil }
      forbidden = places
    }
    guard let span = all.leaves.first(where: { $0.path.parts.first == "break" })?.span else { return nil }
    for place in forbidden where place.position > state.furthest + slack && place.position.isFinite {
      // The latest that it can begin if the film does not stall: from where the film was for certain, with every
      // break on the way in full.
      let onTheWay = places.filter { $0.position >= state.earliest && $0.position < place.position }
      guard onTheWay.allSatisfy(\.hasLength), place.clips.contains(where: { ($0.duration ?? 0) >= 1 }) else { continue }
      let needed = (place.position - state.earliest) / rate + onTheWay.reduce(0) { $0 + $1.length }
      if needed * 1.1 + 5 <= window.seconds {
        return Contradiction(reason: .breakComes(id: place.id, position: place.position), span: span)
      }
    }
    return nil
  }

  /// A name in a condition that must never hold, which the media does not have: it never can.
  static func missingName(in condition: Condition, of film: MediaInformation) -> Contradiction? {
    guard film.customData == nil, case let all = Conjunction(condition), all.choices.isEmpty,
      let (_, reason) = candidates(all, places(of: film))
    else { return nil }
    return reason
  }
}

extension Conjunction {
  /// Whether it only says which break or clip.
  fileprivate var isOnlyAboutIdentity: Bool {
    leaves.allSatisfy { ["break", "break.id", "break.clip"].contains($0.path.text) }
  }
}

extension Matcher {
  /// Whether an absent field never fits.
  var needsValue: Bool {
    switch self {
    case .not, .exists(false): false
    case .equals(let operand): operand.base != .literal(.null)
    default: true
    }
  }

  fileprivate var isAbsence: Bool {
    switch self {
    case .exists(let wanted): !wanted
    case .equals(let operand): operand.base == .literal(.null)
    default: false
    }
  }

  fileprivate var isPresence: Bool {
    if case .not(let inner) = self { return inner.isAbsence }
    return self == .exists(true)
  }
}
