import ScenarioLanguage

/// What is told besides the drawing.
extension TimelineMarkup {
  /// What the drawing does not show one by one.
  var leftOut: HTML {
    var notes: [String] = []
    func note(_ name: String, _ count: Int, _ shown: Int, _ what: String, of device: RunTimeline.Device) {
      if shown < count { notes.append("\(names(device.id)): \(name): \(count) \(what) are drawn as \(shown)") }
    }
    for device in timeline.devices {
      for (name, lane) in [
        ("app", device.app), ("player", device.player), ("break", device.adBreak), ("rate", device.rate),
        ("connection", device.link),
      ] {
        note(name, lane.count, Lane.thinned(lane.segments, to: share).count, "values", of: device)
      }
      for (name, lane) in [
        ("messages", device.messages), ("faults", device.faults), ("monitors", device.monitors),
        ("marks", device.marks),
      ] {
        note(name, lane.count, Moments.thinned(lane.moments, to: share).count, "moments", of: device)
      }
      let points = PositionTrack.thinned(device.position.points, to: min(600, share * 2)).count
      note("position", device.position.count, points, "statuses", of: device)
      let steps = Self.kept(device.steps, limit: share) {
        $0.result?.isBad == true || $0.result == nil && $0.end == nil
      }
      let windows = Self.kept(device.windows, limit: share) { !$0.hasPassed }
      let missed = device.missedBars + device.steps.count - steps.count + device.windows.count - windows.count
      if missed > 0 { notes.append("\(names(device.id)): \(missed) steps and expectations are not drawn") }
    }
    if timeline.hasMoreDevices {
      notes.append("more than \(RunTimeline.deviceLimit) devices: the others are not drawn")
    }
    return notes.isEmpty ? "" : "<ul class=\"left\">\(notes.map { "<li>\($0)</li>" as HTML })</ul>"
  }

  /// The statuses of a device as a list: what the script reads, and what can be read without one.
  func log(_ device: RunTimeline.Device, _ number: Int) -> HTML {
    guard device.statuses.count > 0 else { return "" }
    let rows = device.statuses.rows
    let count = device.statuses.count
    let told =
      rows.count < count
      ? "\(count) statuses of \(names(device.id)), told in \(rows.count) lines: what came close together is told at the last of it"
      : "\(count) \(count == 1 ? "status" : "statuses") of \(names(device.id)), each with what it changed"
    let items = rows.map { row -> HTML in
      let set = row.set.map { "<i>\($0.name) \($0.text)</i> " as HTML }
      let unset = row.unset.map { "<s>\($0)</s> " as HTML }
      let more: HTML =
        row.count > 1 ? "<small>\(row.count) statuses</small>" : row.isPolled ? "<small>polled</small>" : ""
      return
        "<li data-t=\"\(Int(milliseconds: row.time))\"><b>+\(row.time.decimals(2, padded: true))s</b> \(set)\(unset)\(more)</li>"
    }
    return """
      <details class="log" data-device="\(device.id ?? "")" data-name="\(names(device.id))"><summary>\(told)</summary>
      <ol>\(items)</ol></details>
      """
  }
}
