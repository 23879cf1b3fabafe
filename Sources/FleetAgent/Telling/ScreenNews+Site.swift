import FleetMessages
import Signage

extension ScreenNews {
  /// What happened on a screen between two looks at it.
  /// - Parameters:
  ///   - isExpected: Whether the screen is to show anything now: one that may rest is not dark.
  ///   - time: Unix time.
  static func between(
    _ former: ScreenState, and screen: ScreenState, isExpected: Bool, at time: Double
  ) -> [ScreenNews] {
    var news: [ScreenNews] = []
    func tell(_ kind: Kind, _ detail: String) { news.append(ScreenNews(kind, detail, at: ScreenReport.whole(time))) }
    let shown = screen.showing?.name ?? ""
    switch (former.phase, screen.phase) {
    case (.yielded(let before), .yielded(let taker)): if before != taker { tell(.takeover, taker) }
    case (_, .yielded(let taker)): tell(.takeover, taker)
    case (.yielded, .showing): tell(.returned, shown)
    default: break
    }
    let (wasDark, isDark) = (former.isDark && former.hasBegun, screen.isDark && screen.hasBegun)
    if isDark, !wasDark, isExpected { tell(.dark, screen.why ?? "") }
    if wasDark, !screen.isDark { tell(.recovered, shown) }
    if screen.stuck > former.stuck { tell(.stuck, shown) }
    return news
  }
}
