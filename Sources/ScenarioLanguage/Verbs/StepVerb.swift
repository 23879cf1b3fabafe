import CastProtocol

/// One verb of the language: what it takes, and how a step with it is compiled. Each has a file of its own below this
/// folder, and a case of ``Verb``.
protocol StepVerb {
  static var spec: VerbSpec { get }

  /// What a checked step does; `nil` after a report.
  ///
  /// - Parameter id: The step's id, which begins the ids of steps inside it.
  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled?
}

/// What one step does, and what is printed, sent and handed over of it.
protocol PlanAction {
  /// The verb's arguments, defaults filled in, under the names of the long form.
  var arguments: JSONObject { get }
  /// What a listing says below the step's name; `nil` where the name says all.
  var detail: String? { get }
  /// Whether the step means a device, so that with several roles it must say which.
  var needsRole: Bool { get }
  /// The media that the step itself hands to a device.
  var media: [MediaInformation] { get }
  /// The lists of steps that it holds, in the document's order; none but for a ``FlowAction``.
  var heldSteps: [Plan.NestedSteps] { get }
  /// The action with other steps inside it; `nil` but for a ``FlowAction``.
  func changingNested(_ change: (inout [Plan.NestedSteps]) -> Void) -> Plan.Action?

  /// What it sends, for `plan --wire`: ids are 0, and what only a run knows stands between `‹` and `›`.
  ///
  /// - Parameter trackIDs: The wire ids of the tracks of what was loaded last, by the document's names.
  func messages(trackIDs: inout [String: Int]) -> [JSONValue]
}

extension PlanAction {
  var detail: String? { nil }
  var heldSteps: [Plan.NestedSteps] { [] }
  func changingNested(_ change: (inout [Plan.NestedSteps]) -> Void) -> Plan.Action? { nil }
}

/// An action that sends nothing that is known before the run, and hands over no media.
protocol LocalAction: PlanAction {}

extension LocalAction {
  var media: [MediaInformation] { [] }
  func messages(trackIDs: inout [String: Int]) -> [JSONValue] { [] }
}

/// An action that asks something of its device, and hands it no media.
protocol ControlAction: PlanAction {}

extension ControlAction {
  var needsRole: Bool { true }
  var media: [MediaInformation] { [] }
}

/// A verb, and at the same time its action, that puts a text into the run's reports.
protocol TextVerb: StepVerb, LocalAction {
  var text: Template { get }
  static func action(_ text: Template) -> Plan.Action
}

extension TextVerb {
  static func compile(_ step: StepFields, id: String, in compiler: inout StepCompiler) -> StepCompiler.Compiled? {
    compiler.planText(step.value).map { .init(action: action($0), argument: compiler.shown(step.value)) }
  }

  var arguments: JSONObject { ["text": .string(text.source)] }
  var needsRole: Bool { false }
}

/// An action that holds steps.
protocol FlowAction: LocalAction {
  /// Its lists of steps in the document's order; setting it must keep their number.
  var nested: [Plan.NestedSteps] { get set }
  /// As a plan's step has it.
  var asAction: Plan.Action { get }
}

extension FlowAction {
  var heldSteps: [Plan.NestedSteps] { nested }

  func changingNested(_ change: (inout [Plan.NestedSteps]) -> Void) -> Plan.Action? {
    var action = self
    var lists = nested
    change(&lists)
    action.nested = lists
    return action.asAction
  }
}

extension Plan {
  /// A list of steps inside a step.
  struct NestedSteps {
    var steps: [Step]
    /// What a listing calls them; `nil` for those that stand directly below their step.
    var title: String?

    init(_ steps: [Step], title: String? = nil) {
      self.steps = steps
      self.title = title
    }
  }
}

extension JSONValue {
  /// Puts a value in a member's place; `nil` leaves it as it is.
  mutating func fill(_ name: String, _ value: JSONValue?) {
    guard let value, case .object(var object) = self else { return }
    object[name] = value
    self = .object(object)
  }
}
