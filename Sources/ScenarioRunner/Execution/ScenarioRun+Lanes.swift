import CastClient
import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Which device and which line of steps is meant: each line of steps sees its own.
extension ScenarioRun {
  var lane: Lane {
    get { lanes[Lane.current] ?? Lane() }
    set { lanes[Lane.current] = newValue }
  }

  /// The device that the running step means.
  var target: RunDevice {
    get { devices[deviceIndex] }
    set { devices[deviceIndex] = newValue }
  }

  var deviceIndex: Int {
    let index = lanes[Lane.current]?.device ?? 0
    return devices.indices.contains(index) ? index : 0
  }

  func deviceIndex(ofRole name: String) -> Int? { devices.firstIndex { $0.role == name } }

  /// Runs `body` for each device in turn.
  func onEachDevice(_ body: () async -> Void) async {
    for index in devices.indices { await onDevice(index, body) }
  }

  /// Runs `body` with another device as the one that is meant.
  func onDevice<T, Failure: Error>(_ index: Int, _ body: () async throws(Failure) -> T) async throws(Failure) -> T {
    let outer = lane.device
    lane.device = index
    defer { lane.device = outer }
    return try await body()
  }

  // MARK: of the device

  var device: FoundDevice? {
    get { devices[deviceIndex].device }
    set { devices[deviceIndex].device = newValue }
  }
  var deviceName: String { devices[deviceIndex].name }
  var wire: WireContext? { devices[deviceIndex].wire }
  var connection: CastConnection? {
    get { devices[deviceIndex].connection }
    set { devices[deviceIndex].connection = newValue }
  }
  var wasConnected: Bool {
    get { devices[deviceIndex].wasConnected }
    set { devices[deviceIndex].wasConnected = newValue }
  }
  var lostAt: Duration? {
    get { devices[deviceIndex].lostAt }
    set { devices[deviceIndex].lostAt = newValue }
  }
  var wasDisconnectedByUs: Bool {
    get { devices[deviceIndex].wasDisconnectedByUs }
    set { devices[deviceIndex].wasDisconnectedByUs = newValue }
  }
  var lastSnapshot: DeviceSnapshot {
    get { devices[deviceIndex].lastSnapshot }
    set { devices[deviceIndex].lastSnapshot = newValue }
  }
  var observed: Int {
    get { devices[deviceIndex].observed }
    set { devices[deviceIndex].observed = newValue }
  }
  var watching: Task<Void, Never>? {
    get { devices[deviceIndex].watching }
    set { devices[deviceIndex].watching = newValue }
  }
  var app: AppSession? {
    get { devices[deviceIndex].app }
    set { devices[deviceIndex].app = newValue }
  }
  var appLoss: StepFailure? {
    get { devices[deviceIndex].appLoss }
    set { devices[deviceIndex].appLoss = newValue }
  }
  var loaded: LoadedMedia? {
    get { devices[deviceIndex].loaded }
    set { devices[deviceIndex].loaded = newValue }
  }
  var loadingTrackNames: [Int: String]? {
    get { devices[deviceIndex].loadingTrackNames }
    set { devices[deviceIndex].loadingTrackNames = newValue }
  }
  var earlierSessions: Set<Int> {
    get { devices[deviceIndex].earlierSessions }
    set { devices[deviceIndex].earlierSessions = newValue }
  }
  var isChangingApp: Bool {
    get { devices[deviceIndex].isChangingApp }
    set { devices[deviceIndex].isChangingApp = newValue }
  }
  var originalVolume: (level: Double?, muted: Bool?) {
    get { devices[deviceIndex].originalVolume }
    set { devices[deviceIndex].originalVolume = newValue }
  }
  var monitors: [MonitorStateMachine] {
    get { devices[deviceIndex].monitors }
    set { devices[deviceIndex].monitors = newValue }
  }
  var toldStatus: JSONObject {
    get { devices[deviceIndex].toldStatus }
    set { devices[deviceIndex].toldStatus = newValue }
  }

  // MARK: of the line of steps

  var stepID: String? {
    // What watches a device speaks of the document's own step.
    get { Lane.current < 0 ? lanes[Lane.main]?.stepID : lane.stepID }
    set { lane.stepID = newValue }
  }
  var nesting: Nesting? {
    get { lane.nesting }
    set { lane.nesting = newValue }
  }
  var groupEnd: Duration? {
    get { lane.groupEnd }
    set { lane.groupEnd = newValue }
  }
  var attempt: Int {
    get { lane.attempt }
    set { lane.attempt = newValue }
  }
  var flakySteps: Int {
    get { lane.flakySteps }
    set { lane.flakySteps = newValue }
  }
  var running: Task<Void, Never>? {
    get { lane.running }
    set { lane.running = newValue }
  }

  /// The status of the device when the last action began, for `changed`.
  var baseline: StatusView.Baseline? {
    let (baselines, index) = (lane.baselines, deviceIndex)
    return baselines.indices.contains(index) ? baselines[index] : nil
  }

  /// The last observation of the device before the last action began.
  var lastActionStart: Int {
    let (starts, index) = (lane.actionStarts, deviceIndex)
    return starts.indices.contains(index) ? starts[index] : 0
  }

  /// The last observation of the device before the step `id` began; steps of every role are known by either name.
  /// - Parameter id: What `since` says; `nil`: the last action.
  /// - Throws: `connection_lost` where the connection was made anew since then.
  func start(of id: String?) throws(StepFailure) -> Int {
    guard let id else { return lastActionStart }
    let device = target
    let names = [id] + (device.role.map { ["\(id).\($0)"] } ?? [])
    if let start = names.lazy.compactMap({ device.stepStarts[$0] }).first { return start }
    if names.contains(where: device.lostStarts.contains) {
      throw StepFailure(.connectionLost, "the connection was made anew since \(id) began")
    }
    return lastActionStart
  }

  /// Notes where every device stands as a step begins.
  func noteStart(of step: Plan.Step) {
    for index in devices.indices { devices[index].stepStarts[step.id] = devices[index].observed }
    guard step.isAction else { return }
    lane.actionStarts = devices.map(\.observed)
    lane.baselines = devices.map { device in
      StatusView.Baseline(
        StatusView(device.lastSnapshot, at: now, loaded: device.loaded, secrets: secrets))
    }
  }

  /// What was saved or set so far, the values of loops, and facts about the device.
  var saved: [String: JSONValue] {
    get {
      let (facts, loop) = (target.facts, lane.loopValues)
      if facts.isEmpty, loop.isEmpty, lane.reply == nil { return values }
      var saved = values.merging(loop) { $1 }.merging(facts) { $1 }
      if let reply = lane.reply { saved["reply"] = reply }
      return saved
    }
    set {
      var kept = newValue.filter { !$0.key.isOfLoop && !$0.key.hasPrefix("device.") }
      if let reply = lane.reply {
        // A line of steps keeps its own reply, unless the document gives the name another value.
        if newValue["reply"] == reply { kept["reply"] = values["reply"] } else { lane.reply = nil }
      }
      values = kept
    }
  }

  // MARK: stopping

  /// Why the running step ends before its time; a lane that cleans up sees only what came since.
  var stopCause: StopCause? {
    var id: Int? = Lane.current
    while let current = id, let lane = lanes[current] {
      if let cause = lane.stopCause { return cause }
      if lane.isSheltered { return nil }
      id = lane.parent
    }
    return runStop
  }

  func stop(_ cause: StopCause) {
    runStop = runStop ?? cause
    for id in lanes.keys.sorted() {
      if let lane = lanes[id], lane.isSheltered, lane.stopCause == nil { lanes[id]?.stopCause = cause }
      lanes[id]?.running?.cancel()
    }
  }

  /// Ends a branch and those inside it.
  func stop(lane id: Int, _ cause: StopCause) {
    guard let lane = lanes[id] else { return }
    if lane.stopCause == nil { lanes[id]?.stopCause = cause }
    for other in lanes.keys.sorted() where isInside(other, id) { lanes[other]?.running?.cancel() }
  }

  /// Whether `lane` is `outer` or runs inside it, and does not clean up.
  private func isInside(_ lane: Int, _ outer: Int) -> Bool {
    var id: Int? = lane
    while let current = id, let found = lanes[current] {
      if current == outer { return true }
      if found.isSheltered { return false }
      id = found.parent
    }
    return false
  }

  /// Runs `body` as if nothing had been stopped yet.
  func sheltered<T>(_ body: () async -> T) async -> T {
    let outer = (lane.stopCause, lane.isSheltered)
    (lane.stopCause, lane.isSheltered) = (nil, true)
    defer { (lane.stopCause, lane.isSheltered) = outer }
    return await body()
  }
}

extension String {
  /// Whether a loop gives the name its value.
  var isOfLoop: Bool { self == "item" || self == "index" || hasPrefix("item.") }
}
