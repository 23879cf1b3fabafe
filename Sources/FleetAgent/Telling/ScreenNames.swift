import FleetMessages
import ScenarioLanguage
package import Signage

/// What the screens of a site are called in topics: by their names, and where two playlists have a screen of one name
/// `PLAYLIST.SCREEN` for both (docs/fleet.md "Topics").
package struct ScreenNames: Hashable, Sendable {
  package struct Screen: Hashable, Sendable {
    package var playlist: String
    package var screen: String

    package init(playlist: String, screen: String) { (self.playlist, self.screen) = (playlist, screen) }
  }

  private var levels: [Screen: String] = [:]
  private var screens: [String: Screen] = [:]

  package init(_ screens: [Screen]) {
    let counts = Dictionary(screens.map { (TopicLevel.of($0.screen), 1) }, uniquingKeysWith: +)
    // Those whose name is theirs alone have it first, whatever the long names of others are.
    let isAlone = { (screen: Screen) in counts[TopicLevel.of(screen.screen)] == 1 }
    for screen in screens.filter(isAlone) + screens.filter({ !isAlone($0) }) where levels[screen] == nil {
      var level = TopicLevel.of(isAlone(screen) ? screen.screen : "\(screen.playlist).\(screen.screen)")
      // A screen may be called as the long name of another one.
      while self.screens[level] != nil { level += "_" }
      levels[screen] = level
      self.screens[level] = screen
    }
  }

  package init(_ view: SiteView) {
    self.init(
      view.playlists.flatMap { playlist in
        playlist.screens.map { Screen(playlist: playlist.program.plan.id, screen: $0.name) }
      })
  }

  /// Its level of a topic; `nil`: there is no such screen.
  package func level(of screen: Screen) -> String? { levels[screen] }

  /// The screen of a level.
  package func screen(at level: String) -> Screen? { screens[level] }
}
