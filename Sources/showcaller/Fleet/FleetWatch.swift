import CastProtocol
import DeviceControl
import FleetControl
import FleetMessages
import ScenarioLanguage
import ScenarioRunner
import Workspace

/// Follows the fleet until somebody ends it.
actor FleetWatch: FleetDuty {
  enum Form: Sendable {
    /// Drawn again when something is different.
    case screen
    case lines
    case json
  }

  private var desk: FleetDesk
  private let glob: SiteGlob?
  private let form: Form
  /// Whether only what is wrong is told.
  private let isOfAlerts: Bool
  /// When it ends.
  private let end: Duration?
  private var isComplete = false
  private var hasChanged = true
  private var drawn = Duration.zero

  init(_ connection: FleetConnection, _ glob: SiteGlob?, _ form: Form, isOfAlerts: Bool, limit: Duration?) {
    desk = FleetDesk(connection, filters: [.condition(glob?.only)])
    (self.glob, self.form, self.isOfAlerts) = (glob, form, isOfAlerts)
    end = limit.map { connection.clock.now + $0 }
  }

  func receive(_ event: BrokerEvent) -> Result<Void, CommandFailure>? {
    switch event {
    case .connected where isComplete:
      desk.forget()
      isComplete = false
      tell("connected", "the broker is back")
    case .disconnected(let failure) where isComplete:
      tell("lost", "warning: \(failure.message): waiting until it is back")
    case .connected, .disconnected, .message, .acknowledged, .denied: break
    }
    guard case .message(let message) = event, let topic = FleetTopic(message.topic), glob?.matches(topic.site) ?? true
    else {
      _ = desk.receive(event)
      return nil
    }
    let before = isComplete && form != .screen ? desk.view.sites[topic.site] : nil
    guard let changed = desk.receive(event) else { return nil }
    hasChanged = true
    guard isComplete, form != .screen else { return nil }
    for change in FleetChange.changes(of: topic.site, on: changed, from: before, to: desk.view.sites[topic.site])
    where change.isAlert || !isOfAlerts {
      if form == .json {
        Terminal.print(change.json.serialized())
      } else {
        Terminal.print("\(Terminal.timeOfDay)  \(TerminalText.escaped(change.text))")
      }
    }
    return nil
  }

  func tick() -> Result<Void, CommandFailure>? {
    let now = desk.connection.clock.now
    if let end, now >= end { return .success(()) }
    if !isComplete {
      switch desk.state {
      case .waiting: return nil
      case .unreachable(let failure):
        // Who was there once is waited for.
        if drawn == .zero { return .failure(desk.connection.unreachable(failure)) }
      case .complete:
        isComplete = true
        begin()
      }
    }
    if form == .screen, isComplete, hasChanged, now - drawn >= .seconds(1) { draw(at: now) }
    return nil
  }

  func interrupt(_ interruption: Runner.Interruption) -> Result<Void, CommandFailure>? { .success(()) }

  /// What there is before anything changes.
  private func begin() {
    drawn = desk.connection.clock.now
    hasChanged = true
    switch form {
    case .screen: draw(at: drawn)
    case .lines:
      let text = isOfAlerts ? nil : FleetSummary(desk.view.rows(glob)).text
      if let text { Terminal.print("\(Terminal.timeOfDay)  \(text)") }
      if isOfAlerts {
        FleetOptions.print(AlertList(desk.view, glob, at: FleetOptions.unixTime).lines(width: FleetOptions.page.width))
      }
    case .json:
      var object = isOfAlerts ? AlertList(desk.view, glob, at: 0).json : SiteList(desk.view.rows(glob), at: 0).json
      if var members = object.object {
        members["event"] = .string(isOfAlerts ? "alerts" : "sites")
        object = .object(members)
      }
      Terminal.print(object.serialized())
    }
  }

  private func tell(_ event: String, _ text: String) {
    switch form {
    case .screen: hasChanged = true
    case .lines: Terminal.say(TerminalText.escaped(text))
    case .json: Terminal.print((["v": 1, "event": .string(event)] as JSONValue).serialized())
    }
  }

  private func draw(at now: Duration) {
    (drawn, hasChanged) = (now, false)
    let (width, rows) = FleetOptions.page
    let lines = SiteList(desk.view.rows(glob), at: FleetOptions.unixTime).lines(width: width, most: rows)
    // The summary is what stays where there is no room for all problems.
    let shown = lines.count > rows ? Array(lines.prefix(rows - 1)) + lines.suffix(1) : lines
    StandardStream.output.write(ScreenTerminal.drawing(shown, rows: rows))
  }
}
