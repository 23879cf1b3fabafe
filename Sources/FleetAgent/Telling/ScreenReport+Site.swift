import CastProtocol
import FleetMessages
import ScenarioLanguage
import Signage

extension ScreenReport {
  /// By how many seconds a reckoned time may differ from that of the report before it and be the same: a receiver's
  /// position is never quite what it should be.
  private static let tolerance = 2

  /// How a screen is. Nothing in it changes by time alone: a screen that is left alone is reported once.
  /// - Parameters:
  ///   - time: Unix time of the view.
  ///   - former: What was reported before.
  init(
    of screen: ScreenState, _ sight: ScreenSight?, in plan: PlaylistPlan, site: SiteName, at time: Double,
    after former: ScreenReport?
  ) {
    self.init(
      site: site.text, playlist: plan.id, screen: screen.name, state: screen.mediaPlayerState(sight),
      phase: screen.phaseWord, since: Self.whole(screen.since))
    // A screen that was just begun is looked for: it is dark when that is in vain.
    (isDark, isUp, isPaused) = (screen.isDark && screen.hasBegun, screen.isReachable, screen.isPaused)
    if !screen.hasBegun { phase = "starting" }
    (device, why) = (screen.device, screen.why)
    (reconnects, loadFailures) = (screen.reconnects, screen.loadFailures)
    // Receivers send a volume of 0.800000011920929.
    volume = sight?.volume.map { ($0 * 1000).rounded() / 1000 }
    problem = screen.problems.last?.text
    if screen.phase == .showing, let showing = sight?.showing ?? screen.showing {
      if let since = sight?.since { self.since = Self.whole(since) }
      (title, item, decidedBy) = (Self.title(showing), showing.name, showing.decidedBy)
      // What only this site can reach is no use to others.
      picture = ArtAddress(of: showing, in: plan.file)?.urls.first { $0.hasPrefix("https:") }
    }
    if let next = sight?.next {
      self.next = Self.title(next.showing)
      let at = Self.whole(next.time)
      // One that is to come at every moment, as after a live stream, has no time.
      nextAt = Double(at) > time + Double(Self.tolerance) ? at : nil
    }
    guard let former, former.item == item, former.next == next, former.phase == phase else { return }
    if abs(former.since - since) <= Self.tolerance { since = former.since }
    guard let before = former.nextAt else { return }
    // The moment has come, or is where it was.
    if nextAt.map({ abs($0 - before) <= Self.tolerance }) ?? (before <= Self.whole(time) + Self.tolerance) {
      nextAt = before
    }
  }

  private static func title(_ showing: Showing) -> String {
    showing.item.media.metadata?["title"]?.string ?? showing.name
  }

  /// Unix seconds; a moment that no clock has is 0.
  static func whole(_ time: Double) -> Int { Int(exactly: time.rounded(.down)) ?? 0 }
}
