import CastClient
import CastProtocol
import Conformance
import DeviceControl
import RunReporting
import ScenarioLanguage
import ScenarioRunner
import Synchronization
import Workspace

/// Runs checks on a device that was found.
struct CheckRunner: Sendable {
  let conditions: SuiteConditions
  let device: FoundDevice
  let access: DeviceAccess
  let times: TimeSources
  let hasFixedVolume: Bool
  let line: InterruptionLine

  func run(_ ready: ConformRun.ReadyCheck) async -> ConformanceResult {
    let result = await judge(ready)
    // What was stopped half-way says nothing of the device.
    guard SignalWatch.first != nil, result.verdict != .passed else { return result }
    return ConformanceResult(result.id, .notRun, reason: "interrupted")
  }

  private func judge(_ ready: ConformRun.ReadyCheck) async -> ConformanceResult {
    let check = ready.check
    if check.needsVolume, hasFixedVolume { return ConformanceResult(check.id, .skipped, reason: "its volume is fixed") }
    var listener: ListeningSender?
    if check.secondSender != nil {
      listener = await ListeningSender.connected(to: device, by: access)
      if listener == nil {
        return ConformanceResult(check.id, .error, reason: "another sender could not be connected")
      }
    }
    let sink = ObservingSink()
    var configuration = RunConfiguration(
      runID: RunID.make(), toolVersion: ShowcallerCommand.version, wallClock: Surroundings.process.unixTime)
    configuration.includesWire = true
    configuration.authentication = conditions.authentication
    configuration.speed = conditions.speed == 1 ? nil : conditions.speed
    if !conditions.isVirtual { configuration.launchedApps = LaunchedApps(LaunchedAppStore(.process)) }
    _ = await Runner.run(
      ready.document, on: access, times: times, configuration: configuration, interruptions: line.stream(),
      reportingTo: sink)
    let heard = await listener?.heard(until: check.secondSender, times) ?? []
    return sink.result(of: check, heard: heard)
  }
}

/// Keeps of the events of a run what its verdict is made from.
private final class ObservingSink: EventSink {
  private let observer = Mutex(RunObserver())

  func record(_ event: Event) { observer.withLock { $0.record(event) } }

  func result(of check: ConformanceCheck, heard: [ObservedMessage]) -> ConformanceResult {
    observer.withLock { $0.result(of: check, heard: heard) }
  }
}

/// Another sender, which only listens.
private struct ListeningSender {
  let connection: CastConnection
  private let messages: Messages

  /// The messages that the second sender received.
  private final class Messages: Sendable {
    private static let most = 1_000
    private let all = Mutex<[ObservedMessage]>([])

    var list: [ObservedMessage] { all.withLock { $0 } }

    func add(_ record: WireRecord) {
      guard case .received(let message) = record.content, let json = record.json else { return }
      let heard = ObservedMessage(isSent: false, namespace: message.namespace.rawValue, json: json)
      all.withLock { all in if all.count < Self.most { all.append(heard) } }
    }

    func clear() { all.withLock { $0 = [] } }
  }

  static func connected(to device: FoundDevice, by access: DeviceAccess) async -> ListeningSender? {
    let messages = Messages()
    let tap = WireTap.told { messages.add($0) }
    guard let opened = try? await access.connect(device, tap) else { return nil }
    // How things were before is no news.
    messages.clear()
    return ListeningSender(connection: opened.connection, messages: messages)
  }

  private static let patience = Duration.seconds(2)

  /// Waits until it was told what it should be, at most 2 s; then disconnects.
  func heard(until wanted: SecondSender?, _ times: TimeSources) async -> [ObservedMessage] {
    let deadline = times.show.now + Self.patience
    var seen = 0
    while let wanted, wanted.shortcoming(messages.list) != nil, times.show.now < deadline {
      let new = await connection.nextObservations(after: seen, until: deadline)
      guard let last = new.last else { break }
      seen = last.number
    }
    await connection.disconnect()
    return messages.list
  }
}
