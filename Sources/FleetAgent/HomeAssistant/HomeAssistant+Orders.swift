import CastProtocol
import FleetMessages

extension HomeAssistant {
  /// Larger messages are no orders.
  static let orderByteLimit = 4 << 10

  /// Reads what was sent to the `set` topic of a screen, by anybody who may publish there: `{"verb":"skip"}`.
  /// - Returns: `nil`: it is no order.
  package static func order(_ payload: [UInt8]) -> PlainOrder? {
    guard payload.count <= orderByteLimit,
      let json = try? JSONValue(parsing: payload, limits: .init(depth: 2, length: orderByteLimit)),
      let verb = json["verb"]?.string.flatMap(FleetOrder.Verb.init(rawValue:))
    else { return nil }
    switch verb {
    case .skip, .pause, .resume: return PlainOrder(verb)
    case .play:
      guard let item = json["item"]?.string, !item.isEmpty else { return nil }
      return PlainOrder(verb, item: item)
    case .fire, .clear:
      guard let trigger = json["trigger"]?.string, !trigger.isEmpty else { return nil }
      return PlainOrder(verb, trigger: trigger)
    }
  }

  /// An order as ``order(_:)`` reads it.
  static func payload(_ order: PlainOrder) -> String {
    var object: JSONObject = ["verb": .string(order.verb.rawValue)]
    object["item"] = order.item.map { .string($0) }
    object["trigger"] = order.trigger.map { .string($0) }
    return JSONValue.object(object).serialized()
  }
}
