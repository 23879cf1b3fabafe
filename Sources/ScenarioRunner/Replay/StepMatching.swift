import CastProtocol
import ScenarioLanguage

extension Plan.Step {
  /// Whether it judges what a device shows, and nothing else.
  var judgesStatuses: Bool {
    switch action {
    case .expect, .always, .never, .waitUntil, .expectSequence: true
    default: false
    }
  }

  /// Whether it only tells or keeps something.
  var takesNoTime: Bool {
    switch action {
    case .log, .mark, .save: true
    default: false
    }
  }
}

/// Which steps of an edited document are those of the document that was run, and which of it can be judged at all.
struct StepMatching {
  /// The step of the edited document by the id that it had in the run.
  private(set) var edited: [String: Plan.Step] = [:]
  /// The id that a step of the edited document had in the run.
  private(set) var runID: [String: String] = [:]
  /// Why steps of the edited document cannot be judged, by their ids: what acted before them was not what they ask for.
  private(set) var doubts: [String: String] = [:]
  /// Why rules of `watch` cannot be judged: a step that acts, or takes time, is not the one that was run.
  private(set) var difference: String?

  /// What a step does. Those that judge may be edited and are still the same step; those that act may not.
  private struct Content: Equatable {
    var kind: String
    var ownID: String?
    /// All that it asks for.
    var all: String
    var isAction: Bool

    init(_ step: Plan.Step) {
      isAction = step.isAction
      // Ids that are made of the place in the document change with it; those of copies have a dot.
      let isOwn = !step.id.contains(".") && step.id.wholeMatch(of: /(s|setup|failure|finally)[0-9]+/) == nil
      ownID = isOwn ? step.id : nil
      var object: JSONObject = ["verb": .string(step.verb)]
      if !step.isFlow { object["args"] = .object(step.action.arguments) }
      object["role"] = step.role.map { .string($0.text) }
      object["if"] = step.condition?.json()
      object["skip"] = step.skip.map { .string($0) }
      all = JSONValue.object(object).serialized()
      kind = step.judgesStatuses ? "" : isAction ? all : step.verb
    }

    /// How well two steps fit; 0: they are two steps.
    func likeness(to other: Content) -> Int {
      guard kind == other.kind, ownID == other.ownID else { return 0 }
      return all == other.all ? 3 : ownID != nil ? 3 : 1
    }
  }

  /// Above this many pairs nothing between the equal beginnings and ends is matched: all of it counts as new.
  private static let tableLimit = 4_000_000

  /// - Parameters:
  ///   - run: The steps that were run, with those inside others, in the document's order.
  ///   - now: Those of the edited document.
  init(_ run: [Plan.Step], _ now: [Plan.Step]) {
    let (old, new) = (run.map(Content.init), now.map(Content.init))
    var start = 0
    while start < min(old.count, new.count), old[start].likeness(to: new[start]) == 3 { start += 1 }
    var tail = 0
    while tail < min(old.count, new.count) - start,
      old[old.count - 1 - tail].likeness(to: new[new.count - 1 - tail]) == 3
    { tail += 1 }
    let (middle, other) = (old[start..<old.count - tail], new[start..<new.count - tail])
    var pairs = (0..<start).map { ($0, $0) }
    pairs += Self.pairs(middle, other)
    pairs += (0..<tail).reversed().map { (old.count - 1 - $0, new.count - 1 - $0) }
    for (i, j) in pairs {
      edited[run[i].id] = now[j]
      runID[now[j].id] = run[i].id
    }
    doubt(run, old, now, new, pairs)
    difference = Self.difference(run, old, now, new, pairs)
  }

  /// The pairs of steps that fit best as a whole, each side in its order.
  private static func pairs(_ old: ArraySlice<Content>, _ new: ArraySlice<Content>) -> [(Int, Int)] {
    guard !old.isEmpty, !new.isEmpty, old.count * new.count <= tableLimit else { return [] }
    let width = new.count + 1
    // How well what follows two places fits.
    var best = [Int32](repeating: 0, count: (old.count + 1) * width)
    func place(_ i: Int, _ j: Int) -> Int { (i - old.startIndex) * width + j - new.startIndex }
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        let likeness = old[i].likeness(to: new[j])
        let both = likeness > 0 ? best[place(i + 1, j + 1)] + Int32(likeness) : 0
        best[place(i, j)] = max(both, best[place(i + 1, j)], best[place(i, j + 1)])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (old.startIndex, new.startIndex)
    while i < old.endIndex, j < new.endIndex {
      let likeness = old[i].likeness(to: new[j])
      if likeness > 0, best[place(i, j)] == best[place(i + 1, j + 1)] + Int32(likeness) {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if best[place(i, j)] == best[place(i, j + 1)] {
        j += 1
      } else {
        i += 1
      }
    }
    return pairs
  }

  /// No step after an action that only one of the documents has can be judged; that action is the reason.
  private mutating func doubt(
    _ run: [Plan.Step], _ old: [Content], _ now: [Plan.Step], _ new: [Content], _ pairs: [(Int, Int)]
  ) {
    var reason: String?
    var (i, j) = (0, 0)
    for (nextOld, nextNew) in pairs + [(old.count, new.count)] {
      while i < nextOld {
        if old[i].isAction { reason = reason ?? "the run did `\(run[i].name)` before it" }
        i += 1
      }
      while j < nextNew {
        doubts[now[j].id] = reason
        if new[j].isAction { reason = reason ?? "`\(now[j].name)` was not run" }
        j += 1
      }
      if nextNew < new.count { doubts[now[nextNew].id] = reason }
      (i, j) = (nextOld + 1, nextNew + 1)
    }
  }

  /// The first step that does something, and that only one of the documents has like this.
  private static func difference(
    _ run: [Plan.Step], _ old: [Content], _ now: [Plan.Step], _ new: [Content], _ pairs: [(Int, Int)]
  ) -> String? {
    let same = pairs.filter { old[$0.0].all == new[$0.1].all }
    let (oldSame, newSame) = (Set(same.map(\.0)), Set(same.map(\.1)))
    func doesSomething(_ step: Plan.Step) -> Bool { !step.judgesStatuses && !step.takesNoTime }
    if let index = now.indices.first(where: { !newSame.contains($0) && doesSomething(now[$0]) }) {
      return "`\(now[index].name)` was not run"
    }
    return run.indices.first { !oldSame.contains($0) && doesSomething(run[$0]) }.map { "the run did `\(run[$0].name)`" }
  }
}

/// Where a step stands among others.
struct StepPlace {
  /// The step before it in its list.
  var before: String?
  /// The step that holds its list.
  var parent: String?

  /// The places of all steps of a plan, by their ids.
  static func all(of plan: Plan) -> [String: StepPlace] {
    var places: [String: StepPlace] = [:]
    // The first step of the document stands behind the last that sets it up.
    var stack: [(list: [Plan.Step], parent: String?, before: String?)] = [
      (plan.setup, nil, nil), (plan.steps, nil, plan.setup.last?.id), (plan.onFailure, nil, plan.steps.last?.id),
      (plan.finally, nil, plan.onFailure.last?.id ?? plan.steps.last?.id),
    ]
    while let (list, parent, before) = stack.popLast() {
      var before = before
      for step in list {
        places[step.id] = StepPlace(before: before, parent: parent)
        before = step.id
        stack += step.nestedLists.map { ($0, step.id, nil) }
      }
    }
    return places
  }
}
