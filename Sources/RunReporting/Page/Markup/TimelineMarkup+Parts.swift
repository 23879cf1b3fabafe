import ScenarioLanguage

/// The parts of lanes.
extension TimelineMarkup {
  /// A bar with a text in it that is cut where the bar ends.
  func bar(
    _ look: String, _ start: Double, _ end: Double, _ y: Double, _ height: Double, _ text: String, title: String,
    more: HTML = ""
  ) -> HTML {
    let (left, right) = (x(start), x(end))
    let width = max(0.05, right - left)
    let label: HTML = width < 0.15 ? "" : "<text x=\"4\" y=\"\(pixels: height / 2 + 4)\">\(text)</text>"
    return """
      <svg class="\(look)" x="\(percent: left)" y="\(pixels: y)" width="\(percent: width)" height="\(pixels: height)"\
      \(more)><title>\(title)</title><rect width="100%" height="100%"/>\(label)</svg>
      """
  }

  func segments(
    _ lane: Lane, _ y: Double, _ height: Double, look: (String) -> String
  ) -> HTML {
    let thinned = Lane.thinned(lane.segments, to: share)
    return thinned.reduce(into: "") { html, segment in
      let text = segment.count > 1 ? "\(segment.text) (\(segment.count))" : segment.text
      html += bar(
        look(segment.text), segment.start, segment.end, y, height, text,
        title: "\(text), \(Self.seconds(segment.start)) to \(Self.seconds(segment.end))")
    }
  }

  func steps(_ device: RunTimeline.Device, _ y: Double, _ height: Double) -> HTML {
    // What failed is never left out.
    let kept = Self.kept(device.steps, limit: share) { $0.result?.isBad == true || $0.result == nil && $0.end == nil }
    return kept.reduce(into: "") { html, step in
      let word = step.result?.shownWord ?? "unfinished"
      html += bar(
        "step r-\(step.result?.rawValue ?? "unfinished")", step.start, step.end ?? timeline.end, y, height,
        "\(step.result.map(\.sign) ?? "…") \(step.id)",
        title:
          "\(step.id) \(step.name): \(word), \(Self.seconds(step.start)) to \(Self.seconds(step.end ?? timeline.end))",
        more: " data-step=\"\(step.id)\" data-name=\"\(step.name)\"")
    }
  }

  func windows(_ device: RunTimeline.Device, _ y: Double, _ height: Double) -> HTML {
    Self.kept(device.windows, limit: share) { !$0.hasPassed }.reduce(into: "") { html, window in
      if let deadline = window.deadline, x(deadline) - x(window.end) > 0.05 {
        html += """
          <rect class="allowed" x="\(percent: x(window.start))" y="\(pixels: y)" width="\(percent: x(deadline) - x(window.start))" \
          height="\(pixels: height)"/>
          """
      }
      let sign = window.hasPassed ? "✓" : "✗"
      html += bar(
        window.hasPassed ? "held" : "broken", window.start, window.end, y, height, "\(sign) \(window.step)",
        title:
          "\(sign) \(window.step) \(window.text), window \(Self.seconds(window.start)) to \(Self.seconds(window.end))"
          + (window.deadline.map { " of at most \(Self.seconds($0))" } ?? ""))
    }
  }

  func moments(_ moments: Moments, _ y: Double, _ height: Double) -> HTML {
    Moments.thinned(moments.moments, to: share).reduce(into: "") { html, moment in
      let sign = moment.look == .sent ? "↑ " : moment.look == .received ? "↓ " : ""
      let times = moment.count > 1 ? " and \(moment.count - 1) more" : ""
      let (top, tall) =
        switch moment.look {
        case .sent: (y, height / 2)
        case .received: (y + height / 2, height / 2)
        case .bad, .note: (y, height)
        }
      html += """
        <rect class="m-\(moment.look.rawValue)" x="\(percent: x(moment.time))" y="\(pixels: top)" width="2" \
        height="\(pixels: tall)"><title>\(sign)\(moment.text)\(times), \(Self.seconds(moment.time))</title></rect>
        """
    }
  }

  func position(_ track: PositionTrack, _ y: Double, _ height: Double) -> HTML {
    let lines = PositionTrack.lines(PositionTrack.thinned(track.points, to: min(600, share * 2)), until: timeline.end)
    let highest = max(1, lines.joined().map(\.position).max() ?? 1)
    let path = lines.map { line in
      "M"
        + line.map { "\((x($0.time) * 10).decimals(1)) \((100 - $0.position / highest * 96 - 2).decimals(1))" }
        .joined(separator: "L")
    }.joined()
    return """
      <svg class="curve" y="\(pixels: y)" width="100%" height="\(pixels: height)" viewBox="0 0 1000 100" \
      preserveAspectRatio="none"><path d="\(path)"/></svg>\
      <text class="scale" x="4" y="\(pixels: y + 12)">\(Self.seconds(highest))</text>
      """
  }

  /// The most important, then the first, in their order.
  static func kept<Part>(_ parts: [Part], limit: Int, isImportant: (Part) -> Bool) -> [Part] {
    guard parts.count > limit else { return parts }
    var room = max(0, limit - parts.count(where: isImportant))
    return Array(
      parts.filter { part in
        if isImportant(part) { return true }
        room -= 1
        return room >= 0
      }.prefix(limit * 2))
  }
}
