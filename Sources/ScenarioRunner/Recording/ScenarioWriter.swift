import CastProtocol
package import DeviceControl
import ScenarioLanguage

/// Writes what was recorded as a scenario that people edit: commented YAML, laid out as `fmt` does it.
package struct ScenarioWriter {
  /// What was recorded, and of what.
  package struct Subject: Sendable {
    package var device: FoundDevice
    /// When the recording began, for a comment: `2026-11-27 20:15`.
    package var date: String

    package init(device: FoundDevice, date: String) {
      self.device = device
      self.date = date
    }
  }

  package struct Outcome: Sendable {
    package var text: String
    /// How many steps the scenario has.
    package var steps: Int
    /// The names of secrets that a run needs.
    package var secrets: [String]
    /// What the scenario does not do that was seen, for people.
    package var remarks: [String]
  }

  /// What documents call `default`.
  static let defaultAppID = KnownApps.id(of: "default")

  let recorder: ScenarioRecorder
  let subject: Subject
  var definitions: RecordedDefinitions
  var lines: [String] = []
  var stepCount = 0
  private var expectCount = 0
  var remarks: [String] = []
  /// The apps other than the default one, by id.
  var apps: [String: (name: String, title: String)] = [:]
  var appOrder: [String] = []
  var playhead = ScenarioPlayhead()
  /// The app that runs.
  var appID: String?

  /// - Returns: `nil` where nothing was seen that a scenario could do.
  package static func write(_ recorder: ScenarioRecorder, of subject: Subject) -> Outcome? {
    var writer = ScenarioWriter(recorder, subject)
    return writer.write()
  }

  private init(_ recorder: ScenarioRecorder, _ subject: Subject) {
    self.recorder = recorder
    self.subject = subject
    var used: Set<Int> = []
    var furthest: [Int: Double] = [:]
    var media: Int?
    for step in recorder.steps {
      if let media { furthest[media] = max(furthest[media] ?? 0, step.lead.position ?? 0) }
      switch step.act {
      case .load(let load), .failedLoad(let load, _):
        used.insert(load.media)
        media = load.media
        furthest[load.media] = max(furthest[load.media] ?? 0, load.start ?? 0)
        if let queue = load.queue { used.formUnion(recorder.queues[queue].items.compactMap(\.media)) }
      case .jump(let jump):
        used.insert(jump.media)
        media = jump.media
      case .advanced(let next):
        used.insert(next)
        media = next
      default: break
      }
      if let media {
        var reached = step.position ?? 0
        if case .seek(let seek) = step.act, seek.isLive {
          reached = max(abs(seek.by), ScenarioRecorder.sensible(seek.to) ?? 0)
        }
        furthest[media] = max(furthest[media] ?? 0, reached)
      }
    }
    definitions = RecordedDefinitions(of: recorder.media, used: used, furthest: furthest)
  }

  private mutating func write() -> Outcome? {
    nameApps()
    for step in recorder.steps { write(step) }
    guard stepCount > 0 else { return nil }
    expectSomething()
    var head = comments()
    head.append("scenario: \(RecordedText.value(title))")
    head += device
    // Loads have limits of their own that must fit into it.
    let loading = recorder.steps.reduce(.zero) { $0 + $1.loadingTime }
    let limit = recorder.length * 1.5 + loading * 3 + .seconds(60 + 30 * stepCount / 4)
    head.append("timeout: \(RecordedText.limit(max(limit, .seconds(120))))")
    if !definitions.secrets.names.isEmpty {
      head.append("")
      head.append(
        "secrets: # taken out of addresses; a run reads them from the environment, or from --secret NAME=@FILE")
      head += definitions.secrets.names.map { "  \($0): { env: \($0.uppercased()) }" }
    }
    if !appOrder.isEmpty {
      head += ["", "apps:"]
      for id in appOrder {
        guard let app = apps[id] else { continue }
        let title = app.title.isEmpty ? "" : ", title: \(RecordedText.value(app.title))"
        head.append("  \(app.name): { id: \(RecordedText.value(id))\(title) }")
      }
    }
    if !definitions.lines.isEmpty { head += ["", "media:"] + definitions.lines }
    if definitions.lines.count > 0, !recorder.steps.contains(where: \.act.isFailure) {
      head += ["", "watch:", "  - name: The receiver reports no playback error", "    never: { idle_reason: error }"]
    }
    head += ["", "steps:"] + lines
    let text = head.joined(separator: "\n") + "\n"
    return Outcome(
      text: Self.formatted(text), steps: stepCount, secrets: definitions.secrets.names, remarks: remarks)
  }

  /// As `fmt` would have it.
  private static func formatted(_ text: String) -> String {
    guard case .formatted(let bytes) = DocumentFormatter.format(SourceFile(name: "recorded", bytes: Array(text.utf8)))
    else { return text }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A scenario that expects nothing passes whatever happens.
  private mutating func expectSomething() {
    if expectCount > 0 { return }
    expect("app: \(appID.map { "{ id: \(RecordedText.value($0)) }" } ?? "none")")
  }

  // MARK: the head

  private var deviceName: String {
    let name = RecordedText.clean(subject.device.name, limit: 80)
    return name.isEmpty ? "a device" : name
  }

  private var title: String {
    let first = recorder.steps.lazy.compactMap { step -> Int? in
      if case .load(let load) = step.act { load.media } else { nil }
    }.first
    let media = first.flatMap { recorder.media[$0] }.flatMap { RecordedDefinitions.title(of: $0) }
    return "\(media.map { RecordedText.clean($0, limit: 80) } ?? "Recorded") on \(deviceName)"
  }

  private var device: [String] {
    // What is known by its address alone has no name that discovery would find.
    if subject.device.isUnnamed || subject.device.name.isEmpty {
      return ["device: { host: \(RecordedText.quoted(subject.device.address.text)) }"]
    }
    return ["device: \(RecordedText.value(subject.device.name))"]
  }

  private func comments() -> [String] {
    var lines = [
      "# Recorded from \(deviceName) by `showcaller record`, \(RecordedText.clean(subject.date)), \(Self.clock(recorder.length)) long.",
      "# Positions were at most \(recorder.jitter.decimals(2))s off what the status before let expect: expectations allow \(tolerance).",
    ]
    if recorder.ownMessages > 0 {
      lines.append(
        "# The app was also spoken to on namespaces of its own. What senders said there, nobody else can see.")
    }
    if recorder.isFull { lines.append("# There was more than a recording has room for; the rest is missing.") }
    for place in definitions.withoutAds.sorted() {
      lines.append(
        "# The ads of `\(definitions.mediaIDs[place] ?? "")` are left out: the device did not say all of them.")
    }
    return lines
  }

  private mutating func nameApps() {
    var taken: Set<String> = []
    for step in recorder.steps {
      guard case .launch(let app) = step.act, app.id != Self.defaultAppID, apps[app.id] == nil, apps.count < 50,
        (try? NameScalar.appID(app.id)) != nil
      else { continue }
      let name = RecordedText.id(of: app.name, taken: &taken, else: "app")
      apps[app.id] = (name, RecordedText.clean(app.name, limit: 80))
      appOrder.append(app.id)
    }
  }

  // MARK: lines

  /// `0:15`, as comments have it.
  static func clock(_ time: Duration) -> String { DeviceState.clock(max(0, time.seconds)) }

  /// How far positions may be off: twice what was seen and a second for the way, in halves.
  var tolerance: String {
    let seconds = min(10, max(1.5, 1 + 2 * recorder.jitter))
    return RecordedText.spelledToHalfSecond((seconds * 2).rounded(.up) / 2)
  }

  /// A step; what it did is told beside it.
  mutating func add(_ step: String, _ more: [String] = [], at time: Duration? = nil) {
    stepCount += 1
    lines.append("  - \(step)\(time.map { " # \(Self.clock($0))" } ?? "")")
    lines += more.map { "    \($0)" }
  }

  /// An `expect` of these fields.
  mutating func expect(_ fields: String, _ more: [String] = [], at time: Duration? = nil) {
    expectCount += 1
    add("expect: { \(fields) }", more, at: time)
  }

  mutating func remark(_ text: String, at time: Duration) {
    lines.append("  # \(Self.clock(time)): \(text)")
    if remarks.count < 20 { remarks.append("\(Self.clock(time)): \(text)") }
  }
}

extension RecordedStep.Act {
  /// Whether the device could not play something.
  fileprivate var isFailure: Bool {
    switch self {
    case .failedLoad, .failed: true
    default: false
    }
  }
}
