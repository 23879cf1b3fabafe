import CastProtocol
import FleetMessages

/// What is due, and what goes wrong.
extension BrokerWorld {
  mutating func ring(_ alarm: Alarm) {
    switch alarm {
    case .traffic(let client): move(client)
    case .connect(let client, let attempt): connect(client, attempt: attempt)
    case .unanswered(let client, let id):
      if clients[client]?.phase == .connecting(id) { fail(client, BrokerFailure(.unreachable, "no answer in 10 s")) }
    case .clientSilent(let id, let onlyIfHeld):
      if !onlyIfHeld || owners[id].map(isHeld) ?? true { feed(.lost(id)) }
    case .brokerSilent(let id, let onlyIfHeld):
      guard let client = owners[id], clients[client]?.phase.connection == id, !onlyIfHeld || isHeld(client) else {
        return
      }
      fail(client, BrokerFailure(.lost, "nothing was heard of the broker"))
    case .fault(let fault): begin(fault)
    case .isUp: isUp = true
    case .hostile(let acts, let end): beHostile(acts, until: end)
    case .again(let id, let message): deliverUnasked(message, on: id)
    }
  }

  /// By number, where a script counts the clients from 0.
  private func named(_ number: Int) -> Int? {
    clients.isEmpty ? nil : clients.keys.sorted()[number % clients.count]
  }

  private mutating func begin(_ fault: BrokerFault) {
    switch fault {
    case .latency(let range): latency = .milliseconds(range.lowerBound) ... .milliseconds(range.upperBound)
    case .duplicates(let oneIn): duplicates = max(0, oneIn)
    case .lostAcknowledgements(let oneIn): lostAcknowledgements = max(0, oneIn)
    case .save: feed(.save)
    case .cut(let number, _, let notice):
      if let client = named(number) { cut(client, notice) }
    case .takeover(let number, _):
      guard isUp, let client = named(number), let clientID = clients[client]?.clientID else { return }
      let stranger = newConnection(of: nil)
      feed(.connect(stranger, clientID: clientID))
      feed(.goodbye(stranger))
    case .crash(_, let down, let survivors): crash(down: .milliseconds(down), survivors)
    case .partition(let numbers, let range):
      for client in Set(numbers.compactMap(named)).sorted() {
        hold(client, for: .milliseconds(range.upperBound - range.lowerBound))
      }
    case .hostile(let range, let acts):
      beHostile(acts, until: now + .milliseconds(range.upperBound - range.lowerBound))
    }
  }

  private mutating func cut(_ client: Int, _ notice: BrokerFault.Notice) {
    guard case .connected(let id)? = clients[client]?.phase else { return }
    let failure = BrokerFailure(.lost, "the connection broke")
    switch notice {
    case .both:
      feed(.lost(id))
      fail(client, failure)
    case .client:
      fail(client, failure)
      alarm(.clientSilent(id, onlyIfHeld: false), at: now + Self.brokerPatience)
    case .broker:
      clients[client]?.toBroker = []
      clients[client]?.toClient = []
      feed(.lost(id))
      alarm(.brokerSilent(id, onlyIfHeld: false), at: now + Self.clientPatience)
    }
  }

  private mutating func crash(down: Duration, _ survivors: BrokerModel.Survivors) {
    feed(.crash(survivors))
    isUp = false
    alarm(.isUp, at: now + down)
    for client in clients.keys.sorted() {
      guard let id = clients[client]?.phase.connection else { continue }
      if isHeld(client) {
        alarm(.brokerSilent(id, onlyIfHeld: false), at: now + Self.clientPatience)
      } else {
        fail(client, BrokerFailure(.lost, "the broker is gone"))
      }
    }
  }

  private mutating func hold(_ client: Int, for length: Duration) {
    guard let state = clients[client] else { return }
    let end = max(state.heldUntil, now + length)
    clients[client]?.heldUntil = end
    alarm(.traffic(client: client), at: end)
    guard let id = state.phase.connection else { return }
    alarm(.clientSilent(id, onlyIfHeld: true), at: now + Self.brokerPatience)
    alarm(.brokerSilent(id, onlyIfHeld: true), at: now + Self.clientPatience)
  }

  private mutating func beHostile(_ acts: [HostileAct], until end: Duration) {
    guard now < end else { return }
    let numbers = clients.keys.sorted()
    if isUp {
      for effect in hostile.act(acts, retained: model.retained.keys.sorted(), clients: numbers.count) {
        switch effect {
        case .plant(let message): feed(.plant(message))
        case .send(let message, let index):
          if let id = clients[numbers[index]]?.phase.connection { deliverUnasked(message, on: id) }
        }
      }
    }
    alarm(.hostile(acts, until: end), at: now + .milliseconds(50 + dice.next(below: 450)))
  }
}
