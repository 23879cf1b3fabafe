package import CastProtocol

/// What a scenario compiles to: a value, complete before the first packet. Nothing in it needs the document again.
package struct Plan: Codable, Hashable, Sendable {
  package var language = 1
  /// Stable identity in reports: the document's `id`, else its file's stem.
  package var id: String
  /// The text after `scenario:`.
  package var title: String
  /// The document as named on the command line.
  package var file: String
  package var tags: [String] = []
  package var device: DeviceSelector
  /// The devices the document knows, by inventory id: what `--device` may choose from.
  package var inventory: [String: DeviceSelector] = [:]
  /// Deadline of setup and steps together.
  package var timeout: Duration = .seconds(600)
  /// Deadline of on_failure and finally together.
  package var finallyTimeout: Duration = .seconds(30)
  package var timeouts = Timeouts()
  /// How long an expectation waits unless it says otherwise.
  package var within: Duration = .seconds(10)
  package var watch: [Monitor] = []
  package var setup: [Step] = []
  package var steps: [Step] = []
  package var onFailure: [Step] = []
  package var finally: [Step] = []
  /// Several devices in one story, in the document's order; `device` is then the first.
  package var roles: [Role] = []
  /// An independent run per device; `device` is then its first selector.
  package var devices: DeviceSet?
  /// Variables that a `set` assigns or a condition reads, with their first values, in the document's order.
  package var variables: [Assignment] = []
  /// The values of this row of the matrix, in the document's order.
  package var row: [RowValue] = []
  /// Of the whole scenario, from a clean session.
  package var retry = RetryPolicy()
  package var session = Session()
  package var takeover = Takeover.fail
  /// The places of the document's own keys, for messages about what cannot be run.
  package var keys: [String: SourceSpan] = [:]
  /// Those whose values the run needs, in the document's order.
  package var secrets: [Secret] = []
  /// When it runs by itself; for `serve`, and for exporting units.
  package var schedules: [Schedule] = []

  package init(id: String, title: String, file: String, device: DeviceSelector) {
    self.id = id
    self.title = title
    self.file = file
    self.device = device
  }

  /// `defaults.timeout` (docs/language/scenario.md "Defaults").
  package struct Timeouts: Codable, Hashable, Sendable {
    package var discover: Duration = .seconds(5)
    package var connect: Duration = .seconds(5)
    package var reply: Duration = .seconds(5)
    package var launch: Duration = .seconds(15)
    package var load: Duration = .seconds(30)
    package var step: Duration = .seconds(30)

    package init() {}
  }

  /// Which device; every part that is given must fit.
  package struct DeviceSelector: Codable, Hashable, Sendable {
    /// The inventory id it was named by; goes into `dev` of events.
    package var inventoryID: String?
    package var name: String?
    /// A glob with `*` and `?`.
    package var nameLike: String?
    package var id: String?
    /// No discovery at all.
    package var host: HostAndPort?
    package var model: String?
    package var modelLike: String?
    /// An entry of the inventory has this tag.
    package var tag: String?
    /// The entries that have the tag.
    package var tagged: [DeviceSelector] = []
    package var kind = Kind.any
    /// What a device must not match.
    package var excluded: [DeviceSelector] = []
    /// What the inventory asks of the device.
    package var requirements = DeviceRequirements()
    /// What other systems call the device; `nil`: the inventory does not say.
    package var foreignIDs: [String: String]?
    package var span: SourceSpan

    package enum Kind: String, Codable, Hashable, Sendable { case device, group, any }

    package init(span: SourceSpan) { self.span = span }
  }

  /// A rule for the whole run (docs/language/scenario.md "Rules for the whole run").
  package struct Monitor: Codable, Hashable, Sendable {
    package enum Rule: Codable, Hashable, Sendable {
      case always(Condition)
      case never(Condition)
    }
    package var name: String
    package var rule: Rule
    /// The rule is broken only after this long in a row.
    package var forAtLeast: Duration?
    package var ifFails: IfFails
    package var span: SourceSpan

    package init(name: String, rule: Rule, forAtLeast: Duration?, ifFails: IfFails, span: SourceSpan) {
      self.name = name
      self.rule = rule
      self.forAtLeast = forAtLeast
      self.ifFails = ifFails
      self.span = span
    }
  }

  package enum IfFails: String, Codable, Hashable, Sendable { case stop, `continue`, ignore }

  /// What `run --resume` does with a step that was under way when its run died (docs/runs.md "A run that died").
  package enum OnResume: String, Codable, Hashable, Sendable, CaseIterable {
    /// Ask the device: what it has from the step is taken over, else the step is done again.
    case adopt
    /// Do it again without asking.
    case replay
    /// Never do it again.
    case skip
  }

  /// One thing to do or to judge.
  package struct Step: Codable, Hashable, Sendable {
    /// `s3`, or what `id:` says.
    package var id: String
    /// What reports show: `name:`, else verb and main argument.
    package var name: String
    package var verb: String
    package var action: Action
    /// One try.
    package var timeout: Duration
    /// Whether `timeout:` says so; else it is reckoned, and nothing ends a step that holds others before its steps do.
    package var hasTimeout = false
    @OwnRetryPolicy package var retry: RetryPolicy
    package var ifFails: IfFails
    /// What `on_resume:` says; `nil`: as the verb has it.
    package var onResume: OnResume?
    /// Status fields to keep under a name at the end of the step.
    package var save: [SavedField]
    /// The only device unless the document has roles.
    package var role: RoleTarget?
    /// `if:`; false skips the step, what cannot be judged is an error.
    package var condition: Condition?
    /// Why it is always skipped.
    package var skip: String?
    package var tags: [String] = []
    /// The verb's place.
    package var span: SourceSpan
    /// The place of what `within` or `during` says.
    package var limitSpan: SourceSpan?

    package init(
      id: String, name: String, verb: String, action: Action, timeout: Duration, retry: RetryPolicy = RetryPolicy(),
      ifFails: IfFails = .stop, save: [SavedField] = [], span: SourceSpan
    ) {
      self.id = id
      self.name = name
      self.verb = verb
      self.action = action
      self.timeout = timeout
      self.retry = retry
      self.ifFails = ifFails
      self.save = save
      self.span = span
    }
  }

  package struct SavedField: Codable, Hashable, Sendable {
    package var name: String
    package var field: FieldPath
  }
}
