import CastProtocol
import CastTransport
import ControlPage
import Glibc
import ScenarioLanguage
import Signage
import Synchronization
import WebServer
import Workspace

/// The control page of a `serve`.
struct ServedControl: Sendable {
  /// A playlist that is served, as far as the page has to do with it.
  struct Playlist: Sendable {
    var outside: ServedOutside
    var server: PlaylistServer
    var shown: ShownRecord

    var id: String { outside.program.plan.id }
  }

  /// Where the page listens.
  struct Place: Sendable {
    /// `nil`: this computer alone can reach it.
    var address: ListenAddress?
    var port: Int
    /// What a proxy calls it.
    var names: [ControlName] = []
  }

  private static let tokenBytes = 32
  /// Browsers may look for `localhost` here first.
  private static let otherLoopback = "::1"

  private let servers: [WebServer]

  /// Starts it.
  static func start(
    at place: Place, _ playlists: @escaping @Sendable () -> [Playlist],
    invalid: @escaping @Sendable () -> [ControlView.Invalid], board: ScreenBoard, clock: TimeSource,
    unixTime: @escaping @Sendable () -> Double
  ) async throws(WorkspaceError) -> ServedControl {
    let (token, path) = try token()
    let art = ArtShelf(salt: token, clock: clock) { await ArtFetcher.fetch($0, in: $1) }
    let source = source(playlists, invalid: invalid, board: board, art: art, unixTime: unixTime)
    let responder = Mutex<ControlResponder?>(nil)
    let answer: @Sendable (ServedRequest) async -> ServedAnswer = { request in
      guard let responder = responder.withLock({ $0 }) else { return ServedAnswer(503) }
      return await responder.answer(request)
    }
    let address = place.address ?? .loopback
    let first: WebServer
    do {
      first = try await WebServer.start(host: address.text, port: place.port, limits: limits, answer: answer)
    } catch {
      throw WorkspaceError(.busy, "the control page: \(error.message)", help: error.help)
    }
    var names = address.names
    var servers = [first]
    if place.address == nil,
      // A computer without IPv6 has no such address.
      let second = try? await WebServer.start(host: otherLoopback, port: first.port, limits: limits, answer: answer)
    {
      servers.append(second)
      names.append("[\(otherLoopback)]")
    }
    // Browsers leave out the usual port.
    let ports = [":\(first.port)"] + (first.port == 80 ? [""] : [])
    let hosts = Set(names.flatMap { name in ports.map { name.lowercased() + $0 } })
    let access = WebAccess(
      token: token, hosts: hosts, proxyHosts: place.names.reduce(into: []) { $0.formUnion($1.hosts) },
      readersNeedToken: !address.isLoopback)
    responder.withLock { $0 = ControlResponder(source, access: access, clock: clock) }
    let shown = address.names.first ?? address.text
    Terminal.say("the control page is http://\(shown):\(first.port)/ and its token is in \(TerminalText.escaped(path))")
    return ServedControl(servers: servers)
  }

  private static var limits: WebServer.Limits {
    var limits = WebServer.Limits()
    limits.connections = 64
    limits.connectionsPerPeer = 32
    return limits
  }

  func close() async { for server in servers { await server.close() } }

  /// The token in the state folder, made when there is none.
  private static func token() throws(WorkspaceError) -> (token: String, path: String) {
    guard let folder = Surroundings.process.stateFolder else {
      throw WorkspaceError(
        .notWritten, "there is no folder for the token of the control page", help: "set HOME or XDG_STATE_HOME")
    }
    let path = "\(folder)/control-token"
    do throws(FileError) {
      let token = try Files.keptSecret(at: path, bytes: tokenBytes, as: .text)
      return (String(decoding: token, as: UTF8.self), path)
    } catch {
      throw WorkspaceError(.notWritten, "the token of the control page cannot be kept: \(error.message)")
    }
  }

  private static func source(
    _ served: @escaping @Sendable () -> [Playlist], invalid: @escaping @Sendable () -> [ControlView.Invalid],
    board: ScreenBoard, art: ArtShelf,
    unixTime: @escaping @Sendable () -> Double
  ) -> ControlSource {
    var source = ControlSource(
      view: {
        let screens = board.screens
        var views: [ControlView.Playlist] = []
        for playlist in served() {
          var view = ControlView.Playlist(
            program: playlist.outside.program,
            screens: screens.filter { $0.key.playlist == playlist.outside.key }.map(\.state),
            fired: playlist.outside.triggers.fired)
          view.untold = playlist.outside.untold
          view.sights = await playlist.server.sights()
          view.meter = playlist.shown.meter(view.sights, at: unixTime())
          views.append(view)
        }
        var view = ControlView(playlists: views, time: unixTime(), version: ShowcallerCommand.version)
        view.invalid = invalid()
        view.art = { art.path(of: $0) }
        return view
      }, changes: { board.changes() },
      week: { id in
        guard let playlist = served().first(where: { $0.id == id }) else { return nil }
        let sights = await playlist.server.sights()
        return await playlist.shown.week(of: playlist.outside.program, sights, at: unixTime())
      },
      order: { order, id, screen in
        guard let playlist = served().first(where: { $0.id == id }) else { return nil }
        return await playlist.server.order(order, screen: screen)
      },
      trigger: { name, id, fires in
        guard let outside = served().first(where: { $0.id == id })?.outside,
          let trigger = outside.program.plan.triggers.first(where: { $0.name == name })
        else { return .unknown }
        guard trigger.source == .webhook else { return .notWebhook }
        await outside.take(name, fires: fires)
        return .done
      })
    source.art = { await art.picture($0) }
    return source
  }
}
