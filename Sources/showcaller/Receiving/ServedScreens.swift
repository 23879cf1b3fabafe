import CastProtocol
import CastReceiver
import ReceiverScreen
import ScenarioLanguage
import Synchronization
import WebServer
import Workspace

/// The pages of `receive --screen`.
final class ServedScreens: Sendable {
  private struct Screen {
    let signal = ScreenSignal()
    var receiver: VirtualReceiver?
    /// What was said last of it, so that nothing is said twice.
    var said: MediaFault?
    var saidBlocked = false
  }

  private let place: ScreenOptions.Place
  private let clock: TimeSource
  private let playsOutside: Bool
  private let screens: Mutex<[Screen]>
  private let responder = Mutex<ScreenResponder?>(nil)
  private let servers = Mutex<[WebServer]>([])
  private let token: String?
  private static let otherLoopback = "::1"

  /// The connections that one browser may have; each page keeps one open.
  private static var limits: WebServer.Limits {
    var limits = WebServer.Limits()
    limits.connections = 128
    limits.connectionsPerPeer = 64
    return limits
  }

  /// `nil` where no page is asked for.
  /// - Parameter count: Of receivers.
  init?(_ options: ScreenOptions, count: Int, clock: TimeSource) {
    guard let place = options.place else { return nil }
    self.place = place
    self.clock = clock
    playsOutside = options.player == .browser
    screens = Mutex((0..<count).map { _ in Screen() })
    // On this computer whoever looks needs nothing.
    token = place.address.isLoopback ? nil : Self.random()
  }

  private static func random() -> String {
    var system = SystemRandomNumberGenerator()
    return (0..<4).map { _ in
      let text = String(UInt64.random(in: .min ... .max, using: &system), radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
  }

  /// A browser keeps its own time.
  func check(_ lab: ReceiverPlan?) throws(CommandFailure) {
    guard playsOutside, let speed = lab?.speed, speed != 1 else { return }
    throw CommandFailure(
      .commandLineWrong, "--play browser plays at the speed of the world, and the library says `speed: \(speed)x`",
      help: "leave out `speed:`, or --play browser")
  }

  /// Has a receiver tell its screen of changes.
  func join(_ configuration: inout ReceiverConfiguration, at index: Int) {
    configuration.playsOutside = playsOutside
    guard let signal = screens.withLock({ $0.indices.contains(index) ? $0[index].signal : nil }) else { return }
    configuration.changed = { signal.send() }
  }

  /// Listens; the screens are there as soon as ``show(_:)`` has given their receivers.
  func open() async throws(CommandFailure) {
    let answer: @Sendable (ServedRequest) async -> ServedAnswer = { [self] request in
      guard let responder = responder.withLock({ $0 }) else {
        return ServedAnswer(503, headers: [("Retry-After", "1")])
      }
      return await responder.answer(request)
    }
    do {
      let first = try await WebServer.start(
        host: place.address.text, port: place.port, limits: Self.limits, answer: answer)
      servers.withLock { $0 = [first] }
      // Browsers may look for `localhost` there first; a computer without IPv6 has no such address.
      if place.address == .loopback,
        let second = try? await WebServer.start(
          host: Self.otherLoopback, port: first.port, limits: Self.limits, answer: answer)
      {
        servers.withLock { $0.append(second) }
      }
    } catch {
      throw CommandFailure(.busy, "--screen: \(error.message)", help: error.help)
    }
  }

  /// Shows the receivers from now on.
  func show(_ receivers: [VirtualReceiver]) {
    screens.withLock { screens in
      for (index, receiver) in receivers.enumerated() where screens.indices.contains(index) {
        screens[index].receiver = receiver
      }
    }
    let sources = screens.withLock { screens in
      screens.enumerated().compactMap { index, screen in screen.receiver.map { source($0, screen.signal, index) } }
    }
    guard let port = servers.withLock({ $0.first?.port }) else { return }
    var names = place.address.names
    if servers.withLock({ $0.count }) > 1 { names.append("[\(Self.otherLoopback)]") }
    let ports = [":\(port)"] + (port == 80 ? [""] : [])
    let access = WebAccess(
      token: token ?? Self.random(), hosts: Set(names.flatMap { name in ports.map { name.lowercased() + $0 } }),
      readersNeedToken: token != nil)
    responder.withLock { $0 = ScreenResponder(sources, access: access, clock: clock) }
    let what = receivers.count == 1 ? "the screen is" : "the screens are"
    Terminal.say("\(what) http://\(names.first ?? place.address.text):\(port)/\(token.map { "#\($0)" } ?? "")")
    if playsOutside { for index in sources.indices { tellFaults(of: index) } }
  }

  private func source(_ receiver: VirtualReceiver, _ signal: ScreenSignal, _ index: Int) -> ScreenSource {
    let name = receiver.configuration.name
    return ScreenSource(
      name: name, signal: signal, snapshot: { receiver.screen() },
      player: { receiver.player($0) },
      blocked: { [self] in
        let isNew = screens.withLock { screens in
          defer { screens[index].saidBlocked = true }
          return !screens[index].saidBlocked
        }
        guard isNew else { return }
        Terminal.tell(
          TerminalText.escaped("\(name): the browser plays nothing by itself, so what is loaded stands paused"),
          help: "click the page, or start the browser with --autoplay-policy=no-user-gesture-required")
      })
  }

  /// Says why content does not play, which senders hear as a number.
  private func tellFaults(of index: Int) {
    let (signal, receiver) = screens.withLock { ($0[index].signal, $0[index].receiver) }
    guard let receiver else { return }
    clock.spawn { [weak self] in
      for await _ in signal.changes() {
        guard let self else { return }
        let fault = receiver.screen().fault
        let isNew = screens.withLock { screens in
          defer { screens[index].said = fault }
          return screens[index].said != fault
        }
        guard isNew, let fault else { continue }
        Terminal.say(TerminalText.escaped("\(receiver.configuration.name): \(fault.words)"))
      }
    }
  }

  func close() async { for server in servers.withLock({ $0 }) { await server.close() } }
}
