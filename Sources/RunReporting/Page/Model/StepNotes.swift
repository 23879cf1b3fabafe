import CastProtocol
import ScenarioLanguage

/// What a page tells of steps besides what every report tells: the messages before a failure, what was judged, saved,
/// and told by receiver pages.
struct StepNotes: Sendable {
  /// A message that was sent or received.
  struct Message: Sendable {
    /// Document seconds since the run began.
    var time: Double
    var isSent: Bool
    var message: EventKind.WireMessage
  }

  struct Note: Sendable {
    var verb: String?
    var saved: JSONObject?
    /// The last expectation that held.
    var passed: EventKind.Expectation?
    /// The last messages of its device when it failed.
    var messages: [Message] = []
    /// The errors of a receiver page, the last ``pageLimit`` of them, and the paths of its pictures.
    var pages: [String] = []
    var pictures: [String] = []
    /// How many steps that stand in it were run, and how many of those were no failures.
    var inner = 0
    var innerGood = 0
    var hasInnerFailure = false
  }

  /// How many messages are told of a failure, and of how many failures in a run.
  static let messageLimit = 8
  static let failureLimit = 40
  static let pageLimit = 16

  private var notes: [String: Note] = [:]
  private var rings: [String: [Message]] = [:]
  private var failures = 0
  /// Failures of which the messages are not told, for there were too many.
  private(set) var failuresWithoutMessages = 0
  /// How many messages were recorded as they passed.
  private(set) var messageCount = 0

  private static func key(_ scenario: Int, _ device: String?, _ step: String) -> String {
    "\(scenario)\u{0}\(device ?? "")\u{0}\(step)"
  }

  /// The key of a step that holds another: of several devices, it is of none.
  private func parentKey(_ scenario: Int, _ device: String?, _ parent: String) -> String {
    let own = Self.key(scenario, device, parent)
    return notes[own] == nil ? Self.key(scenario, nil, parent) : own
  }

  func note(of step: RunTranscript.Step, in scenario: Int) -> Note {
    notes[Self.key(scenario, step.device, step.id)] ?? Note()
  }

  mutating func record(_ event: Event, in scenario: Int?) {
    switch event.kind {
    case .request(let message): hear(Message(time: event.elapsed, isSent: true, message: message), of: event.device)
    case .reply(let message): hear(Message(time: event.elapsed, isSent: false, message: message), of: event.device)
    case .messages(let last):
      for kept in last.messages {
        hear(Message(time: kept.elapsed, isSent: kept.isSent, message: kept.message), of: event.device)
      }
    default: break
    }
    if event.type == .request || event.type == .reply { messageCount += 1 }
    guard let scenario, let step = event.step else { return }
    let key = Self.key(scenario, event.device, step)
    switch event.kind {
    case .stepStarted(let started):
      // In another pass of a loop it is told anew.
      notes[key] = Note(verb: started.verb)
      if let parent = started.parent { notes[parentKey(scenario, event.device, parent)]?.inner += 1 }
    case .stepFinished(let finished):
      if let saved = finished.saved { notes[key, default: Note()].saved = saved }
      if notes[key]?.verb == nil { notes[key, default: Note()].verb = finished.verb }
      if let parent = finished.parent, finished.result.isGood {
        notes[parentKey(scenario, event.device, parent)]?.innerGood += 1
      }
      guard finished.result.isBad else { break }
      if let parent = finished.parent { notes[parentKey(scenario, event.device, parent)]?.hasInnerFailure = true }
      // Else they are told already, or with the step in it that failed.
      let note = notes[key] ?? Note()
      if note.messages.isEmpty, !note.hasInnerFailure { keepMessages(key, event.device) }
    case .attemptFailed, .expectFailed, .messages: keepMessages(key, event.device)
    case .expectPassed(let judged): notes[key, default: Note()].passed = judged
    case .page(let page): if page.level == .error { see(page.oneLine, key) }
    case .screenshot(let picture):
      if notes[key, default: Note()].pictures.count < Self.pageLimit { notes[key]?.pictures.append(picture.path) }
    default: break
    }
  }

  private mutating func see(_ line: String, _ key: String) {
    notes[key, default: Note()].pages.append(line)
    if notes[key]?.pages.count ?? 0 > Self.pageLimit { notes[key]?.pages.removeFirst() }
  }

  private mutating func hear(_ message: Message, of device: String?) {
    rings[device ?? "", default: []].append(message)
    if rings[device ?? "", default: []].count > Self.messageLimit { rings[device ?? ""]?.removeFirst() }
  }

  /// Keeps the last messages with a failure.
  private mutating func keepMessages(_ key: String, _ device: String?) {
    guard let ring = rings[device ?? ""] else { return }
    let isFirst = notes[key]?.messages.isEmpty ?? true
    guard failures < Self.failureLimit || !isFirst else {
      failuresWithoutMessages += 1
      return
    }
    if isFirst { failures += 1 }
    notes[key, default: Note()].messages = ring
  }
}
