import CastClient
import CastProtocol
import CastReceiver
import ScenarioLanguage
import Synchronization

@testable import DeviceControl
@testable import RunReporting
@testable import ScenarioRunner
@testable import Simulation

/// A run that is killed and gone on with, on the same virtual receivers and one virtual clock. What is killed sends
/// nothing more: its connections are gone, and what it would have written to its journal is not there.
struct KilledRun {
  /// What one part came to.
  struct Part: Sendable {
    var outcome: Runner.Outcome
    var events: [Event]
    /// What is on the disk.
    var journal: [UInt8]
    /// What was written, whether it came to the disk or not.
    var written: [UInt8] = []
    /// The records that must be on the disk though nobody waits for them.
    var durable: [JournalEntry.Kind] = []
    /// How many messages came to the devices while it ran.
    var messages = 0
    /// How often each content had come to a device in a LOAD when it was over.
    var contents: [String: Int] = [:]
  }

  var parts: [Part] = []
  /// How often each play id, and each content, came to a device in a LOAD.
  var plays: [String: Int] = [:]
  var contents: [String: Int] = [:]
  /// How often an app was launched.
  var launches = 0

  var last: Part { parts[parts.count - 1] }
  /// `s1 passed taken` for each finished step of the last part.
  var results: [String] {
    last.events.compactMap { event in
      guard case .stepFinished(let finished) = event.kind else { return nil }
      return [event.step ?? "", finished.result.rawValue, finished.resumed?.rawValue ?? ""]
        .filter { !$0.isEmpty }.joined(separator: " ")
    }
  }

  /// The journal of one part, in memory.
  private final class Journal: Sendable {
    private struct State {
      var bytes: [UInt8] = []
      var number = 0
      var isDead = false
      var durable: [JournalEntry.Kind] = []
      /// How many bytes somebody was told to be on the disk.
      var promised = 0
      var connections: [CastConnection] = []
    }
    private let state = Mutex(State())
    private let run: String
    private let elapsed: @Sendable () -> Double
    /// Called for each record, with its number.
    private let onRecord: @Sendable (Int) -> Void

    init(
      run: String, past: JournaledRun?, elapsed: @escaping @Sendable () -> Double,
      onRecord: @escaping @Sendable (Int) -> Void
    ) {
      (self.run, self.elapsed, self.onRecord) = (run, elapsed, onRecord)
      var begin = JournalEntry.Begin()
      begin.resumes = past?.run
      add(.init(wallTime: 0, elapsed: past?.elapsed ?? 0, .begin(begin)))
      for entry in past?.entries ?? [] { add(entry) }
    }

    private func add(_ entry: JournalEntry) {
      let number = state.withLock { state -> Int? in
        if state.isDead { return nil }
        state.number += 1
        state.bytes += JournalLine.bytes(entry, number: state.number, run: run)
        return state.number
      }
      if let number { onRecord(number) }
    }

    func record(_ kind: JournalEntry.Kind) { add(.init(wallTime: 0, elapsed: elapsed(), kind)) }
    var isDead: Bool { state.withLock { $0.isDead } }
    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var durable: [JournalEntry.Kind] { state.withLock { $0.durable } }
    func noteDurable(_ kind: JournalEntry.Kind) { state.withLock { $0.durable.append(kind) } }

    /// Somebody goes on because all that is written so far is on the disk.
    func promise() { state.withLock { if !$0.isDead { $0.promised = $0.bytes.count } } }

    /// What a power cut leaves: all that was promised, and of the rest as much as chance has it, maybe with zeros behind.
    func remains(_ random: inout SeededGenerator) -> [UInt8] {
      let (bytes, promised) = state.withLock { ($0.bytes, $0.promised) }
      let kept = promised + Int(random.next() % UInt64(bytes.count - promised + 1))
      let zeros = random.next().isMultiple(of: 3) ? bytes.count - kept : 0
      return Array(bytes.prefix(kept)) + [UInt8](repeating: 0, count: zeros)
    }

    /// - Returns: Whether it may be used: the dead connect to nothing.
    func keep(_ connection: CastConnection) -> Bool {
      state.withLock { state in
        state.connections.append(connection)
        return !state.isDead
      }
    }

    func die() -> [CastConnection] {
      state.withLock { state in
        state.isDead = true
        return state.connections
      }
    }
  }

  /// When a part is killed.
  enum Death: Sendable {
    /// In document time since it began.
    case at(Duration)
    /// As soon as its journal has so many records.
    case record(Int)
    case never
  }

  /// Runs a document as many times as it is killed, and once more.
  /// - Parameters:
  ///   - latency: How long each message takes.
  ///   - deviceLatency: How long devices take for what they do.
  ///   - away: The name of a device that no later part finds.
  ///   - before: What another sender does before the first part begins.
  ///   - other: What another sender does when the first part is dead.
  ///   - isAwayFromBegin: Whether the first part does not find it either.
  ///   - losesPower: Whether what was not on the disk is lost with each death.
  init(
    _ document: RunnableDocument, killed deaths: [Death], seed: UInt64 = 0, latency: ClosedRange<Duration>? = nil,
    deviceLatency: ReceiverLatency = .none,
    signalled: Duration? = nil, away: String? = nil, before: RunnableDocument? = nil, other: RunnableDocument? = nil,
    losesPower: Bool = false, isAwayFromBegin: Bool = false,
    configure: @escaping @Sendable (inout RunConfiguration) -> Void = { _ in }
  ) throws {
    let executor = SimulationExecutor(seed: seed)
    let network = SimulatedNetwork(executor: executor, seed: seed &+ 1, latency: latency)
    let seen = Mutex<(plays: [String: Int], contents: [String: Int], messages: Int, launches: Int)>(([:], [:], 0, 0))
    var watch = SimulationWatch()
    watch.message = { _, event, _ in
      guard case .received(let message, _) = event, case .text(let text) = message.payload,
        let json = try? JSONValue(parsing: Array(text.utf8))
      else { return }
      seen.withLock { seen in
        seen.messages += 1
        if json["type"] == "LAUNCH" { seen.launches += 1 }
        guard json["type"] == "LOAD" else { return }
        seen.contents[json["media"]?["contentId"]?.string ?? "", default: 0] += 1
        if let play = json["media"]?["customData"]?["showcaller"]?["play"]?.string { seen.plays[play, default: 0] += 1 }
      }
    }
    let settling = SimulationExecutor.settlingTime + (latency?.upperBound ?? .zero) * 4
    parts = try executor.run(limit: .seconds(86_400), settling: settling) { [watch] _ in
      var needs = VirtualDeviceNeeds(of: document)
      needs.latency = deviceLatency
      for others in [before, other].compactMap({ $0 }) { needs.apps += VirtualDeviceNeeds(of: others).apps }
      let devices = SimulatedDevices(for: needs, on: network, seed: seed, watch: watch)
      var parts: [Part] = []
      for (index, death) in (deaths + [.never]).enumerated() {
        if let others = index == 0 ? before : index == 1 ? other : nil {
          _ = await Self.play(
            others, number: 99, on: devices, network, past: nil, death: .never, seed: seed, away: nil, signalled: nil,
            losesPower: false, { _ in })
        }
        let messages = seen.withLock { $0.messages }
        let past = try parts.last.flatMap { JournaledRun(try JournalReader($0.journal)) }
        let isAway = index > 0 || isAwayFromBegin ? away : nil
        var part = await Self.play(
          document, number: index + 1, on: devices, network, past: past, death: death, seed: seed, away: isAway,
          signalled: index == 0 ? signalled : nil, losesPower: losesPower && index < deaths.count, configure)
        part.messages = seen.withLock { $0.messages } - messages
        part.contents = seen.withLock { $0.contents }
        parts.append(part)
      }
      devices.stop()
      return parts
    }
    (plays, contents, launches) = seen.withLock { ($0.plays, $0.contents, $0.launches) }
  }

  private static func play(
    _ document: RunnableDocument, number: Int, on devices: SimulatedDevices, _ network: SimulatedNetwork,
    past: JournaledRun?, death: Death, seed: UInt64, away: String?, signalled: Duration?, losesPower: Bool,
    _ configure: @Sendable (inout RunConfiguration) -> Void
  ) async -> Part {
    let show = network.times.show
    let (interruptions, interrupting) = AsyncStream<Runner.Interruption>.makeStream()
    let kills = AsyncStream<Void>.makeStream()
    let start = show.now
    let before = past?.elapsed ?? 0
    let journal = Journal(
      run: "01PART\(number)", past: past, elapsed: { before + (show.now - start).seconds },
      onRecord: { if case .record(let wanted) = death, $0 == wanted { kills.continuation.yield() } })
    var configuration = RunConfiguration(runID: "01PART\(number)", toolVersion: "0", wallClock: { show.now.seconds })
    configuration.seed = seed
    configuration.assumesPrograms = true
    configuration.journal = RunJournal(past: past) { kind, isDurable in
      journal.record(kind)
      if isDurable { journal.noteDurable(kind) }
    } writeThrough: { kind in
      journal.record(kind)
      // Who is dead waits for nothing that comes, and its end is nobody's to wait for.
      if journal.isDead, case .cleanup = kind { return false }
      if journal.isDead { try? await show.sleep(for: .seconds(3600)) }
      journal.promise()
      return !journal.isDead
    }
    configure(&configuration)
    var access = devices.access
    let connect = access.connect
    let find = access.find
    access.find = { selector, limit throws(RunError) in
      try await find(selector, limit).filter { $0.name != away }
    }
    access.connect = { device, tap throws(ClientError) in
      if journal.isDead { throw ClientError(.unreachable, "dead") }
      let opened = try await connect(device, tap)
      if !journal.keep(opened.connection) {
        await opened.connection.disconnect(abruptly: true)
        throw ClientError(.unreachable, "dead")
      }
      return opened
    }
    let killer = show.spawn {
      if case .at(let time) = death { try? await show.sleep(for: time) } else { for await _ in kills.stream { break } }
      if Task.isCancelled { return }
      for connection in journal.die() { await connection.disconnect(abruptly: true) }
      interrupting.yield(.terminate)
      interrupting.yield(.terminate)
    }
    let signals = show.spawn {
      guard let signalled else { return }
      try? await show.sleep(for: signalled)
      if !Task.isCancelled { interrupting.yield(.interrupt) }
    }
    let sink = KeptEvents()
    let outcome = await Runner.run(
      document, on: access, times: network.times, configuration: configuration, interruptions: interruptions,
      reportingTo: sink)
    for task in [killer, signals] {
      task.cancel()
      await task.value
    }
    interrupting.finish()
    var dice = SeededGenerator(seed: seed &+ UInt64(number))
    let bytes = losesPower ? journal.remains(&dice) : journal.bytes
    return Part(outcome: outcome, events: sink.all, journal: bytes, written: journal.bytes, durable: journal.durable)
  }
}
