import ScenarioLanguage

/// A timeline as a drawing: widths are shares of the whole, so that it is as wide as the page and is zoomed by its width.
struct TimelineMarkup {
  /// How many parts a drawing may have, over all its lanes.
  static let partLimit = 3_000
  /// How many parts a lane has at least, whatever else there is.
  static let leastParts = 40

  let timeline: RunTimeline
  let names: (String?) -> String
  let share: Int
  let id: String

  /// - Parameters:
  ///   - id: The name of its element; its parts have names that begin with it.
  ///   - names: What a device is called.
  ///   - parts: How many parts it may have.
  init(_ timeline: RunTimeline, id: String, parts: Int = partLimit, names: @escaping (String?) -> String) {
    self.timeline = timeline
    self.names = names
    self.id = id
    let lanes = timeline.devices.reduce(0) { $0 + Self.lanes(of: $1).count }
    share = max(Self.leastParts, parts / max(1, lanes))
  }

  var span: Double { max(0.001, timeline.end - timeline.start) }
  func x(_ time: Double) -> Double { min(100, max(0, (time - timeline.start) / span * 100)) }

  // MARK: Lanes

  /// A lane, its name and its height in pixels.
  struct Row {
    var name: String
    var kind: Kind
    var height: Double { kind == .position ? 44 : kind == .steps ? 24 : 20 }

    enum Kind {
      case steps, link, app, player, adBreak, position, rate, windows, messages, faults, monitors, marks
    }
  }

  /// Those of a device that have something to show.
  static func lanes(of device: RunTimeline.Device) -> [Row] {
    [
      device.steps.isEmpty ? nil : Row(name: "steps", kind: .steps),
      device.link.count == 0 ? nil : Row(name: "connection", kind: .link),
      device.app.count == 0 ? nil : Row(name: "app", kind: .app),
      device.player.count == 0 ? nil : Row(name: "player", kind: .player),
      device.adBreak.count == 0 ? nil : Row(name: "break", kind: .adBreak),
      device.position.count == 0 ? nil : Row(name: "position", kind: .position),
      device.rate.count == 0 ? nil : Row(name: "rate", kind: .rate),
      device.windows.isEmpty ? nil : Row(name: "expect", kind: .windows),
      device.messages.count == 0 ? nil : Row(name: "messages", kind: .messages),
      device.faults.count == 0 ? nil : Row(name: "faults", kind: .faults),
      device.monitors.count == 0 ? nil : Row(name: "monitors", kind: .monitors),
      device.marks.count == 0 ? nil : Row(name: "marks", kind: .marks),
    ].compactMap(\.self)
  }

  static let gap = 3.0
  static let head = 22.0
  static let axis = 20.0

  /// The whole: names of lanes, the drawing, and where the status at a moment is told.
  var html: HTML {
    var labels: HTML = "<div class=\"axis\"></div>"
    var drawing: HTML = ""
    var y = Self.axis
    for device in timeline.devices {
      labels += "<div class=\"dev\" title=\"\(names(device.id))\">\(names(device.id))</div>"
      y += Self.head
      for row in Self.lanes(of: device) {
        labels +=
          "<div class=\"\(raw: row.kind == .position ? "tall" : row.kind == .steps ? "mid" : "low")\">\(row.name)</div>"
        drawing += "<g class=\"lane\" data-lane=\"\(row.name)\" data-device=\"\(device.id ?? "")\">"
        drawing += "<rect class=\"bed\" y=\"\(pixels: y)\" width=\"100%\" height=\"\(pixels: row.height)\"/>"
        drawing += content(row.kind, device, y, row.height)
        drawing += "</g>"
        y += row.height + Self.gap
      }
    }
    let about = "timeline from \(Self.seconds(timeline.start)) to \(Self.seconds(timeline.end))"
    return """
      <section class="timeline" id="\(id)" data-start="\(raw: timeline.start.decimals(3))" \
      data-end="\(raw: (timeline.start + span).decimals(3))">
      <div class="plot"><div class="names" aria-hidden="true">\(labels)</div>
      <div class="view" aria-label="\(about)"><svg class="draw" width="100%" height="\(pixels: y)" role="img" \
      aria-label="\(about): \(summary)">\(axis(y))\(drawing)</svg></div></div>
      \(leftOut)
      <div class="now" hidden></div>
      \(timeline.devices.enumerated().map { log($1, $0) })
      </section>

      """
  }

  /// What a drawing says to those who cannot see it.
  var summary: String {
    timeline.devices.map { device in
      let bad = device.windows.filter { !$0.hasPassed }.map(\.step)
      let stall = device.longestStall.map { ", longest buffering \(Self.seconds($0.length))" } ?? ""
      return "\(names(device.id)): \(device.steps.count) steps, \(device.statuses.count) statuses\(stall)"
        + (bad.isEmpty ? "" : ", failed: \(Array(Set(bad)).sorted().prefix(20).joined(separator: ", "))")
    }.joined(separator: "; ")
  }

  func content(_ kind: Row.Kind, _ device: RunTimeline.Device, _ y: Double, _ height: Double) -> HTML {
    switch kind {
    case .steps: steps(device, y, height)
    case .link: segments(device.link, y, height) { _ in "bad" }
    case .app: segments(device.app, y, height) { _ in "app" }
    case .player: segments(device.player, y, height, look: Self.playerLook)
    case .adBreak: segments(device.adBreak, y, height) { _ in "break" }
    case .rate: segments(device.rate, y, height) { $0 == "1x" ? "rate" : "rate other" }
    case .position: position(device.position, y, height)
    case .windows: windows(device, y, height)
    case .messages: moments(device.messages, y, height)
    case .faults: moments(device.faults, y, height)
    case .monitors: moments(device.monitors, y, height)
    case .marks: moments(device.marks, y, height)
    }
  }

  static func playerLook(_ state: String) -> String {
    ["playing", "paused", "buffering", "loading", "idle", "several"].contains(state) ? "p-\(state)" : "p-other"
  }

  /// `31.3s`.
  static func seconds(_ time: Double) -> String { time.decimals(1, padded: true) + "s" }

  // MARK: Axis

  /// A step of 1, 2 or 5 times a power of ten, about ten of which fill the drawing.
  static func tick(for span: Double) -> Double {
    guard span.isFinite, span > 0 else { return 1 }
    var tick = 0.001
    let steps = [2.0, 2.5, 2.0]
    var index = 0
    while span / tick > 10, tick < 1e15 {
      tick *= steps[index % 3]
      index += 1
    }
    return tick
  }

  func axis(_ height: Double) -> HTML {
    let tick = Self.tick(for: span)
    let first = Int(exactly: (timeline.start / tick).rounded(.up)) ?? 0
    var html: HTML = "<g class=\"axis\">"
    // Those between are for who looks closer.
    for (part, look) in [(1, "t0"), (5, "t1")] {
      for number in (1 - part)...(11 * part) where part == 1 || !number.isMultiple(of: part) {
        let time = (Double(first) + Double(number) / Double(part)) * tick
        guard time >= timeline.start, time <= timeline.end else { continue }
        let place = x(time)
        html += """
          <g class="\(look)\(" last", if: place > 97)"><line x1="\(percent: place)" x2="\(percent: place)" y1="14" y2="\(pixels: height)"/>\
          <text x="\(percent: place)" y="11"\(" text-anchor=\"end\"", if: place > 97)>\(time.decimals(3))s</text></g>
          """
      }
    }
    return html + "</g><line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"\(pixels: height)\"/>"
  }
}

extension StepResult {
  /// As people read it.
  var shownWord: String { self == .notRun ? "not run" : rawValue }

  /// A sign that says it without color.
  var sign: String {
    switch self {
    case .passed: "✓"
    case .flaky: "~"
    case .failed: "✗"
    case .error: "!"
    case .skipped, .notRun: "–"
    }
  }
}
