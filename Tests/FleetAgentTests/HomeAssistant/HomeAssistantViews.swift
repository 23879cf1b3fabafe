import FleetAgent
import FleetMessages
import ScenarioLanguage
import Signage

/// Sites for tests of what Home Assistant is told.
enum HomeAssistantViews {
  struct NoPlaylist: Error { var text: String }

  static func program(_ yaml: String) throws -> Program {
    let outcome = PlanCompiler.compile(SourceFile(name: "cafe.yaml", bytes: Array(yaml.utf8)))
    guard case .playlist(let plan)? = outcome.document else { throw NoPlaylist(text: "\(outcome.diagnostics)") }
    return Program(plan, in: .utc)
  }

  static let cafe = """
    playlist: Café
    id: cafe
    timezone: UTC
    device: TV
    media: { menu: { url: https://e.com/menu.jpg }, film: { url: https://e.com/f.mp4 } }
    program: [{ play: [menu, film, https://e.com/a.mp4] }]
    """

  /// A site with these playlists and their screens.
  static func view(_ playlists: [(yaml: String, screens: [String])]) throws -> SiteView {
    SiteView(
      playlists: try playlists.map { yaml, screens in
        SiteView.Playlist(program: try program(yaml), screens: screens.map { ScreenState($0, at: 0) }, fired: [:])
      }, time: 1_795_600_800, version: "9.9.9")
  }

  static func site(_ name: String = "berlin-1") throws -> SiteName {
    guard let site = SiteName(name) else { throw NoPlaylist(text: name) }
    return site
  }

  static func messages(
    _ playlists: [(yaml: String, screens: [String])], site name: String = "berlin-1"
  ) throws -> [BrokerMessage] {
    let view = try view(playlists)
    return HomeAssistant.messages(for: view, site: try site(name), names: ScreenNames(view))
  }
}
