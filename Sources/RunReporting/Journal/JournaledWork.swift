package import CastProtocol

/// What the earlier parts of a run have done, and what was under way when the last one died: it answers whoever goes on.
/// That of a run that goes on with none is empty, and answers that nothing was done.
package struct JournaledWork: Sendable {
  /// The run that died; `nil`: there is none.
  package private(set) var run: String?
  private var dones: [JournalKey: JournalEntry.Done] = [:]
  /// The keys of ``dones``, sorted, with their places in the journal.
  private var order: [(key: JournalKey, place: Int)] = []
  private var intents: [JournalKey: JournalEntry.Intent] = [:]
  private var starts: Set<JournalKey> = []
  private var choices: [JournalKey: Int] = [:]
  /// The keys of all records, sorted.
  private var seen: [JournalKey] = []
  private var broken: [JournalKey: [String]] = [:]
  /// Since when rules with `for` are broken in a scenario, in document seconds of the run; by device and name.
  private var streaks: [JournalKey: [Int: [String: Double]]] = [:]
  private var cleanups: [JournalKey: JournalEntry.Cleanup] = [:]
  private var scenarioEnds: [JournalKey: (end: JournalEntry.ScenarioEnd, elapsed: Double)] = [:]
  /// The first and the last moment of each try of a scenario.
  private var spans: [JournalKey: ClosedRange<Double>] = [:]
  private var own: [JournalKey: JSONObject] = [:]
  /// What had begun or was over of each row and repeat: the choices of its devices.
  private var devices: [JournalKey: Set<String>] = [:]
  /// How the run was being ended from outside; `nil`: it was not.
  package private(set) var interruption: JournalEntry.Cleanup?

  /// Nothing was done before.
  package init() {}

  init(_ entries: [JournalEntry], of run: String) {
    self.run = run
    for (place, entry) in entries.enumerated() { take(entry, at: place) }
    order.sort { ($0.key, $0.place) < ($1.key, $1.place) }
    seen.sort()
  }

  private mutating func take(_ entry: JournalEntry, at place: Int) {
    switch entry.kind {
    case .begin, .end, .resumed: break
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
      for member in done.own.members { own[done.key.scenario, default: [:]][member.name] = member.value }
    case .broken(let rule):
      broken[rule.key, default: []].append(rule.name)
      see(rule.key, at: entry.elapsed)
    case .streak(let streak):
      streaks[streak.key, default: [:]][streak.device, default: [:]][streak.name] =
        streak.isOver ? nil : entry.elapsed - streak.before
      see(streak.key, at: entry.elapsed)
    case .cleanup(let cleanup):
      cleanups[cleanup.key] = cleanup
      // From here on no rule is judged.
      streaks[cleanup.key] = nil
      if interruption == nil, cleanup.cause == .interrupted || cleanup.cause == .terminated { interruption = cleanup }
      see(cleanup.key, at: entry.elapsed)
    case .scenarioEnd(let end):
      scenarioEnds[end.key] = (end, entry.elapsed)
      note(end.key)
    }
  }

  private mutating func see(_ key: JournalKey, at elapsed: Double) {
    let scenario = key.scenario
    let begin = spans[scenario]?.lowerBound ?? elapsed
    spans[scenario] = begin...max(begin, elapsed)
    seen.append(key)
    note(scenario)
  }

  private mutating func note(_ scenario: JournalKey) {
    guard let place = scenario.place else { return }
    devices[place.row, default: []].formUnion([place.choice].compactMap(\.self))
  }

  // MARK: steps

  /// What a step came to; `nil` where it is not done.
  package func done(_ key: JournalKey) -> JournalEntry.Done? { dones[key] }
  /// The last try of a step that changes something; it may be done.
  package func intent(_ key: JournalKey) -> JournalEntry.Intent? { intents[key] }
  package func hasStarted(_ key: JournalKey) -> Bool { starts.contains(key) || intents[key] != nil }
  package func choice(_ key: JournalKey) -> Int? { choices[key] }
  /// Whether anything was written down inside a try of a step that holds others.
  package func hasBegun(tryOf step: JournalKey, _ number: Int) -> Bool {
    let prefix = step.tryPrefix(number)
    // Between what sorts before the digits of a longer number and what sorts behind them are other tries.
    return [prefix, prefix + ":"].contains { first in
      guard let key = seen[seen.firstIndex(notBelow: first, of: \.rawValue)...].first?.rawValue, key.hasPrefix(prefix)
      else { return false }
      return key.dropFirst(prefix.count).first.map { !$0.isNumber } ?? true
    }
  }

  /// The steps that are done inside a scenario or a step, in the order in which they were.
  package func dones(inside key: JournalKey) -> [JournalEntry.Done] {
    let prefix = key.innerPrefix
    let low = order.firstIndex(notBelow: prefix, of: \.key.rawValue)
    let found = order[low...].prefix { $0.key.rawValue.hasPrefix(prefix) }
    return found.sorted { $0.place < $1.place }.compactMap { dones[$0.key] }
  }

  // MARK: scenarios

  /// The rules of `watch` that were broken in a scenario.
  package func brokenRules(of scenario: JournalKey) -> [String] { broken[scenario] ?? [] }
  /// For how long the rules with `for` that are broken on a device had been when the scenario was seen last, by name, in
  /// document seconds.
  package func streaks(on device: Int, in scenario: JournalKey) -> [String: Double] {
    guard let last = spans[scenario]?.upperBound else { return [:] }
    return (streaks[scenario]?[device] ?? [:]).mapValues { max(0, last - $0) }
  }
  /// How the steps of a scenario ended; `nil`: they were not over.
  package func cleanup(of scenario: JournalKey) -> JournalEntry.Cleanup? { cleanups[scenario] }
  package func end(of scenario: JournalKey) -> JournalEntry.ScenarioEnd? { scenarioEnds[scenario]?.end }
  /// Whether a try of a scenario was connected to its devices, so that steps of it may have been done.
  package func hasBegun(_ scenario: JournalKey) -> Bool { spans[scenario] != nil }
  /// How long a scenario had gone on, in document seconds.
  package func spent(in scenario: JournalKey) -> Double { spans[scenario].map { $0.upperBound - $0.lowerBound } ?? 0 }
  /// How long it took from the begin of the first try of a scenario to the end of one, in document seconds.
  package func timeOfTries(to scenario: JournalKey) -> Double {
    let begin = spans[scenario.attempt(1)]?.lowerBound ?? 0
    return max(0, (scenarioEnds[scenario]?.elapsed ?? 0) - begin)
  }
  /// What was ours on a device when the last step was done.
  package func own(of device: Int, in scenario: JournalKey) -> JSONObject? { own[scenario]?[String(device)]?.object }

  /// Whether a step on a device was under way that may have changed which app or media are ours.
  package func leavesAppOpen(on device: Int, in scenario: JournalKey) -> Bool {
    intents.contains { key, intent in
      intent.changesApp && (intent.device ?? 0) == device && dones[key] == nil && key.scenario == scenario
    }
  }

  // MARK: rows

  /// Whether anything of a row, or of a repeat of it, had begun or was over.
  package func hasBegun(row: JournalKey) -> Bool { devices[row] != nil }
  /// The choices of the devices that took part in a row, sorted; without `devices:` none.
  package func devices(ofRow row: JournalKey) -> [String] { (devices[row] ?? []).sorted() }

  // MARK: all

  /// How many steps are done, and how many were under way.
  package var counts: (done: Int, open: Int) { (dones.count, intents.keys.count { dones[$0] == nil }) }

  /// Why nobody can go on with it, whatever its devices do; `nil` where it can be tried.
  package var obstacle: String? {
    for done in dones.values where scenarioEnds[done.key.scenario] == nil {
      if let name = done.unkept.first { return "step \(done.step) kept `\(name)`, which is secret and in no file" }
      if done.hasJoined { return "step \(done.step) went on on a device that the document has no role for" }
      if done.changesConnection { return "step \(done.step) changed a connection, which ended with the process" }
    }
    return nil
  }
}

extension Array {
  /// Where what is sorted by a text begins that is not below another; the end where all is.
  fileprivate func firstIndex(notBelow text: String, of member: (Element) -> String) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if member(self[middle]) < text { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
