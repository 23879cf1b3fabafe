import CastProtocol
import FleetControl
import FleetMessages
import ScenarioRunner

/// A view of the fleet that fills from a connection.
struct FleetDesk: Sendable {
  let connection: FleetConnection
  private let filters: [FleetFilter]
  private(set) var view = FleetView()
  private var reading: FleetReading

  init(_ connection: FleetConnection, filters: [FleetFilter]) {
    (self.connection, self.filters) = (connection, filters)
    reading = FleetReading(limit: connection.wait, at: connection.clock.now)
  }

  var state: FleetReading.State { reading.state(at: connection.clock.now) }

  /// - Returns: What is different.
  mutating func receive(_ event: BrokerEvent) -> FleetTopic? {
    reading.receive(event, at: connection.clock.now)
    switch event {
    case .connected:
      for filter in filters.flatMap(\.text) { connection.link.send(.subscribe(filter)) }
      return nil
    case .message(let message): return view.receive(message)
    case .disconnected, .acknowledged, .denied: return nil
    }
  }

  /// Begins anew, as all comes again.
  mutating func forget() {
    view.forgetAll()
    reading = FleetReading(limit: connection.wait, at: connection.clock.now)
  }
}

/// Reads what the broker keeps, once.
actor FleetLook: FleetDuty {
  private var desk: FleetDesk

  init(_ connection: FleetConnection, filters: [FleetFilter]) {
    desk = FleetDesk(connection, filters: filters)
  }

  func receive(_ event: BrokerEvent) -> Result<FleetView, CommandFailure>? {
    _ = desk.receive(event)
    return nil
  }

  func tick() -> Result<FleetView, CommandFailure>? {
    switch desk.state {
    case .waiting: nil
    case .complete: .success(desk.view)
    case .unreachable(let failure): .failure(desk.connection.unreachable(failure))
    }
  }

  func interrupt(_ interruption: Runner.Interruption) -> Result<FleetView, CommandFailure>? {
    .failure(.fleetInterrupted(interruption))
  }
}
