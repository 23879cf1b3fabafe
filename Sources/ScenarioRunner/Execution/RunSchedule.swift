import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage
import Synchronization

/// One of the devices that a document runs on each of.
struct ChosenDevice: Sendable {
  let device: FoundDevice
  /// In events.
  let name: String
  /// What `--device` calls it.
  let choice: String
  /// How many devices the row is for, this one included.
  var count = 1
}

/// One run: the rows of a matrix one after the other, each on every device that it is for, each tried as often as the
/// document says. All of them tell one stream of events.
actor RunSchedule {
  let document: RunnableDocument
  private let access: DeviceAccess
  private let times: TimeSources
  let configuration: RunConfiguration
  let emitter: EventEmitter
  private let startedAt: Double
  private var active: [Int: ScenarioAttempt] = [:]
  private var lastScenario = 0
  private var interruption: Runner.Interruption?
  /// Sleeps between two tries of a scenario.
  private var pauses: [Int: Task<Void, Never>] = [:]
  /// Looks for the devices of `devices:`, and waits for turns.
  private var searches: [Int: Task<Void, Never>] = [:]
  private var lastSearch = 0
  private var results: [ScenarioAttempt.Summary] = []
  /// What hears of the faults of virtual receivers.
  private var faults: FaultWatch.Listening?
  /// Ask the devices which software they have; `nil` where nobody wants to know.
  private let questions: SoftwareQuestions?

  init(
    _ document: RunnableDocument, on access: DeviceAccess, times: TimeSources, configuration: RunConfiguration,
    sink: any EventSink
  ) {
    self.document = document
    self.access = access
    self.times = times
    self.configuration = configuration
    startedAt = configuration.wallClock()
    emitter = EventEmitter(
      show: times.show, wallClock: configuration.wallClock, sink: sink, secrets: configuration.secrets)
    questions = configuration.software.map { [emitter] ask in
      SoftwareQuestions(ask, emitter: emitter, network: times.network)
    }
  }

  /// The user wants out: what runs is ended, and nothing more is begun.
  func interrupt(_ interruption: Runner.Interruption) async {
    self.interruption = self.interruption ?? interruption
    for (_, search) in searches.sorted(by: { $0.key < $1.key }) { search.cancel() }
    for (_, pause) in pauses { pause.cancel() }
    for (_, run) in active.sorted(by: { $0.key < $1.key }) { run.interrupt(interruption) }
  }

  func perform() async -> Runner.Outcome {
    reportStart()
    // The journal is part of the configuration: it must not keep what it is part of.
    configuration.journal?.onFailure { [weak self, times] in
      _ = times.network.spawn { [weak self] in await self?.interrupt(.unrecorded) }
    }
    configuration.pages?.listen { [emitter] note in emitter.emit(.page(note)) }
    faults = configuration.faults?.listen { [emitter] note in emitter.emit(.fault(note)) }
    if let turns = configuration.rowTurns {
      await runAtOnce(in: turns)
    } else {
      var left = rows
      while interruption == nil, let row = left.next() { await run(row) }
    }
    return finish()
  }

  /// A row that is to be run, once for each of its repeats.
  private struct Row {
    var plan: Plan
    /// Its place in the document, from 0.
    var index: Int
    /// Which repeat it is; `nil` where rows are run once.
    var repeated: RowRepeats.Place?
  }

  /// What is still to be run, one after the other: with repeats there may be too many to keep.
  private struct Rows: IteratorProtocol {
    let document: RunnableDocument
    let repeats: RowRepeats
    /// Places of rows, the next one last.
    var order: [Int]
    var places: ArraySlice<RowRepeats.Place?> = []

    mutating func next() -> Row? {
      while places.isEmpty {
        guard let index = order.last else { return nil }
        places = repeats.places(ofRow: index)[...]
        if places.isEmpty { order.removeLast() }
      }
      guard let index = order.last else { return nil }
      let place = places.removeFirst()
      if places.isEmpty { order.removeLast() }
      return Row(plan: document.rows[index], index: index, repeated: place)
    }
  }

  /// Rows are run in an order that the seed decides, 0 keeps the document's; the repeats of one follow each other.
  private var rows: Rows {
    var order = Array(document.rows.indices)
    if configuration.seed != 0 {
      var waits = RetryWaits(seed: configuration.seed)
      for last in order.indices.reversed().dropLast() { order.swapAt(last, waits.index(below: last + 1)) }
    }
    return Rows(document: document, repeats: configuration.repeats, order: order.reversed())
  }

  private func run(_ row: Row) async {
    if isLeftOut(.row(row.index, repeated: row.repeated?.number)) { return }
    if row.plan.devices == nil { await run(row, on: nil) } else { await runOnEach(row) }
  }

  // MARK: rows at the same time

  /// How many rows are looked at for one that needs no device of those that go on.
  private static let lookAhead = 256

  /// Runs rows at the same time, where they need different devices.
  private func runAtOnce(in turns: RowTurns) async {
    let (ends, ended) = AsyncStream<Int>.makeStream()
    var order = TurnOrder(limit: turns.limit)
    var waiting: [Int: Row] = [:]
    var going: [Int: Task<Void, Never>] = [:]
    var left = rows
    func begin() {
      while waiting.count < Self.lookAhead, interruption == nil, let row = left.next() {
        waiting[order.enter(needing: row.plan.needs)] = row
      }
      if interruption != nil {
        for id in waiting.keys { order.leave(id) }
        waiting = [:]
      }
      for id in order.begin() {
        guard let row = waiting.removeValue(forKey: id) else { continue }
        going[id] = times.show.spawn {
          await self.run(row, in: turns)
          ended.yield(id)
        }
      }
    }
    begin()
    if going.isEmpty { return }
    for await id in ends {
      await going.removeValue(forKey: id)?.value
      order.leave(id)
      begin()
      if going.isEmpty { return }
    }
  }

  /// Runs a row when it is its turn among those of all runs.
  private func run(_ row: Row, in turns: RowTurns) async {
    let box = TurnBox()
    await endingEarly(times.show.spawn { box.turn = await turns.turns.take([]) })
    guard let turn = box.turn else { return }
    if interruption == nil { await run(row) }
    turns.turns.end(turn)
  }

  // MARK: devices

  /// `devices:`: an independent run on each.
  private func runOnEach(_ row: Row) async {
    let plan = row.plan
    guard let set = plan.devices else { return }
    let (found, failure) = await devices(set, listenFor: plan.timeouts.discover)
    if interruption != nil { return }
    let key = JournalKey.row(row.index, repeated: row.repeated?.number)
    let known = Set(configuration.earlier.devices(ofRow: key))
    if let failure, known.isEmpty { return await run(row, on: nil, unless: failure) }
    var named: [ChosenDevice] = []
    for (device, selector) in found {
      let name = DeviceName.name(of: device, selector: selector).unique(among: named.map(\.name))
      named.append(ChosenDevice(device: device, name: name, choice: DeviceName.choice(of: device, selector: selector)))
    }
    if let only = configuration.onlyDevices {
      let names = named.map { "`\($0.device.name)`" }.joined(separator: ", ")
      named.removeAll { !only.contains($0.choice) && !only.contains($0.device.name) }
      if named.isEmpty, known.isEmpty {
        let wanted = only.map { "`\($0)`" }.joined(separator: ", ")
        return await run(row, on: nil, unless: StepFailure(.notFound, "\(wanted) is none of the devices: \(names)"))
      }
    }
    let missing = missingDevices(of: key, besides: named)
    if let failure, missing.isEmpty {
      configuration.journal?.leaveOpen()
      return await run(row, on: nil, unless: failure)
    }
    if set.order == .first && !known.isEmpty || earlierInterruption != nil {
      // Another device is no way to go on with what this one has begun.
      named.removeAll { !known.contains($0.choice) }
    }
    for (device, failure) in missing { await run(row, on: device, unless: failure) }
    if set.order != .first {
      for index in named.indices { named[index].count = named.count }
    }
    switch set.order {
    case .first: if let first = named.first { await run(row, on: first) }
    case .oneByOne:
      for device in named where interruption == nil { await run(row, on: device) }
    case .together:
      let tasks = named.map { device in times.show.spawn { await self.run(row, on: device) } }
      for task in tasks { await task.value }
    }
  }

  /// Every device that one of the selectors fits, by name.
  private func devices(
    _ set: Plan.DeviceSet, listenFor: Duration
  ) async -> (found: [Found], failure: StepFailure?) {
    let least = max(set.atLeast ?? 1, 1)
    // Entries of the inventory are looked for one by one: any of them may be the last to answer.
    let wanted = set.selectors.flatMap { $0.tagged.isEmpty ? [$0] : $0.tagged }
    let results = Mutex<(found: [Found], failure: StepFailure?)>(([], nil))
    let (access, show) = (access, times.show)
    let task = show.spawn {
      let (found, failure) = await Self.search(wanted, atLeast: least, for: listenFor, by: access, on: show)
      results.withLock { $0 = (found, failure) }
    }
    await endingEarly(task)
    var (found, failure) = results.withLock { $0 }
    found.sort { ($0.device.name, $0.device.id ?? "") < ($1.device.name, $1.device.id ?? "") }
    let isList = set.selectors.count > 1
    if found.count < least || isList && found.count < set.selectors.count {
      let wanted = isList ? set.selectors.count : least
      let seen = found.map(\.device.name).joined(separator: ", ")
      let text =
        "found \(found.count) of \(isList ? "" : "at least ")\(wanted) devices\(seen.isEmpty ? "" : ": \(seen)")"
      return (found, found.isEmpty ? failure ?? StepFailure(.notFound, text) : StepFailure(.notFound, text))
    }
    if let most = set.atMost, found.count > most {
      let seen = found.map(\.device.name).joined(separator: ", ")
      return (found, StepFailure(.ambiguous, "found \(found.count) devices, at most \(most) are asked for: \(seen)"))
    }
    return (found, nil)
  }

  private static let mostSearches = 16
  private typealias Found = (device: FoundDevice, selector: Plan.DeviceSelector)

  /// Looks for all of `wanted` at once, again and again until there are enough, or nothing can look.
  private static func search(
    _ wanted: [Plan.DeviceSelector], atLeast least: Int, for listenFor: Duration, by access: DeviceAccess,
    on show: TimeSource
  ) async -> (found: [Found], failure: StepFailure?) {
    let end = show.now + listenFor
    var found: [Found] = []
    var failure: StepFailure?
    repeat {
      let limit = max(.milliseconds(500), end - show.now)
      let answers = await withTaskGroup(of: (Int, Result<[FoundDevice], RunError>).self) { group in
        var answers: [(Int, Result<[FoundDevice], RunError>)] = []
        for (index, selector) in wanted.enumerated() {
          // Each of them takes a connection to the daemon.
          if index >= mostSearches, let answer = await group.next() { answers.append(answer) }
          group.addTask {
            do throws(RunError) {
              // Not in one line: Swift 6.3 loses what an optimised build writes into a tuple before the `await` in it.
              let devices = try await access.find(selector, limit)
              return (index, .success(devices))
            } catch {
              return (index, .failure(error))
            }
          }
        }
        for await answer in group { answers.append(answer) }
        return answers.sorted { $0.0 < $1.0 }
      }
      for (index, answer) in answers {
        switch answer {
        case .success(let devices):
          for device in devices where !found.contains(where: { $0.device.isSame(as: device) }) {
            found.append((device, wanted[index]))
          }
        case .failure(let error): failure = failure ?? StepFailure(error)
        }
      }
      let cannotLook = answers.allSatisfy { if case .failure(let error) = $0.1 { error.isFinal } else { false } }
      if found.count >= least || cannotLook || Task.isCancelled { break }
      // Those that answer early end a search early.
      do { try await show.sleep(for: .milliseconds(100)) } catch { break }
    } while show.now < end
    return (found, failure)
  }

  /// Waits for a task, which ends at once when the user wants out.
  private func endingEarly(_ task: Task<Void, Never>) async {
    lastSearch += 1
    let id = lastSearch
    searches[id] = task
    if interruption != nil { task.cancel() }
    await task.value
    searches[id] = nil
  }

  // MARK: one scenario

  /// All tries of one scenario on one device, or with the roles of its document.
  private func run(_ row: Row, on device: ChosenDevice?, unless obstacle: StepFailure? = nil) async {
    let plan = row.plan
    var end = plan.retry.within.map { times.show.now + $0 }
    // Devices that fail together must not come back together.
    var seed = configuration.seed.mixed(with: device.map { $0.device.id ?? $0.name } ?? "")
    // Repeats are there to differ.
    if let repeated = row.repeated, repeated.number > 1 { seed = seed.mixed(with: "\(repeated.number)") }
    var waits = RetryWaits(seed: seed)
    let hold = DeviceHold(configuration.locking)
    defer { hold.end() }
    var number = 1
    while true {
      lastScenario += 1
      let id = lastScenario
      let journal = journal(of: row.index, repeated: row.repeated, on: device, number: number)
      if let journal, let past = journal.earlier.end(of: journal.key) {
        let result = takeOver(past, of: plan, journal)
        let isOver = number >= plan.retry.attempts || !(result.failureClass.map(plan.retry.errors.contains) ?? false)
        number += 1
        let wait = waits.wait(before: number, by: plan.retry)
        // Where another try had been begun, what came of it counts.
        if !isOver, journal.isFollowed(by: number) { continue }
        // The tries before have taken of its time.
        if let within = plan.retry.within {
          end = times.show.now + within - .clamped(seconds: journal.earlier.timeOfTries(to: journal.key))
        }
        let isStopped = obstacle != nil || earlierInterruption != nil
        guard !isOver, !isStopped, await pause(for: wait, until: end, of: id) else {
          results.append(result)
          return
        }
        continue
      }
      let run = ScenarioAttempt(
        plan, on: access, times: times, configuration: configuration, emitter: emitter, hold: hold,
        startedAt: startedAt, number: number,
        repeated: row.repeated, seed: seed, journal: journal, questions: questions)
      active[id] = run
      if let interruption { run.interrupt(interruption) }
      if let obstacle { report(obstacle, at: plan.keys["devices"] ?? plan.device.span) }
      let isLast = number >= plan.retry.attempts || obstacle != nil
      let result = await run.perform(with: device, unless: obstacle) { failureClass in
        !isLast && plan.retry.errors.contains(failureClass)
      }
      active[id] = nil
      // An earlier part of the run may have been interrupted.
      interruption = interruption ?? run.interruption
      guard interruption == nil, !isLast, let failureClass = result.failureClass,
        plan.retry.errors.contains(failureClass)
      else {
        results.append(result)
        return
      }
      number += 1
      let wait = waits.wait(before: number, by: plan.retry)
      guard await pause(for: wait, until: end, of: id) else {
        results.append(result)
        return
      }
    }
  }

  /// Waits before another try of a scenario.
  /// - Returns: Whether it begins: there is time for it, and nobody has ended the run.
  private func pause(for wait: Duration, until end: Duration?, of id: Int) async -> Bool {
    if interruption != nil { return false }
    if let end, times.show.now + wait >= end { return false }
    let pause = times.show.spawn { [times] in try? await times.show.sleep(for: wait) }
    pauses[id] = pause
    await pause.value
    pauses[id] = nil
    return interruption == nil
  }

  private func report(_ failure: StepFailure, at span: SourceSpan) {
    let footers = failure.help.map { [Diagnostic.Footer.help($0)] } ?? []
    let diagnostic = Diagnostic(.error, failure.code, failure.message, at: .init(span), footers: footers)
    emitter.emit(.diagnostic(.init(diagnostic)))
  }

  // MARK: begin and end

  private func reportStart() {
    var summary = EventKind.RunStarted.Document()
    (summary.id, summary.file, summary.tags) = (document.id, document.file, document.tags)
    summary.sha256 = configuration.documentHashes[document.file]
    var started = EventKind.RunStarted()
    (started.run, started.tool) = (configuration.runID, "showcaller \(configuration.toolVersion)")
    (started.language, started.seed) = (document.language, Int(exactly: configuration.seed))
    started.host = configuration.hostName.isEmpty ? nil : configuration.hostName
    started.arguments = configuration.arguments
    started.rerun = configuration.rerun.isEmpty ? nil : configuration.rerun
    started.speed = configuration.speed
    started.documents = [summary]
    started.resumes = configuration.earlier.run
    emitter.emit(.runStarted(started))
  }

  private func finish() -> Runner.Outcome {
    interruption = interruption ?? earlierInterruption
    let end = RunEnd(of: results, interruption: interruption, failsOnFlaky: configuration.failOnFlaky)
    var finished = EventKind.RunFinished()
    (finished.run, finished.result, finished.exit) = (configuration.runID, end.verdict, Int(end.exit.rawValue))
    configuration.pages?.listen(nil)
    questions?.end()
    if let faults { configuration.faults?.stop(faults) }
    finished.events = emitter.nextNumber
    finished.scenarios = EventKind.VerdictCounts(results.map(\.result))
    emitter.emit(.runFinished(finished))
    noteEnd(end)
    return Runner.Outcome(result: end.verdict, exitCode: end.exit.rawValue)
  }
}

/// Where a task leaves its turn.
private final class TurnBox: Sendable {
  private let value = Mutex<Turns.Turn?>(nil)

  var turn: Turns.Turn? {
    get { value.withLock { $0 } }
    set { value.withLock { $0 = newValue } }
  }
}
