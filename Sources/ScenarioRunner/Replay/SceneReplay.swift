import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Judges what one scenario of a run saw: first it gathers which steps were run and when, then each is judged by itself.
struct SceneReplay {
  /// A moment of the run.
  struct Moment {
    /// Of the event then.
    var number: Int
    var time: Duration

    init(_ event: Event) { (number, time) = (event.number, event.showTime) }
    init(number: Int, time: Duration) { (self.number, self.time) = (number, time) }
  }

  /// A step of the edited document, with when it began.
  struct Begun {
    var step: Plan.Step
    /// `nil` where it is not known.
    var device: String?
    var pass: Int?
    var start: Moment
    var end: Moment?
    var hasPassed: Bool?
    /// What ended it in the run, where that was none of what it judges.
    var cause: String?
    /// The values saved by then.
    var saved: [String: JSONValue]
    /// It is new in the edited document: nothing of it was run.
    var isNew = false
    /// The added step that it follows, whose end it begins at.
    var follows: String?
    var isCleanup = false
  }

  let events: ArraySlice<Event>
  let histories: [String: DeviceHistory]
  let plan: Plan
  let matching: StepMatching
  /// The rules of the document that was run.
  let oldRules: Set<String>
  /// Variables that a `set` step changes: events do not record their values.
  let untoldNames: Set<String>
  /// The device of each role.
  let roles: [String: String]
  /// Its devices; empty: whatever events are of its document.
  let devices: Set<String>
  private let places: [String: StepPlace]
  private let cleanup: Set<String>
  private(set) var begun: [Begun] = []
  /// Steps of the edited document that the run did not come to.
  private(set) var missed: [Plan.Step] = []
  /// Added steps of which nobody can tell when they would have begun.
  private(set) var unplaced: [Plan.Step] = []
  /// When the steps were done: then the app is left, or what cleans up begins.
  private(set) var end: Moment?
  /// The actions of each device, in order.
  private(set) var actions: [String: [(id: String, start: Moment, isCleanup: Bool)]] = [:]

  init(
    events: ArraySlice<Event>, document: String, devices: Set<String>, roles: [String: String],
    histories: [String: DeviceHistory], old: Plan, plan: Plan
  ) {
    let (old, plan) = (old.withRolesWrittenOut, plan.withRolesWrittenOut)
    self.events = events
    self.histories = histories.filter { devices.isEmpty || devices.contains($0.key) }
    self.plan = plan
    self.devices = devices
    self.roles = roles
    matching = StepMatching(old.allSteps, plan.allSteps)
    oldRules = Set(old.watch.map(\.name))
    untoldNames = old.allSteps.reduce(into: []) { names, step in
      if case .set(let assignments) = step.action { names.formUnion(assignments.map(\.name)) }
    }
    places = StepPlace.all(of: plan)
    cleanup = Set((plan.onFailure + plan.finally).flattened.map(\.id))
    gather(document)
  }

  // MARK: which steps were run

  /// Added steps that judge, by what they begin with.
  private struct Added {
    /// The end of another step.
    var after: [String: [Plan.Step]] = [:]
    /// The begin of the step that holds them.
    var inside: [String: [Plan.Step]] = [:]
    /// The begin of all.
    var first: [Plan.Step] = []
    /// Nobody can tell.
    var unplaced: [Plan.Step] = []
  }

  private var added: Added {
    let steps = Dictionary(plan.allSteps.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var added = Added()
    for step in plan.allSteps where step.judgesStatuses && matching.runID[step.id] == nil && step.skip == nil {
      var id = step.id
      // Up to a step whose begin or end is known; what only tells something takes no time.
      search: while true {
        if let before = places[id]?.before, let other = steps[before] {
          if matching.runID[before] != nil || other.judgesStatuses {
            added.after[before, default: []].append(step)
          } else if other.takesNoTime {
            id = before
            continue search
          } else {
            added.unplaced.append(step)
          }
        } else if let parent = places[id]?.parent {
          if matching.runID[parent] == nil {
            id = parent
            continue search
          }
          added.inside[parent, default: []].append(step)
        } else {
          added.first.append(step)
        }
        break
      }
    }
    return added
  }

  private mutating func gather(_ document: String) {
    let added = added
    var saved: [String: JSONValue] = [:]
    for variable in plan.variables where !untoldNames.contains(variable.name) {
      if case .literal(let value) = variable.value { saved[variable.name] = value }
    }
    var open: [String: Int] = [:]
    var told: [String: StepResult] = [:]
    var isFirst = true
    for event in events
    where event.device.map({ devices.isEmpty || devices.contains($0) }) ?? (event.document == document) {
      guard let id = event.step else { continue }
      let key = "\(event.device ?? "")\u{0}\(id)"
      switch event.kind {
      case .stepStarted(let started):
        if isFirst { add(added.first, added, event, pass: nil, saved) }
        isFirst = false
        guard let step = matching.edited[id] else { continue }
        open[key] = begun.count
        let isCleanup = cleanup.contains(step.id)
        begun.append(
          Begun(
            step: step, device: device(of: step, else: event.device), pass: started.pass, start: Moment(event),
            saved: saved, isCleanup: isCleanup))
        if step.isAction, let device = event.device {
          actions[device, default: []].append((step.id, Moment(event), isCleanup))
        }
        add(added.inside[step.id] ?? [], added, event, pass: started.pass, saved)
      case .attemptFailed(let failed):
        let isJudged = [.expectation, .timeout].contains(failed.error.errorClass)
        if !isJudged, let index = open[key] { begun[index].cause = failed.error.className }
      case .stepFinished(let finished):
        for member in finished.saved?.members ?? [] { saved[member.name] = member.value }
        guard let step = matching.edited[id] else { continue }
        told[step.id] = finished.result
        if let index = open.removeValue(forKey: key) {
          begun[index].end = Moment(event)
          begun[index].hasPassed = finished.result.isGood ? true : finished.result.isBad ? false : nil
          add(added.after[step.id] ?? [], added, event, pass: finished.pass, saved)
        }
      default: break
      }
    }
    unplaced = added.unplaced
    findEnd()
    findMissed(told)
  }

  /// Adds steps that were not run and begin with an event, and those that follow each of them.
  private mutating func add(
    _ steps: [Plan.Step], _ added: Added, _ event: Event, pass: Int?, _ saved: [String: JSONValue]
  ) {
    var waiting = steps.reversed().map { (step: $0, follows: String?.none) }
    while let (step, follows) = waiting.popLast() {
      begun.append(
        Begun(
          step: step, device: device(of: step, else: plan.roles.isEmpty ? event.device : nil), pass: pass,
          start: Moment(event), saved: saved, isNew: true, follows: follows, isCleanup: cleanup.contains(step.id)))
      waiting += (added.after[step.id] ?? []).reversed().map { ($0, step.id) }
    }
  }

  private func device(of step: Plan.Step, else device: String?) -> String? {
    if case .one(let role)? = step.role, !roles.isEmpty { return roles[role] }
    return device ?? (devices.count == 1 ? devices.first : nil)
  }

  private mutating func findEnd() {
    let isOver = events.contains { if case .scenarioFinished = $0.kind { true } else { false } }
    let ends = begun.filter { !$0.isCleanup }.compactMap(\.end)
    end = (isOver ? ends.max { $0.number < $1.number } : nil) ?? events.last.map(Moment.init)
  }

  /// Steps that were not begun though the run got to where they stand; those of a branch that was not taken are not missed.
  private mutating func findMissed(_ told: [String: StepResult]) {
    let known = Set((begun.map(\.step) + unplaced).map(\.id))
    let isOver = events.contains { if case .scenarioFinished = $0.kind { true } else { false } }
    let own = Set((plan.setup + plan.steps).map(\.id))
    for step in plan.allSteps where step.judgesStatuses && step.skip == nil && !known.contains(step.id) {
      var before: String? = step.id
      // Of several added steps the first that follows one of the run tells.
      while let id = before, matching.runID[id] == nil { before = places[id]?.before ?? places[id]?.parent }
      let isTold = before.flatMap { told[$0] } == .notRun
      if isTold || (!isOver && own.contains(step.id)) { missed.append(step) }
    }
  }
}
