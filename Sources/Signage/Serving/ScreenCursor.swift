package import CastProtocol
package import ScenarioLanguage

/// Where a screen is in its program: which item each rule shows next, what is through, and what an interrupt cut.
///
/// A value that one screen owns; it is stored with each item, so that a restart goes on where it was.
package struct ScreenCursor: Sendable {
  /// What a screen is to do from a moment on.
  package enum Duty: Sendable {
    case show(Showing)
    case rest(PlaylistPlan.Quiet.Screen, Decision)
    case nothing(Decision)
  }

  private(set) var program: Program
  private let seed: UInt64
  private let screen: String
  /// Of rules that all screens show together.
  private var cycles: [Int: SharedCycle] = [:]
  private var rotations: [Part: Rotation] = [:]
  /// Rules with `repeat: false` that are through, and when the window opened in which they were.
  private var through: [Int: Int?] = [:]
  /// The window in which a rule was last shown: a new one begins its order again.
  private var windows: [Int: Int?] = [:]
  /// Up to which Unix time interrupts have been looked for.
  private var interruptsSeenTo: Int
  /// Interrupts that are due, and items of one that are left.
  private var due: [Program.Cut] = []
  private var running: [Showing] = []
  /// What an interrupt cut, to go on with.
  private var cut: Showing?
  /// What something outside calls for.
  private var fired = FiredInterrupts()
  /// What a person wants to see, each once.
  private var ordered: [Showing] = []
  /// What stays on while the program is paused.
  private var held: Showing?
  /// The program is paused, and the next item is the one that stays on.
  private var holdsNext = false

  /// A list of items of a playlist.
  package enum Part: Hashable, Sendable {
    case rule(Int)
    case interrupt(Int)
    case fallback
    /// What a person asked for.
    case order
  }

  /// - Parameters:
  ///   - time: Unix time; interrupts before it are not made up for.
  ///   - seed: Drives shuffles, which differ from screen to screen unless all begin their items together.
  package init(_ program: Program, at time: Int, seed: UInt64, screen: String = "") {
    self.program = program
    self.seed = seed
    self.screen = screen
    interruptsSeenTo = time
  }

  /// Goes on with an edited program: orders go on where their items stayed the same.
  package mutating func replace(_ program: Program) {
    let stored = json
    self.program = program
    (rotations, through, windows, cycles) = ([:], [:], [:], [:])
    (due, running, cut, ordered, held) = ([], [], nil, [], nil)
    restore(stored)
  }

  // MARK: what comes next

  /// What the screen does from `time` on; each call moves on by an item.
  package mutating func next(at time: Int) -> Duty {
    let decision = decision(at: time)
    if case .quiet(let screen) = decision.content {
      // What is due in quiet hours is left out.
      (due, running, cut, ordered) = ([], [], nil, [])
      interruptsSeenTo = max(interruptsSeenTo, time)
      return .rest(screen, decision)
    }
    if let showing = nextOfTrigger(at: time) { return .show(showing) }
    if let held {
      // The clock's interrupts are left out while the program is paused.
      (due, interruptsSeenTo) = ([], max(interruptsSeenTo, time))
      return .show(held)
    }
    collectInterrupts(at: time)
    let duty = nextOfAll(at: time, decision)
    if holdsNext, case .show(let showing) = duty, hold(showing) { holdsNext = false }
    return duty
  }

  /// What will follow at a moment, if nothing happens until then that is not known yet; `nil`: nothing.
  package func following(at time: Int) -> Showing? {
    var ahead = self
    guard case .show(let showing) = ahead.next(at: time) else { return nil }
    return showing
  }

  private mutating func nextOfAll(at time: Int, _ decision: Decision) -> Duty {
    if let showing = nextOfInterrupt(at: time) { return .show(showing) }
    if !ordered.isEmpty { return .show(ordered.removeFirst()) }
    if let lasting = lasting(at: time).first {
      running = items(ofInterrupt: lasting, at: time)
      if !running.isEmpty { return .show(running.removeFirst()) }
    }
    if let cut = takeCut(at: time, decision) { return .show(cut) }
    return nextOfProgram(at: time)
  }

  /// The decision of a moment, with what is through left out.
  package func decision(at time: Int) -> Decision {
    program.timetable.decision(at: time, finished: finished(at: time))
  }

  /// How far ahead what ends an item is looked for, in seconds: who watches an item asks again and again.
  static let lookahead = 600

  /// The next moment after `time` that ends what is on, whatever it is: quiet hours, a window that does not wait for an
  /// item to end, an interrupt that cuts in.
  package func nextCut(of showing: Showing, after time: Int) -> Int? {
    let soon = time..<time + Self.lookahead
    if let now = outsideCut(of: showing, at: time) { return now }
    // Those before are collected already.
    let first = max(time, interruptsSeenTo) + 1
    let changes = program.timetable.stretches(in: soon, finished: finished(at: time)).dropFirst()
    var moments = [changes.first { isImmediate($0.decision, after: showing) }?.range.lowerBound]
    if case .interrupt(let index) = showing.part, fired.isLasting(index, in: program, at: time) {
      moments.append(fired.end(of: index, in: program))
    }
    if !showing.isOfInterrupt, held == nil {
      moments.append(program.timetable.cuts(in: first..<max(first, soon.upperBound)).first(where: cutsAtOnce)?.at)
    }
    return moments.compactMap(\.self).min()
  }

  /// When the screen is next to be muted or heard again, as Unix time; `nil`: not within minutes.
  func nextMuting(after time: Int) -> Int? {
    let now = decision(at: time).mutes
    let stretches = program.timetable.stretches(in: time..<time + Self.lookahead, finished: finished(at: time))
    return stretches.first { $0.decision.mutes != now }?.range.lowerBound
  }

  private func cutsAtOnce(_ cut: Program.Cut) -> Bool { program.plan.interrupts[cut.interrupt].cut == .immediately }

  private func isImmediate(_ next: Decision, after showing: Showing) -> Bool {
    func isImmediate(_ rule: Int) -> Bool {
      program.plan.program.indices.contains(rule) && program.plan.program[rule].switches == .immediately
    }
    if case .quiet = next.content { return true }
    if showing.isOfInterrupt || held != nil { return false }
    if case .rule(let index) = next.content, isImmediate(index) { return true }
    if case .rule(let index) = showing.part { return isImmediate(index) }
    return false
  }

  /// The item that stands in for one that will not load; `nil` where the playlist has none for today.
  package mutating func nextOfFallback(at time: Int) -> Showing? {
    let items = program.plan.fallback
    guard let index = rotate(.fallback, items, at: time) else { return nil }
    return Showing(items[index], part: .fallback, index: index, decidedBy: "fallback")
  }

  private mutating func nextOfProgram(at time: Int) -> Duty {
    // Each try may find another rule through.
    for _ in 0...program.plan.program.count {
      let decision = decision(at: time)
      switch decision.content {
      case .quiet(let screen): return .rest(screen, decision)
      case .nothing: return .nothing(decision)
      case .fallback:
        return nextOfFallback(at: time).map { .show($0) } ?? .nothing(decision)
      case .rule(let index):
        let rule = program.plan.program[index]
        let window = program.timetable.opening(ofRule: index, at: time)
        if let last = windows[index], last != window { rotations[.rule(index)]?.restart() }
        windows[index] = .some(window)
        if program.plan.isSynchronised {
          if let showing = shared(index, at: time, window, decision) { return .show(showing) }
        } else if let item = rotate(.rule(index), rule.items, at: time) {
          return .show(Showing(rule.items[item], part: .rule(index), index: item, decidedBy: decision.ruleName))
        }
        through[index] = .some(window)
      }
    }
    return .nothing(decision(at: time))
  }

  /// Seconds before the end of an item's time in which the next one is waited for: what is left is not worth a load.
  private static let leastShared = 3

  /// What all screens show by a rule at a moment, or from the end of that on; `nil` where the rule has nothing to show.
  private mutating func shared(_ index: Int, at time: Int, _ window: Int?, _ decision: Decision) -> Showing? {
    let rule = program.plan.program[index]
    var cycle = cycles[index] ?? SharedCycle(rule, in: program.zone, seed: seed.mixed(with: Part.rule(index).key))
    defer { cycles[index] = cycle }
    guard var slot = cycle.slot(at: time, windowSince: window) else { return nil }
    if slot.range.upperBound - time < min(Self.leastShared, slot.range.count),
      slot.range.lowerBound < time, let next = cycle.slot(at: slot.range.upperBound, windowSince: window)
    {
      slot = next
    }
    var showing = Showing(rule.items[slot.item], part: .rule(index), index: slot.item, decidedBy: decision.ruleName)
    showing.shared = slot.range
    showing.length = .seconds(slot.range.upperBound - max(time, slot.range.lowerBound))
    let late = time - slot.range.lowerBound
    if !showing.isStill, late >= Self.leastShared { showing.start = Double(late) }
    return showing
  }

  private func finished(at time: Int) -> Set<Int> {
    Set(through.filter { index, window in program.timetable.opening(ofRule: index, at: time) == window }.keys)
  }

  private mutating func rotate(_ part: Part, _ items: [PlaylistPlan.Item], at time: Int) -> Int? {
    guard !items.isEmpty else { return nil }
    var rotation = rotations[part] ?? newRotation(part, items)
    defer { rotations[part] = rotation }
    return rotation.next(on: CivilDate(at: program.zone.wallTime(at: time)))
  }

  private func newRotation(_ part: Part, _ items: [PlaylistPlan.Item]) -> Rotation {
    let own = screen.isEmpty ? seed : seed.mixed(with: screen)
    if case .rule(let index) = part { return Rotation(program.plan.program[index], seed: own.mixed(with: part.key)) }
    return Rotation(items, seed: own.mixed(with: part.key))
  }

  // MARK: what comes from outside

  /// Takes note of what happens outside.
  /// - Parameter triggers: Since which Unix time a trigger is fired; `nil`: it is not.
  package mutating func see(_ triggers: (String) -> Double?, at time: Int) {
    for index in fired.see(triggers, of: program.plan) where !due.contains(where: { $0.interrupt == index }) {
      let wall = program.zone.wallTime(at: time)
      if program.plan.interrupts[index].during.condition.isOn(at: wall) {
        due.append(.init(interrupt: index, at: time))
      }
    }
  }

  /// The interrupt that cuts whatever is on: what lasts goes first, then the order of the list.
  private func urgent(at time: Int) -> Int? {
    let lasting = lasting(at: time).first { program.plan.interrupts[$0].cut == .immediately }
    return lasting ?? due.first { program.plan.interrupts[$0.interrupt].trigger != nil && cutsAtOnce($0) }?.interrupt
  }

  /// The interrupts that go on until their trigger is cleared and have something to show today.
  private func lasting(at time: Int) -> [Int] {
    fired.lasting(in: program, at: time).filter { !items(ofInterrupt: $0, at: time).isEmpty }
  }

  /// The next item of an interrupt that waits for nothing.
  private mutating func nextOfTrigger(at time: Int) -> Showing? {
    if case .interrupt(let index)? = running.first?.part, program.plan.interrupts[index].trigger?.untilCleared == true,
      !fired.isLasting(index, in: program, at: time)
    {
      running = []
    }
    guard let urgent = urgent(at: time) else { return nil }
    let isDue = due.contains { $0.interrupt == urgent }
    if isDue { due.removeAll { $0.interrupt == urgent } }
    if isDue || running.first?.part != .interrupt(urgent) { running = items(ofInterrupt: urgent, at: time) }
    return running.isEmpty ? nil : running.removeFirst()
  }

  /// `time` where something outside ends what is on.
  private func outsideCut(of showing: Showing, at time: Int) -> Int? {
    if let urgent = urgent(at: time) { return showing.part == .interrupt(urgent) ? nil : time }
    if case .interrupt(let index) = showing.part, let use = program.plan.interrupts[index].trigger, use.untilCleared,
      program.plan.interrupts[index].cut == .immediately, !fired.isLasting(index, in: program, at: time)
    {
      return time
    }
    return ordered.isEmpty || showing.isOfInterrupt ? nil : time
  }

  /// Whether something outside ends what is on.
  package func isCutFromOutside(_ showing: Showing, at time: Int) -> Bool { outsideCut(of: showing, at: time) != nil }

  /// Most that a person can ask for at once.
  private static let mostOrdered = 16

  /// Shows an item once, as soon as nothing of more weight is on.
  /// - Returns: Whether the playlist has it, by its media id or address.
  package mutating func order(_ name: String) -> Bool {
    guard let item = program.plan.allItems.first(where: { $0.id == name || $0.media.contentID == name }) else {
      return false
    }
    guard ordered.count < Self.mostOrdered else { return true }
    ordered.append(Showing(item, part: .order, index: 0, decidedBy: Part.order.ledgerName))
    return true
  }

  /// Whether the program waits.
  package var isPaused: Bool { held != nil || holdsNext }

  /// The program waits.
  /// - Parameter showing: What is on and stays on; `nil`: the next item does.
  package mutating func pause(on showing: Showing?) { holdsNext = showing.map { !hold($0) } ?? true }

  /// - Returns: Whether it is something that can stay on.
  private mutating func hold(_ showing: Showing) -> Bool {
    if case .interrupt = showing.part { return false }
    held = showing
    // It begins again where it is no still.
    held?.start = nil
    held?.shared = nil
    held?.length = showing.item.length
    return true
  }

  /// The program goes on.
  package mutating func resume() { (held, holdsNext) = (nil, false) }

  /// What is on is over; while the program is paused the item that follows stays on.
  package mutating func skip() { if held != nil { (held, holdsNext) = (nil, true) } }

  // MARK: interrupts

  private mutating func collectInterrupts(at time: Int) {
    // A clock that was set back would hide what is due until it is there again.
    if time < interruptsSeenTo - Self.clockTolerance { interruptsSeenTo = time }
    guard time > interruptsSeenTo else { return }
    // After a long gap nobody waits for what was due days ago.
    let start = max(interruptsSeenTo + 1, time - Self.longestDelay)
    for cut in program.timetable.cuts(in: start..<time + 1)
    where !due.contains(where: { $0.interrupt == cut.interrupt }) {
      due.append(cut)
    }
    interruptsSeenTo = time
    due.removeAll { cut in
      let interrupt = program.plan.interrupts[cut.interrupt]
      return interrupt.maxDelay.map { .seconds(time - cut.at) > $0 } ?? false
    }
  }

  /// Seconds by which a clock may be set back without being a new time.
  private static let clockTolerance = 60

  /// Whether something is due that is not shown yet.
  package func hasDueInterrupt(at time: Int) -> Bool {
    !due.isEmpty || !running.isEmpty || !ordered.isEmpty || !lasting(at: time).isEmpty
      || time > interruptsSeenTo && !program.timetable.cuts(in: interruptsSeenTo + 1..<time + 1).isEmpty
  }

  /// Seconds; longer than any item that is waited for.
  private static let longestDelay = 86_400

  private mutating func nextOfInterrupt(at time: Int) -> Showing? {
    if !running.isEmpty { return running.removeFirst() }
    while !due.isEmpty {
      running = items(ofInterrupt: due.removeFirst().interrupt, at: time)
      if !running.isEmpty { return running.removeFirst() }
    }
    return nil
  }

  private func items(ofInterrupt index: Int, at time: Int) -> [Showing] {
    let today = CivilDate(at: program.zone.wallTime(at: time))
    return program.plan.interrupts[index].items.enumerated().filter { $1.valid?.contains(today) ?? true }.flatMap {
      place, item in
      let part = Part.interrupt(index)
      let showing = Showing(item, part: part, index: place, decidedBy: part.ledgerName)
      return Array(repeating: showing, count: max(1, item.times))
    }
  }

  /// Notes that an interrupt cut an item.
  /// - Parameters:
  ///   - position: How far its content was, in seconds.
  ///   - remaining: How much of its length was left.
  ///   - time: When, as Unix time.
  package mutating func noteCut(of showing: Showing, position: Double?, remaining: Duration?, by time: Int) {
    // What all screens show together has gone on meanwhile.
    guard case .rule = showing.part, showing.shared == nil, let then = then(at: time) else { return }
    var rest = showing
    switch then {
    case .next: return
    case .restart: break
    case .resume:
      rest.start = position
      rest.length = remaining ?? rest.length
    }
    cut = rest
  }

  /// What the item does afterwards that is cut at a moment.
  private func then(at time: Int) -> PlaylistPlan.Interrupt.Then? {
    if let urgent = urgent(at: time) { return program.plan.interrupts[urgent].then }
    if !ordered.isEmpty { return .resume }
    let cuts = program.timetable.cuts(in: interruptsSeenTo + 1..<max(time, interruptsSeenTo) + 1)
    return cuts.first(where: cutsAtOnce).map { program.plan.interrupts[$0.interrupt].then }
  }

  private mutating func takeCut(at time: Int, _ decision: Decision) -> Showing? {
    defer { cut = nil }
    // What is not on any more is not gone on with.
    guard let cut, case .rule(let index) = cut.part, decision.content == .rule(index) else { return nil }
    return cut
  }
}

extension ScreenCursor.Part {
  /// Its name in what is stored.
  var key: String {
    switch self {
    case .rule(let index): "rule \(index)"
    case .interrupt(let index): "interrupt \(index)"
    case .fallback: "fallback"
    case .order: "order"
    }
  }
}

extension Decision {
  /// `program[1] breakfast`, as the ledger calls it.
  var ruleName: String {
    guard let daypart = decidedBy.daypart else { return decidedBy.part }
    return "\(decidedBy.part) \(daypart)"
  }
}

extension ScreenCursor {
  /// An item by what is stored of it; `nil` where the program has none there.
  func showing(part key: String, index: Int) -> Showing? {
    let plan = program.plan
    let lists: [(part: Part, items: [PlaylistPlan.Item], name: String)] =
      plan.program.enumerated().map { number, rule in
        let daypart = rule.during.name.map { " \($0)" } ?? ""
        return (.rule(number), rule.items, Part.rule(number).ledgerName + daypart)
      } + plan.interrupts.enumerated().map { (.interrupt($0), $1.items, Part.interrupt($0).ledgerName) }
      + [(.fallback, plan.fallback, Part.fallback.ledgerName)]
    guard let list = lists.first(where: { $0.part.key == key }), list.items.indices.contains(index) else { return nil }
    return Showing(list.items[index], part: list.part, index: index, decidedBy: list.name)
  }
}

// MARK: stored

extension ScreenCursor {
  private static let version = 1

  /// How many items the list has that an item is of.
  package func itemCount(with showing: Showing) -> Int {
    switch showing.part {
    case .rule(let index): program.plan.program[index].items.count
    case .interrupt(let index): program.plan.interrupts[index].items.count
    case .fallback: program.plan.fallback.count
    case .order: 1
    }
  }

  /// Where it stands, to be stored.
  package var json: JSONValue {
    var stored = JSONObject()
    for part in rotations.keys.map({ (key: $0.key, part: $0) }).sorted(by: { $0.key < $1.key }) {
      stored[part.key] = rotations[part.part]?.json
    }
    let through = through.sorted { $0.key < $1.key }
    return [
      "v": .int(Self.version), "interrupts_to": .int(interruptsSeenTo), "rotations": .object(stored),
      "fired": fired.json, "paused": .bool(isPaused),
      "through": .array(through.map { ["rule": .int($0.key), "window": $0.value.map { .int($0) } ?? .null] }),
    ]
  }

  /// Takes what fits of a stored one: what is damaged or was edited begins anew.
  package mutating func restore(_ json: JSONValue) {
    guard json["v"]?.int == Self.version else { return }
    for (index, rule) in program.plan.program.enumerated() {
      let part = Part.rule(index)
      if let stored = json["rotations"]?[part.key], let rotation = Rotation(stored, of: rule) {
        rotations[part] = rotation
      }
    }
    if let stored = json["rotations"]?[Part.fallback.key],
      let rotation = Rotation(stored, items: program.plan.fallback)
    {
      rotations[.fallback] = rotation
    }
    for entry in json["through"]?.array ?? [] {
      guard let rule = entry["rule"]?.int, program.plan.program.indices.contains(rule),
        rotations[.rule(rule)] != nil
      else { continue }
      through[rule] = .some(entry["window"]?.int)
    }
    fired = FiredInterrupts(json["fired"], of: program.plan)
    holdsNext = json["paused"]?.bool ?? false
    // A clock that went back must not hide what is due.
    if let seen = json["interrupts_to"]?.int, seen < interruptsSeenTo {
      interruptsSeenTo = max(seen, interruptsSeenTo - Self.longestDelay)
    }
  }
}
