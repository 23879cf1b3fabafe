import ScenarioLanguage
import Signage

extension SiteControl {
  /// What `serve` serves.
  /// - Parameter unixTime: The playlists' clock.
  init(_ registry: PlaylistRegistry, _ board: ScreenBoard, unixTime: @escaping @Sendable () -> Double) {
    self.init(
      view: {
        let screens = board.screens
        var views: [SiteView.Playlist] = []
        for playlist in registry.served {
          var view = SiteView.Playlist(
            program: playlist.outside.program,
            screens: screens.filter { $0.key.playlist == playlist.outside.key }.map(\.state),
            fired: playlist.outside.triggers.fired)
          view.untold = playlist.outside.untold
          view.incidents = playlist.outside.incidents
          view.sights = await playlist.server.sights()
          view.meter = playlist.shown.meter(view.sights, at: unixTime())
          views.append(view)
        }
        var view = SiteView(playlists: views, time: unixTime(), version: ShowcallerCommand.version)
        view.invalid = registry.invalid
        return view
      }, changes: { board.changes() },
      order: { order, id, screen in
        guard let playlist = registry.served(id) else { return nil }
        return await playlist.server.order(order, screen: screen)
      },
      trigger: { name, id, fires in
        guard let outside = registry.served(id)?.outside,
          let trigger = outside.program.plan.triggers.first(where: { $0.name == name })
        else { return .unknown }
        guard trigger.source == .webhook else { return .notWebhook }
        await outside.take(name, fires: fires)
        return .done
      })
  }
}
