import CastProtocol
import ScenarioLanguage

/// Screens that begin their items together (docs/language/playlist.md "Screens in step").
extension Screen {
  /// An item that is joined later than this is not begun together with the others, in seconds.
  private static let together = 3.0

  /// Waits until the others begin the item, where that is soon.
  func waitForOthers(_ showing: Showing) async {
    guard let begin = showing.shared?.lowerBound, Double(begin) > unixTime else { return }
    let time = unixTime
    changeAccount { $0.rest(at: time, .loading) }
    let wait = Duration.clamped(seconds: Double(begin) - time)
    promiseTurn(waiting: wait)
    try? await world.times.show.sleep(for: wait)
  }

  /// How many seconds after the moment that all screens share an item was seen; `nil`: it was joined when the others showed
  /// it already, or the screen is by itself.
  func skew(of showing: Showing, at time: Double) -> Double? {
    guard let begin = showing.shared?.lowerBound, showing.start == nil else { return nil }
    let skew = time - Double(begin)
    return skew < Self.together ? (skew * 1000).rounded() / 1000 : nil
  }
}
