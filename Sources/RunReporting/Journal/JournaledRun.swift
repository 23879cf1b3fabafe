package import CastProtocol

/// What a run had done when it died, found by the keys of its scenarios and steps.
package struct JournaledRun: Sendable {
  /// The run's id.
  package let run: String
  package let begin: JournalEntry.Begin
  /// All records behind the first, in order.
  package let entries: [JournalEntry]
  /// How long it had gone on, in document seconds.
  package let elapsed: Double
  package private(set) var end: JournalEntry.End?
  /// The run that has gone on with it.
  package private(set) var resumedBy: String?
  private var dones: [String: JournalEntry.Done] = [:]
  /// The keys of ``dones``, sorted, with their places in the journal.
  private var order: [(key: String, place: Int)] = []
  private var intents: [String: JournalEntry.Intent] = [:]
  private var starts: Set<String> = []
  private var choices: [String: Int] = [:]
  private var broken: [String: [String]] = [:]
  private var cleanups: [String: JournalEntry.Cleanup] = [:]
  private var scenarioEnds: [String: JournalEntry.ScenarioEnd] = [:]
  /// The first and the last moment of each try of a scenario.
  private var spans: [String: ClosedRange<Double>] = [:]
  private var own: [String: JSONObject] = [:]
  /// What had begun or was over of each row and repeat: the keys of the choices of its devices.
  private var devices: [String: Set<String>] = [:]
  /// How the run was being ended from outside; `nil`: it was not.
  package private(set) var interruption: JournalEntry.Cleanup?

  /// - Returns: `nil` where the journal does not begin as ours do.
  package init?(_ reader: JournalReader) {
    guard let run = reader.run, case .begin(let begin)? = reader.entries.first?.kind else { return nil }
    (self.run, self.begin) = (run, begin)
    entries = Array(reader.entries.dropFirst())
    elapsed = reader.entries.map(\.elapsed).max() ?? 0
    for (place, entry) in entries.enumerated() { take(entry, at: place) }
    order.sort { ($0.key, $0.place) < ($1.key, $1.place) }
  }

  /// The part of a key that is the scenario's.
  private static func scenario(of key: String) -> String { String(key.prefix { $0 != ":" }) }

  private mutating func take(_ entry: JournalEntry, at place: Int) {
    switch entry.kind {
    case .begin: break
    case .scenario(let scenario): see(scenario.key, at: entry.elapsed)
    case .start(let start):
      starts.insert(start.key)
      see(start.key, at: entry.elapsed)
    case .choice(let choice):
      choices[choice.key] = choice.value
      see(choice.key, at: entry.elapsed)
    case .intent(let intent):
      intents[intent.key] = intent
      see(intent.key, at: entry.elapsed)
    case .done(let done):
      if dones.updateValue(done, forKey: done.key) == nil { order.append((done.key, place)) }
      see(done.key, at: entry.elapsed)
      for member in done.own.members {
        own[Self.scenario(of: done.key), default: [:]][member.name] = member.value
      }
    case .broken(let rule):
      broken[rule.key, default: []].append(rule.name)
      see(rule.key, at: entry.elapsed)
    case .cleanup(let cleanup):
      cleanups[cleanup.key] = cleanup
      if interruption == nil, cleanup.cause == .interrupted || cleanup.cause == .terminated { interruption = cleanup }
      see(cleanup.key, at: entry.elapsed)
    case .scenarioEnd(let end):
      scenarioEnds[end.key] = end
      note(Self.scenario(of: end.key))
    case .end(let end): self.end = end
    case .resumed(let resumed): resumedBy = resumed.by
    }
  }

  private mutating func see(_ key: String, at elapsed: Double) {
    let scenario = Self.scenario(of: key)
    let begin = spans[scenario]?.lowerBound ?? elapsed
    spans[scenario] = begin...max(begin, elapsed)
    note(scenario)
  }

  private mutating func note(_ scenario: String) {
    let place = scenario.prefix { $0 != "#" }.split(separator: "@", maxSplits: 1)
    guard let row = place.first else { return }
    devices[String(row), default: []].formUnion(place.dropFirst().map(String.init))
  }

  /// What a step came to; `nil` where it is not done.
  package func done(_ key: String) -> JournalEntry.Done? { dones[key] }
  /// The last try of a step that changes something; it may be done.
  package func intent(_ key: String) -> JournalEntry.Intent? { intents[key] }
  package func hasStarted(_ key: String) -> Bool { starts.contains(key) || intents[key] != nil }
  package func choice(_ key: String) -> Int? { choices[key] }
  /// The rules of `watch` that were broken in a scenario.
  package func brokenRules(of scenario: String) -> [String] { broken[scenario] ?? [] }
  package func cleanup(of scenario: String) -> JournalEntry.Cleanup? { cleanups[scenario] }
  package func end(of scenario: String) -> JournalEntry.ScenarioEnd? { scenarioEnds[scenario] }
  /// Whether a try of a scenario was connected to its devices, so that steps of it may have been done.
  package func hasBegun(_ scenario: String) -> Bool { spans[scenario] != nil }
  /// Whether anything of a row, or of a repeat of it, had begun or was over.
  package func hasBegun(row: String) -> Bool { devices[row] != nil }
  /// The keys of the choices of the devices that took part in a row, sorted; without `devices:` none.
  package func devices(ofRow row: String) -> [String] { (devices[row] ?? []).sorted() }
  /// How long a scenario had gone on, in document seconds.
  package func spent(in scenario: String) -> Double { spans[scenario].map { $0.upperBound - $0.lowerBound } ?? 0 }
  /// What was ours on a device when the last step was done.
  package func own(of device: Int, in scenario: String) -> JSONObject? { own[scenario]?[String(device)]?.object }

  /// The steps that are done under a key, in the order in which they were.
  package func dones(below prefix: String) -> [JournalEntry.Done] {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle].key < prefix { low = middle + 1 } else { high = middle }
    }
    let found = order[low...].prefix { $0.key.hasPrefix(prefix) }
    return found.sorted { $0.place < $1.place }.compactMap { dones[$0.key] }
  }

  /// Whether a step on a device was under way that may have changed which app or media are ours.
  package func leavesAppOpen(on device: Int, in scenario: String) -> Bool {
    intents.contains { key, intent in
      intent.changesApp && (intent.device ?? 0) == device && dones[key] == nil && key.hasPrefix(scenario + ":")
    }
  }

  /// How many steps are done, and how many were under way.
  package var counts: (done: Int, open: Int) { (dones.count, intents.keys.count { dones[$0] == nil }) }

  /// Why nobody can go on with it, whatever its devices do; `nil` where it can be tried.
  package var obstacle: String? {
    for done in dones.values where scenarioEnds[Self.scenario(of: done.key)] == nil {
      if let name = done.unkept.first { return "step \(done.step) kept `\(name)`, which is secret and in no file" }
      if done.hasJoined { return "step \(done.step) went on on a device that the document has no role for" }
      if done.changesConnection { return "step \(done.step) changed a connection, which ended with the process" }
    }
    return nil
  }
}
