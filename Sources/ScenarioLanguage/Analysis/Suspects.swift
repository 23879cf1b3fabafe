import CastProtocol

/// What a plan's own words rule out: what a simulation has to confirm.
package struct Suspects {
  /// A step that cannot pass.
  package struct Impossible {
    package var step: Plan.Step
    package var impossibility: Impossibility
    /// What is known of the device when the step begins.
    package var state: KnownState
  }

  /// An expectation that held before the action that should bring it about.
  package struct Useless {
    package var step: Plan.Step
    var action: Plan.Step
    /// The step that had set it before.
    var setter: SourceSpan
    var field: String
  }

  /// Something that must never be, and never can.
  package struct Vacuous {
    /// `nil` for a monitor.
    package var stepID: String?
    package var name: String
    var verbSpan: SourceSpan
    var impossibility: Impossibility
    var media: String
    var film: MediaInformation
  }

  package private(set) var impossible: [Impossible] = []
  package private(set) var useless: [Useless] = []
  package private(set) var vacuous: [Vacuous] = []

  package var isEmpty: Bool { impossible.isEmpty && useless.isEmpty && vacuous.isEmpty }

  /// Goes through the steps of a plan and its monitors once; nothing is simulated.
  package init(in plan: Plan) {
    var state = KnownState()
    // Unrolled copies of a step stand in one place; it is useless only if all of them are.
    var copies: [SourceSpan: Int] = [:]
    var found = Suspects()
    state.go(through: plan.setup + plan.steps, plan.timeouts) { step, state in
      found.judge(step, state)
      if case .expect = step.action { copies[step.span, default: 0] += 1 }
    }
    let counts = Dictionary(found.useless.map { ($0.step.span, 1) }, uniquingKeysWith: +)
    found.useless = found.useless.filter { counts[$0.step.span] == copies[$0.step.span] }
    var seen: Set<SourceSpan> = []
    found.useless = found.useless.filter { seen.insert($0.step.span).inserted }
    for monitor in plan.watch { found.judge(monitor, in: plan) }
    self = found
  }

  private init() {}

  private mutating func judge(_ step: Plan.Step, _ state: KnownState) {
    // Where a failure is no failure, the document does not ask for it to pass.
    if step.ifFails == .ignore { return }
    var found: Impossibility?
    switch step.action {
    case .expect(let action):
      found = Impossibility.find(in: action.condition, for: action.within, from: state)
      if found == nil { judgeUse(of: step, action, state) }
    case .always(let action):
      found =
        Impossibility.find(in: action.condition, for: action.during, from: state)
        ?? Impossibility.breakComes(in: action.condition, isNever: false, during: action.during, from: state)
    case .never(let action):
      if action.forAtLeast == nil {
        found = Impossibility.breakComes(in: action.condition, isNever: true, during: action.during, from: state)
      }
      if let film = state.film, let missing = Impossibility.missingName(in: action.condition, of: film) {
        vacuous.append(
          Vacuous(
            stepID: step.id, name: step.name, verbSpan: step.span, impossibility: missing, media: state.mediaName,
            film: film))
      }
    case .expectSequence(let action): found = Impossibility.find(in: action, from: state)
    default: return
    }
    if let found { impossible.append(Impossible(step: step, impossibility: found, state: state)) }
  }

  private mutating func judgeUse(of step: Plan.Step, _ expect: Plan.ExpectAction, _ state: KnownState) {
    guard state.isFresh, let action = state.lastAction, let field = action.fieldItSets else { return }
    let all = Conjunction(expect.condition)
    guard expect.holdFor == nil, all.choices.isEmpty, all.leaves.count == expect.condition.leaves.count,
      all.leaves.contains(where: { $0.path.text == field }), let setter = state.factsBefore[field],
      all.leaves.allSatisfy({ state.factsBefore[$0.path.text] != nil && $0.matcher.isKnown }),
      expect.condition.mismatches(value: { state.factsBefore[$0.text]?.value }).isEmpty
    else { return }
    useless.append(Useless(step: step, action: action, setter: setter.span, field: field))
  }

  private mutating func judge(_ monitor: Plan.Monitor, in plan: Plan) {
    guard case .never(let condition) = monitor.rule, !plan.allSteps.contains(where: \.loadsUnseen) else { return }
    var first: Vacuous?
    for step in plan.allSteps {
      guard case .load = step.action else { continue }
      var state = KnownState()
      state.loadStep = step
      guard let film = state.film, let missing = Impossibility.missingName(in: condition, of: film) else { return }
      first =
        first
        ?? Vacuous(
          stepID: nil, name: monitor.name, verbSpan: monitor.span, impossibility: missing, media: state.mediaName,
          film: film)
    }
    if let first { vacuous.append(first) }
  }
}

extension Plan.Step {
  /// Whether other media than those of `load` may play after it.
  fileprivate var loadsUnseen: Bool {
    switch action {
    case .queue, .queueInsert, .queueUpdate, .transfer, .send, .probe: true
    default: false
    }
  }

  /// The status field that the step is there to change.
  fileprivate var fieldItSets: String? {
    switch action {
    case .rate: "rate"
    case .tracks: "active_tracks"
    case .mute: "volume.muted"
    case .play, .pause: "player"
    default: nil
    }
  }
}

extension Matcher {
  /// Whether it compares with nothing that only the run knows.
  fileprivate var isKnown: Bool {
    switch self {
    case .equals(let operand), .about(let operand, _):
      if case .literal = operand.base { true } else { false }
    case .range(let min, let max, let above, let below):
      [min, max, above, below].allSatisfy { operand in
        if case .saved? = operand?.base { false } else { true }
      }
    case .oneOf, .has, .only, .exists: true
    default: false
    }
  }
}
