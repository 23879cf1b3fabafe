import CastProtocol
import CastReceiver
import CastTransport
import Glibc
import ScenarioLanguage
import Simulation
import Workspace

/// The control socket of this process, at which `receiver press` and `receiver status` ask (docs/security.md V6).
struct ReceiverControlSocket {
  private let sockets: ControlSockets
  private let place: ControlSockets.Place
  private let server: PlainServer

  /// Starts to listen; where that cannot be, a line says so, and the receivers run without.
  static func start(for receivers: RunningReceivers, time: TimeSource) async -> ReceiverControlSocket? {
    do {
      let sockets = try ControlSockets.make(in: .process)
      var system = SystemRandomNumberGenerator()
      let (hidden, shown) = sockets.ownPlaces(.random(in: .min ... .max, using: &system))
      let control = receivers.controlServer(processID: Int(getpid()), time: time)
      let server = try await PlainServer.listen(path: hidden.path, name: shown.name, accept: control.accept)
      do {
        try sockets.show(hidden, as: shown)
      } catch {
        sockets.remove(hidden)
        await server.close()
        throw error
      }
      return ReceiverControlSocket(sockets: sockets, place: shown, server: server)
    } catch {
      let reason = (error as? WorkspaceError)?.message ?? (error as? TransportError)?.message ?? "\(error)"
      Terminal.say("note: `showcaller receiver` cannot reach what runs here: \(TerminalText.escaped(reason))")
      return nil
    }
  }

  func stop() async {
    sockets.remove(place)
    await server.close()
  }
}
