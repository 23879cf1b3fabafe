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
  }

  /// Where the page listens.
  struct Place: Sendable {
    var address: ListenAddress
    var port: Int
    /// Whether readers need the token, too.
    var isReachable: Bool { !["127.0.0.1", "::1"].contains(address.text) }
  }

  private static let tokenBytes = 32

  private let server: WebServer

  /// Starts it.
  static func start(
    at place: Place, _ playlists: @escaping @Sendable () -> [Playlist], board: ScreenBoard, clock: TimeSource,
    unixTime: @escaping @Sendable () -> Double
  ) async throws(WorkspaceError) -> ServedControl {
    let (token, path) = try token()
    let source = source(playlists, board: board, unixTime: unixTime)
    let responder = Mutex<ControlResponder?>(nil)
    var limits = WebServer.Limits()
    limits.connections = 64
    limits.connectionsPerPeer = 32
    let server: WebServer
    do {
      server = try await WebServer.start(host: place.address.text, port: place.port, limits: limits) { request in
        guard let responder = responder.withLock({ $0 }) else { return ServedAnswer(503) }
        return await responder.answer(request)
      }
    } catch {
      throw WorkspaceError(.busy, "the control page: \(error.message)", help: error.help)
    }
    // Browsers leave out the usual port.
    let ports = [":\(server.port)"] + (server.port == 80 ? [""] : [])
    let hosts = Set(place.address.names.flatMap { name in ports.map { name.lowercased() + $0 } })
    let access = ControlAccess(token: token, hosts: hosts, readersNeedToken: place.isReachable)
    responder.withLock { $0 = ControlResponder(source, access: access, clock: clock) }
    let shown = place.address.names.first ?? place.address.text
    Terminal.say(
      "the control page is http://\(shown):\(server.port)/ and its token is in \(TerminalText.escaped(path))")
    return ServedControl(server: server)
  }

  func close() async { await server.close() }

  /// The token in the state folder, made when there is none.
  private static func token() throws(WorkspaceError) -> (token: String, path: String) {
    guard let folder = Surroundings.process.stateFolder else {
      throw WorkspaceError(
        .notWritten, "there is no folder for the token of the control page", help: "set HOME or XDG_STATE_HOME")
    }
    let path = "\(folder)/control-token"
    if let bytes = try? Files.read(path, limit: 1_024, followsLink: false) {
      let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
      if text.utf8.count >= 2 * tokenBytes { return (text, path) }
    }
    var generator = SystemRandomNumberGenerator()
    let token = Digest.hexadecimal((0..<tokenBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    do throws(FileError) {
      try Files.makeFolders(folder)
      try Files.replace(Array((token + "\n").utf8), at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(.notWritten, "the token of the control page cannot be kept: \(error.message)")
    }
    return (token, path)
  }

  private static func source(
    _ served: @escaping @Sendable () -> [Playlist], board: ScreenBoard, unixTime: @escaping @Sendable () -> Double
  ) -> ControlSource {
    ControlSource(
      view: {
        let screens = board.screens
        let views = served().map { playlist in
          let program = playlist.outside.program
          var view = ControlView.Playlist(
            program: program, screens: screens.filter { $0.key.playlist == playlist.outside.key }.map(\.state),
            fired: playlist.outside.triggers.fired)
          view.untold = playlist.outside.untold
          return view
        }
        return ControlView(playlists: views, time: unixTime(), version: ShowcallerCommand.version)
      }, changes: { board.changes() },
      week: { number in
        let playlists = served()
        guard playlists.indices.contains(number) else { return nil }
        let program = playlists[number].outside.program
        let today = CivilDate(at: program.zone.wallTime(at: Int(unixTime().rounded(.down))))
        return WeekView(program, from: today).json
      },
      order: { order, number, screen in
        let playlists = served()
        guard playlists.indices.contains(number) else { return nil }
        return await playlists[number].server.order(order, screen: screen)
      },
      trigger: { name, number, fires in
        let playlists = served()
        guard playlists.indices.contains(number),
          let trigger = playlists[number].outside.program.plan.triggers.first(where: { $0.name == name })
        else { return .unknown }
        guard trigger.source == .webhook else { return .notWebhook }
        let board = playlists[number].outside.triggers
        if fires { board.fire(name, at: unixTime()) } else { board.clear(name) }
        return .done
      })
  }
}
