import CastProtocol
import FleetMessages

/// What goes between clients and broker.
extension BrokerWorld {
  private mutating func way() -> Duration {
    let span = latency.upperBound - latency.lowerBound
    return span == .zero ? latency.lowerBound : latency.lowerBound + span / 1000 * dice.next(below: 1001)
  }

  mutating func send(_ input: BrokerModel.Input, _ id: ConnectionID, from client: Int) {
    let due = max(now + way(), clients[client]?.toBroker.last?.due ?? .zero)
    clients[client]?.toBroker.append(Transit(content: input, connection: id, due: due))
    alarm(.traffic(client: client), at: due)
  }

  mutating func send(_ parcel: Parcel, on id: ConnectionID) {
    guard let client = owners[id] else { return }
    let due = max(now + way(), clients[client]?.toClient.last?.due ?? .zero)
    clients[client]?.toClient.append(Transit(content: parcel, connection: id, due: due))
    alarm(.traffic(client: client), at: due)
  }

  /// Sends what its owner asks for.
  mutating func ask(_ client: Int, _ command: BrokerCommand) -> Bool {
    guard let state = clients[client], case .connected(let id) = state.phase else { return false }
    guard state.toBroker.count < Self.mostSending else { return false }
    switch command {
    case .publish(let message, let token):
      // Who publishes at most once is told when it is sent.
      send(.publish(id, message, id: token), id, from: client)
    case .subscribe(let filter, let options): send(.subscribe(id, filter, options), id, from: client)
    case .unsubscribe(let filter): send(.unsubscribe(id, filter), id, from: client)
    case .reconnect(let wait):
      feed(.goodbye(id))
      fail(client, BrokerFailure(.hostile, "this connection was ended here"), after: wait)
    }
    return true
  }

  /// What has arrived by now, both ways.
  mutating func move(_ client: Int) {
    while !isHeld(client), let first = clients[client]?.toBroker.first, first.due <= now {
      clients[client]?.toBroker.removeFirst()
      arrive(first.content, on: first.connection)
    }
    while !isHeld(client), let state = clients[client], let first = state.toClient.first, first.due <= now,
      state.events.count < Self.mostEvents
    {
      clients[client]?.toClient.removeFirst()
      if state.phase.connection == first.connection { arrive(first.content, at: client, on: first.connection) }
    }
  }

  private mutating func arrive(_ input: BrokerModel.Input, on id: ConnectionID) {
    if case .connect = input {
      if isUp { feed(input) } else { send(.refused, on: id) }
    } else if model.connections[id] == nil {
      // The broker gave this connection up before; now the client hears of it.
      send(.ended(BrokerFailure(.lost, "the connection was reset")), on: id)
    } else {
      if case .publish(_, let message, _) = input { hostile.see(message) }
      feed(input)
    }
  }

  private mutating func arrive(_ parcel: Parcel, at client: Int, on id: ConnectionID) {
    switch parcel {
    case .accepted:
      clients[client]?.phase = .connected(id)
      clients[client]?.failures = 0
      clients[client]?.toldFailure = nil
      clients[client]?.events.append(.connected)
    case .refused: fail(client, BrokerFailure(.unreachable, "nobody answers"))
    case .acknowledged(let token): clients[client]?.events.append(.acknowledged(token))
    case .ended(let failure): fail(client, failure)
    case .message(let message, let number):
      if let number { send(.received(id, number: number), id, from: client) }
      clients[client]?.events.append(.message(message))
      count(client)
    }
  }

  /// A client ends the connection where more comes than anybody should send.
  private mutating func count(_ client: Int) {
    guard var window = clients[client]?.window else { return }
    if now - window.start > Self.rateLimit.time { window = (now, 0) }
    window.messages += 1
    clients[client]?.window = window
    guard window.messages > Self.rateLimit.messages else { return }
    clients[client]?.window = (now, 0)
    if let id = clients[client]?.phase.connection { feed(.lost(id)) }
    fail(client, BrokerFailure(.hostile, "the broker sends too much"), after: .seconds(60))
  }

  /// Has the model do something, and sends what comes of it.
  mutating func feed(_ input: BrokerModel.Input) {
    for effect in model.receive(input, at: now) {
      switch effect {
      case .accepted(let id): send(.accepted, on: id)
      case .acknowledged(let id, let token):
        if lostAcknowledgements == 0 || dice.next(below: lostAcknowledgements) != 0 {
          send(.acknowledged(token), on: id)
        }
      case .ended(let id, .takenOver):
        send(.ended(BrokerFailure(.lost, "another connection has the same name")), on: id)
      case .ended(let id, .misused): send(.ended(BrokerFailure(.lost, "the broker ended the connection")), on: id)
      case .deliver(let id, let message, let number): deliver(message, number, on: id)
      }
    }
  }

  private mutating func deliver(_ message: BrokerMessage, _ number: Int?, on id: ConnectionID) {
    send(.message(message, number: number), on: id)
    guard message.quality == .atLeastOnce, duplicates > 0, dice.next(below: duplicates) == 0 else { return }
    // At once, or when nobody expects it any more.
    if dice.next(below: 2) == 0 {
      deliverUnasked(message, on: id)
    } else {
      alarm(.again(id, message), at: now + .milliseconds(dice.next(below: 5_000)))
    }
  }

  /// Dropped where too much is under way already: no client acknowledges it.
  mutating func deliverUnasked(_ message: BrokerMessage, on id: ConnectionID) {
    guard let client = owners[id], (clients[client]?.toClient.count ?? 0) < Self.mostUnderWay else { return }
    send(.message(message, number: nil), on: id)
  }
}
