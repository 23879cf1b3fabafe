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
  /// The week of a playlist by its id; `nil`: there is none.
  typealias Week = @Sendable (String) async -> JSONValue?

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
    at place: Place, _ site: SiteControl, week: @escaping Week, clock: TimeSource
  ) async throws(WorkspaceError) -> ServedControl {
    let (token, path) = try token()
    let art = ArtShelf(salt: token, clock: clock) { await ArtFetcher.fetch($0, in: $1) }
    let source = source(site, week, art: art)
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

  private static func source(_ site: SiteControl, _ week: @escaping Week, art: ArtShelf) -> ControlSource {
    var shown = site
    shown.view = {
      var view = await site.view()
      view.art = { art.path(of: $0) }
      return view
    }
    var source = ControlSource(shown, week: week)
    source.art = { await art.picture($0) }
    return source
  }
}
