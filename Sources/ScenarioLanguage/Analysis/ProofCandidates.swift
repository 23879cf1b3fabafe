package import CastProtocol

/// The steps and monitors of which the document alone says that they cannot pass, cannot fail or show nothing.
///
/// Nothing is simulated here; whoever tells a person has a simulation confirm each.
package struct ProofCandidates {
  /// A step that cannot pass.
  package struct NeverPassing {
    package var step: Plan.Step
    package var contradiction: Contradiction
    /// What is known of the device when the step begins.
    package var state: StaticDeviceState
  }

  /// An expectation that held before the action that should bring it about.
  package struct AlreadyTrue {
    package var step: Plan.Step
    var action: Plan.Step
    /// The step that had set it before.
    var setter: SourceSpan
    var field: String
  }

  /// A `never` that cannot fail: what must not be, never can.
  package struct NeverFailing {
    /// `nil` for a monitor.
    package var stepID: String?
    package var name: String
    var verbSpan: SourceSpan
    var contradiction: Contradiction
    var media: String
    var film: MediaInformation
  }

  package private(set) var neverPassing: [NeverPassing] = []
  package private(set) var alreadyTrue: [AlreadyTrue] = []
  package private(set) var neverFailing: [NeverFailing] = []

  package var isEmpty: Bool { neverPassing.isEmpty && alreadyTrue.isEmpty && neverFailing.isEmpty }

  /// Whether a condition holds where these fields have these values.
  package typealias Judge = (Condition, [String: JSONValue]) -> Bool

  /// Goes through the steps of a plan and its monitors once; nothing is simulated.
  package init(in plan: Plan, judge holds: Judge) {
    var state = StaticDeviceState()
    // Unrolled copies of a step stand in one place; it is useless only if all of them are.
    var copies: [SourceSpan: Int] = [:]
    var found = ProofCandidates()
    state.follow(plan.setup + plan.steps, plan.timeouts) { step, state in
      found.judge(step, state, holds)
      if case .expect = step.action { copies[step.span, default: 0] += 1 }
    }
    let counts = Dictionary(found.alreadyTrue.map { ($0.step.span, 1) }, uniquingKeysWith: +)
    found.alreadyTrue = found.alreadyTrue.filter { counts[$0.step.span] == copies[$0.step.span] }
    var seen: Set<SourceSpan> = []
    found.alreadyTrue = found.alreadyTrue.filter { seen.insert($0.step.span).inserted }
    for monitor in plan.watch { found.judge(monitor, in: plan) }
    self = found
  }

  private init() {}

  private mutating func judge(_ step: Plan.Step, _ state: StaticDeviceState, _ holds: Judge) {
    // Where a failure is no failure, the document does not ask for it to pass.
    if step.ifFails == .ignore { return }
    var found: Contradiction?
    switch step.action {
    case .expect(let action):
      found = Contradiction.find(in: action.condition, for: action.within, from: state)
      if found == nil { judgeUse(of: step, action, state, holds) }
    case .always(let action):
      found =
        Contradiction.find(in: action.condition, for: action.during, from: state)
        ?? Contradiction.breakComes(in: action.condition, isNever: false, during: action.during, from: state)
    case .never(let action):
      if action.forAtLeast == nil {
        found = Contradiction.breakComes(in: action.condition, isNever: true, during: action.during, from: state)
      }
      if let film = state.film, let missing = Contradiction.missingName(in: action.condition, of: film) {
        neverFailing.append(
          NeverFailing(
            stepID: step.id, name: step.name, verbSpan: step.span, contradiction: missing, media: state.mediaName,
            film: film))
      }
    case .expectSequence(let action): found = Contradiction.find(in: action, from: state)
    default: return  // Nothing that could be judged from the document alone.
    }
    if let found { neverPassing.append(NeverPassing(step: step, contradiction: found, state: state)) }
  }

  private mutating func judgeUse(
    of step: Plan.Step, _ expect: Plan.ExpectAction, _ state: StaticDeviceState, _ holds: Judge
  ) {
    guard state.isFresh, let action = state.lastAction, let field = action.fieldItSets else { return }
    let all = Conjunction(expect.condition)
    guard expect.holdFor == nil, all.choices.isEmpty, all.leaves.count == expect.condition.leaves.count,
      all.leaves.contains(where: { $0.path.text == field }), let setter = state.factsBefore[field],
      all.leaves.allSatisfy({ state.factsBefore[$0.path.text] != nil && $0.matcher.isKnown }),
      holds(expect.condition, state.factsBefore.mapValues(\.value))
    else { return }
    alreadyTrue.append(AlreadyTrue(step: step, action: action, setter: setter.span, field: field))
  }

  private mutating func judge(_ monitor: Plan.Monitor, in plan: Plan) {
    guard case .never(let condition) = monitor.rule, !plan.allSteps.contains(where: \.loadsUnseen) else { return }
    var first: NeverFailing?
    for step in plan.allSteps {
      guard case .load = step.action else { continue }
      var state = StaticDeviceState()
      state.loadStep = step
      guard let film = state.film, let missing = Contradiction.missingName(in: condition, of: film) else { return }
      first =
        first
        ?? NeverFailing(
          stepID: nil, name: monitor.name, verbSpan: monitor.span, contradiction: missing, media: state.mediaName,
          film: film)
    }
    if let first { neverFailing.append(first) }
  }
}

extension Plan.Step {
  /// Whether other media than those of `load` may play after it.
  fileprivate var loadsUnseen: Bool {
    switch action {
    case .queue, .queueInsert, .queueUpdate, .transfer, .send, .probe: true
    case .discover, .connect, .disconnect, .launch, .stopApp, .volume, .mute, .load, .play, .pause, .stop, .seek, .rate,
      .tracks, .textStyle, .skipAd, .refresh, .wait, .waitUntil, .mark, .log, .fail, .expect, .always, .never,
      .expectSequence, .queueRemove, .queueJump, .queueReorder, .expectMessage, .expectTogether, .set, .save, .group,
      .choose, .repeat, .forEach, .parallel, .exec:
      false
    }
  }

  /// The status field that the step is there to change, where that is one and its value stands in the document.
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
