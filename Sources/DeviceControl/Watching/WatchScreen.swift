import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// What a terminal shows of a watched device: a function of what is known, the time and the size.
package struct WatchScreen {
  package struct Size: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
      self.columns = max(1, min(columns, 1_000))
      self.rows = max(1, min(rows, 1_000))
    }
  }

  /// Which lines stay where the terminal has too few: the lower the longer.
  private enum Rank: Int {
    case essential, important, useful, detail, space
  }

  private let watch: WatchStateMachine
  private let now: Duration
  private let size: Size
  private let hasColor: Bool
  private let hasKeys: Bool
  private let view: StatusView
  private var entries: [(rank: Rank, line: ScreenLine)] = []

  /// The lines from the top, none wider than the terminal, never more than it has.
  package static func lines(
    _ watch: WatchStateMachine, at now: Duration, size: Size, color: Bool, hasKeys: Bool = true
  ) -> [String] {
    var screen = WatchScreen(watch, now, size, color, hasKeys)
    screen.fill()
    return screen.fitting.map { $0.text(width: size.columns, color: color) }
  }

  private init(_ watch: WatchStateMachine, _ now: Duration, _ size: Size, _ color: Bool, _ hasKeys: Bool) {
    self.watch = watch
    self.now = now
    self.size = size
    hasColor = color
    self.hasKeys = hasKeys
    view = watch.view(at: now)
  }

  private mutating func add(_ rank: Rank, _ line: ScreenLine) { entries.append((rank, line)) }

  private mutating func fill() {
    addHead()
    add(.space, ScreenLine())
    addPlayer()
    addTracks()
    addVolume()
    addQueue()
    add(.space, ScreenLine())
    let isHelping = watch.showsHelp && hasKeys
    if isHelping { addHelp() } else { addNotes() }
    addFoot()
  }

  /// What fits into the rows: the least needed goes first, of these the lowest.
  private var fitting: [ScreenLine] {
    var entries = entries
    while entries.count > size.rows, let worst = entries.map(\.rank.rawValue).max(),
      let index = entries.lastIndex(where: { $0.rank.rawValue == worst })
    {
      entries.remove(at: index)
    }
    return entries.map(\.line)
  }

  // MARK: the device and its app

  private mutating func addHead() {
    let isNamed = !watch.device.isUnnamed
    var head = ScreenLine(isNamed ? watch.device.name : "", .bold)
    if let model = watch.device.model, !model.isEmpty { head.add("  \(model)") }
    let address = watch.device.address.text
    // A device that only an address was known of is called by it.
    if !isNamed || watch.device.name != address { head.add(isNamed ? "  \(address)" : address, isNamed ? .dim : .bold) }
    if !watch.authentication.isEmpty {
      head.add("  \(watch.authentication)", watch.authentication == "verified" ? .good : .warning)
    }
    add(.important, head)
    addLink()
    let app = view.snapshot.receiver?.application
    guard let app, !app.isIdleScreen else { return add(.useful, ScreenLine("no app is running\(standby)")) }
    var line = ScreenLine(app.displayName.isEmpty ? app.appID : app.displayName)
    if !app.displayName.isEmpty { line.add("  \(app.appID)", .dim) }
    if !app.statusText.isEmpty, app.statusText != app.displayName { line.add("  \(app.statusText)", .dim) }
    line.add(standby, .warning)
    add(.useful, line)
  }

  private var standby: String {
    let receiver = view.snapshot.receiver
    return receiver?.isStandBy == true
      ? "  standby" : receiver?.isActiveInput == false ? "  another input is shown" : ""
  }

  private mutating func addLink() {
    guard case .lost(let since, let reason, let number, let nextTry, let failure) = watch.link else { return }
    var line = ScreenLine("✗ lost ", .bad)
    line.add("\(ConsoleText.clock(max(0, (now - since).seconds))) ago, ")
    let wait = nextTry.map { ($0 - now).seconds } ?? 0
    line.add("try \(number)\(wait > 0 ? " in \(AdState.countdown(wait))" : "")", .warning)
    line.add(": \(failure ?? reason)")
    add(.essential, line)
  }

  // MARK: what plays

  private var media: MediaStatus? { view.media }
  private var content: MediaInformation? { media?.media ?? media?.extendedMedia }

  private mutating func addPlayer() {
    guard media != nil else {
      return add(.essential, ScreenLine("■ ", .dim).adding("nothing loaded"))
    }
    let player = view.player
    let (symbol, style): (String, ScreenLine.Style) =
      switch player {
      case "playing": ("▶", .good)
      case "paused": ("‖", .warning)
      case "idle": ("■", .dim)
      default: ("…", .accent)
      }
    var line = ScreenLine(symbol + " ", style)
    line.add(player)
    let reason = view.value(of: FieldPath(["idle_reason"]))?.string
    if player == "idle", let reason { line.add(" (\(reason))", reason == "error" ? .bad : .plain) }
    if let code = view.value(of: FieldPath(["error"])) {
      let words = [code["code"]?.int.map(String.init), code["name"]?.string].compactMap(\.self)
      line.add("  error \(words.joined(separator: " "))", .bad)
    }
    if let content {
      let title = content.metadata?["title"]?.string ?? content.contentID
      line.add("  ")
      line.add(title, .bold)
    }
    add(.essential, line)
    addDetails()
    addAd()
    addProgress()
  }

  private mutating func addDetails() {
    guard let content, let details = content.details else { return }
    var words = [details.subtitle, details.seriesTitle, details.artist, details.albumName, details.studio].compactMap {
      $0.flatMap { $0.isEmpty ? nil : $0 }
    }
    if let season = details.season, let episode = details.episode { words.append("S\(season) E\(episode)") }
    if !words.isEmpty { add(.detail, ScreenLine("  \(words.joined(separator: " · "))")) }
    if let image = details.images?.first { add(.detail, ScreenLine("  \(image.url)", .dim)) }
  }

  private mutating func addAd() {
    guard let ad = AdState(view) else { return }
    var line = ScreenLine("  ad", .warning)
    line.add(" \(ad.title ?? ad.name)")
    if let number = ad.number, number.count > 1 { line.add(" \(number.index) of \(number.count)") }
    if let time = ad.time {
      line.add("  \(ConsoleText.clock(time))\(ad.duration.map { " of \(ConsoleText.clock($0))" } ?? "")")
    }
    switch ad.skipping {
    case .now: line.add(hasKeys ? "  s skips it" : "  can be skipped", .good)
    case .in(let seconds): line.add("  skip in \(AdState.countdown(seconds))", .accent)
    case .never: line.add("  cannot be skipped", .dim)
    }
    add(.essential, line)
  }

  private mutating func addProgress() {
    guard view.player != "idle", let position = view.position else { return }
    let isLive = content?.streamType == "LIVE"
    let rate = media?.playbackRate ?? 1
    // In a break it reads 0, which is not the film's.
    let rateText = media?.breakStatus == nil && rate != 1 && rate != 0 ? "  \(rate.decimals(2))x" : ""
    var line = ScreenLine("  \(ConsoleText.clock(position)) ")
    if let duration = content?.duration, duration > 0, !isLive {
      let marks = (content?.breaks ?? []).map { entry in
        (at: entry.position < 0 ? 1 : entry.position / duration, isWatched: entry.isWatched ?? false)
      }
      let end = " \(ConsoleText.clock(duration))"
      let width = barWidth(besides: 3 + ConsoleText.clock(position).count + end.count + rateText.count)
      WatchBar(width: width, fraction: position / duration, marks: marks).add(to: &line)
      line.add(end)
    } else if let range = media?.liveSeekableRange, let start = range.start, let end = liveEnd(range), end > start {
      let behind = end - position
      let isAtEnd = behind < 2
      let text = isAtEnd ? " live" : " live, \(ConsoleText.clock(behind)) behind"
      let width = barWidth(besides: 3 + ConsoleText.clock(position).count + text.count + rateText.count)
      WatchBar(width: width, fraction: isAtEnd ? 1 : (position - start) / (end - start)).add(to: &line)
      line.add(text)
    } else if isLive {
      line.add("live")
    }
    line.add(rateText, .accent)
    add(.essential, line)
  }

  /// Where the live stream is by now.
  private func liveEnd(_ range: MediaStatus.LiveSeekableRange) -> Double? {
    let growth = range.isLiveDone == true ? 0 : max(0, (now - view.snapshot.liveRangeReceivedAt).seconds)
    return range.end.map { $0 + growth }
  }

  private func barWidth(besides: Int) -> Int { max(1, min(60, size.columns - besides)) }

  // MARK: the rest of the status

  private mutating func addTracks() {
    guard let tracks = content?.tracks, !tracks.isEmpty, view.player != "idle" else { return }
    let active = media?.activeTrackIDs ?? []
    var line = ScreenLine()
    for kind in ["AUDIO", "TEXT", "VIDEO"] {
      let those = tracks.filter { $0.type.uppercased() == kind }.prefix(50)
      if those.isEmpty || kind == "VIDEO" && those.count < 2 { continue }
      line.add("  \(kind == "TEXT" ? "captions" : kind.lowercased())", .dim)
      for track in those {
        let isActive = active.contains(track.trackID)
        let name = [track.name, track.language].compactMap(\.self).first { !$0.isEmpty } ?? String(track.trackID)
        line.add(" \(isActive ? "*" : "")\(name)", isActive ? .bold : .plain)
      }
    }
    if !line.isEmpty { add(.detail, line) }
  }

  private mutating func addVolume() {
    guard let volume = view.snapshot.receiver?.volume else { return }
    var line = ScreenLine("  volume ", .dim)
    if let level = volume.level {
      let percent = "\((level * 100).decimals(0))%"
      line.add(String(repeating: " ", count: max(0, 4 - percent.count)) + percent + " ")
      WatchBar(width: max(1, min(20, size.columns - 30)), fraction: level).add(to: &line)
    }
    if volume.muted == true { line.add("  muted", .warning) }
    if volume.controlType == "fixed" { line.add("  fixed", .dim) }
    add(.useful, line)
  }

  private mutating func addQueue() {
    guard let media, view.player != "idle", let items = media.queueItemIDs ?? media.queueItems?.compactMap(\.itemID),
      items.count > 1 || media.repeatMode.map({ $0 != "REPEAT_OFF" }) ?? false
    else { return }
    var line = ScreenLine("  queue", .dim)
    if let current = media.currentItemID, let index = items.firstIndex(of: current) {
      line.add(" \(index + 1) of \(items.count)")
    } else {
      line.add(" \(items.count) items")
    }
    if let mode = media.repeatMode, mode != "REPEAT_OFF" {
      let word = MediaWords.repeatMode(mode)
      line.add(word == "shuffle" ? ", shuffled" : ", repeats \(word)")
    }
    add(.detail, line)
  }

  // MARK: what happened, and the keys

  private mutating func addNotes() {
    for (index, note) in watch.notes.suffix(5).enumerated() {
      let isNewest = index == min(5, watch.notes.count) - 1
      add(
        isNewest ? .useful : .detail,
        ScreenLine("  \(note.clock) ", .dim).adding(note.text, note.isProblem ? .bad : .plain))
    }
  }

  private static let help: [(keys: String, meaning: String)] = [
    ("space", "play or pause"), ("← →", "10 s back or on; Page Up and Down a minute, Home to the start"),
    ("↑ ↓", "volume by 5%"), ("m", "mute, or not"), ("c", "captions: the next, or off"),
    ("[ ]", "slower, faster; Backspace as usual"), ("s", "skip the ad"), ("n b", "next, previous item"),
    ("x", "stop what plays"), ("q", "leave; what plays goes on"),
  ]

  private mutating func addHelp() {
    for entry in Self.help {
      add(.useful, ScreenLine("  \(ConsoleText.padded(entry.keys, 6))", .bold).adding(entry.meaning))
    }
  }

  private mutating func addFoot() {
    if let command = watch.pending.first, let since = watch.runningSince, now - since > .milliseconds(500) {
      let more = watch.pending.count > 1 ? ", \(watch.pending.count - 1) more wait" : ""
      add(.useful, ScreenLine("  … \(command.text)\(more)", .accent))
    }
    guard hasKeys else { return add(.detail, ScreenLine("Ctrl-C leaves", .dim)) }
    let keys = "q leave  ? help  space pause  ←→ seek  ↑↓ volume  m mute  c captions  [] rate  s skip  n next  x stop"
    add(.useful, ScreenLine(watch.showsHelp ? "? closes this" : keys, .dim))
  }
}
