import CastProtocol
import FleetMessages
import Simulation
import Glibc
import Testing

/// What is done to a broker, real or modelled.
enum BrokerOperation: Hashable, Sendable, CustomStringConvertible {
  case connect(String, will: BrokerMessage? = nil)
  case subscribe(String, String, own: Bool = false)
  case unsubscribe(String, String)
  case publish(String, BrokerMessage)
  case goodbye(String)
  /// The connection breaks.
  case kill(String)
  case wait(seconds: Int)
  case save
  case crash

  var description: String {
    switch self {
    case .connect(let name, let will): "\(name) connects\(will.map { ", will \(Got($0))" } ?? "")"
    case .subscribe(let name, let filter, let own): "\(name) subscribes to \(filter)\(own ? ", own too" : "")"
    case .unsubscribe(let name, let filter): "\(name) unsubscribes from \(filter)"
    case .publish(let name, let message): "\(name) publishes \(Got(message))"
    case .goodbye(let name): "\(name) says goodbye"
    case .kill(let name): "\(name) is lost"
    case .wait(let seconds): "\(seconds) s pass"
    case .save: "it is saved"
    case .crash: "the broker is killed, and starts again"
    }
  }
}

/// What each client got at one operation, by name; `NAME'` is the connection that another one took over.
typealias BrokerStep = [String: [Got]]

extension BrokerOperation {
  /// Plays all with a real broker.
  static func play(_ operations: [BrokerOperation], with broker: RealBroker) throws -> [BrokerStep] {
    var clients: [String: RawBrokerClient] = [:]
    return try operations.map { operation in
      var former: (name: String, client: RawBrokerClient)?
      switch operation {
      case .connect(let name, let will):
        if let client = clients[name] { former = ("\(name)'", client) }
        clients[name] = try RawBrokerClient(port: broker.port, clientID: name, will: will)
      case .subscribe(let name, let filter, let own): try clients[name]?.subscribe(filter, includesOwn: own)
      case .unsubscribe(let name, let filter): try clients[name]?.unsubscribe(filter)
      case .publish(let name, let message): try clients[name]?.publish(message)
      case .goodbye(let name): try clients.removeValue(forKey: name)?.goodbye()
      case .kill(let name):
        clients.removeValue(forKey: name)?.close()
        // When the broker has taken a connection that was made later it has noticed the end of this one.
        try RawBrokerClient(port: broker.port, clientID: "later", will: nil).goodbye()
      case .wait(let seconds): sleepUntilItIsOver(seconds)
      case .save: try broker.save()
      case .crash:
        broker.stop(9)
        clients = [:]
        try broker.start()
      }
      var step: BrokerStep = [:]
      if let former { step[former.name] = former.client.gotAtLast() }
      // The acting one first: when it has its answer, all others have theirs.
      for name in clients.keys.sorted(by: { ($0 == operation.actor ? 0 : 1, $0) < ($1 == operation.actor ? 0 : 1, $1) })
      {
        step[name] = try clients[name]?.got()
      }
      return normal(step, operation)
    }
  }

  private var actor: String? {
    switch self {
    case .connect(let name, _), .subscribe(let name, _, _), .unsubscribe(let name, _), .publish(let name, _),
      .goodbye(let name), .kill(let name):
      name
    case .wait, .save, .crash: nil
    }
  }

  /// Plays all with the model.
  static func play(_ operations: [BrokerOperation], with model: inout BrokerModel) -> [BrokerStep] {
    var (connections, names): ([String: Int], [Int: String]) = ([:], [:])
    var (now, last) = (Duration.zero, 0)
    return operations.map { operation in
      var inputs: [BrokerModel.Input] = []
      switch operation {
      case .connect(let name, let will):
        if let former = connections[name] { names[former] = "\(name)'" }
        last += 1
        (connections[name], names[last]) = (last, name)
        inputs = [.connect(last, clientID: name, will: will)]
      case .subscribe(let name, let filter, let own):
        inputs = connections[name].map { [.subscribe($0, filter, .init(includesOwn: own))] } ?? []
      case .unsubscribe(let name, let filter): inputs = connections[name].map { [.unsubscribe($0, filter)] } ?? []
      case .publish(let name, let message): inputs = connections[name].map { [.publish($0, message)] } ?? []
      case .goodbye(let name): inputs = connections.removeValue(forKey: name).map { [.goodbye($0)] } ?? []
      case .kill(let name): inputs = connections.removeValue(forKey: name).map { [.lost($0)] } ?? []
      case .wait(let seconds): now += .seconds(seconds)
      case .save: inputs = [.save]
      case .crash:
        inputs = [.crash(.saved)]
        connections = [:]
      }
      var step: BrokerStep = [:]
      for name in connections.keys { step[name] = [] }
      while !inputs.isEmpty {
        for effect in model.receive(inputs.removeFirst(), at: now) {
          switch effect {
          case .accepted, .acknowledged: break
          case .deliver(let id, let message, let number):
            if let name = names[id] { step[name, default: []].append(Got(message)) }
            if let number { inputs.append(.received(id, number: number)) }
          case .ended(let id, _):
            if let name = names[id] { step[name, default: []].append(.ended) }
          }
        }
      }
      return normal(step, operation)
    }
  }

  /// What is retained comes in no order that anybody promises; nor does what several subscriptions of one ask for.
  private static func normal(_ step: BrokerStep, _ operation: BrokerOperation) -> BrokerStep {
    step.mapValues { $0.sorted() }.filter { !$0.value.isEmpty }
  }

  private static func sleepUntilItIsOver(_ seconds: Int) {
    // No signal is expected, and a second less is seen by what follows.
    _ = Glibc.sleep(UInt32(seconds))
  }
}
