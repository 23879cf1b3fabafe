import CastProtocol
import ScenarioLanguage

extension EventKind {
  /// How near something that held was to its limit.
  package struct Margin: EventPayload {
    /// The field that was judged; ``inARow`` or ``betweenDevices`` for a limit of time.
    package var field = ""
    /// What was left, in the field's unit; seconds for limits of time.
    package var left = 0.0
    /// What there is at most: the tolerance, half of a range, the time; `nil` where a limit has one side only.
    package var room: Double?

    /// How long a rule may be broken in a row (`for`).
    package static let inARow = "for"
    /// How far apart several devices may be (`skew`).
    package static let betweenDevices = "skew"

    package init() {}
    package init(_ field: String, left: Double, of room: Double? = nil) {
      (self.field, self.left, self.room) = (field, Self.plain(left), room.map(Self.plain))
    }

    /// Without the digits that a difference of two numbers leaves behind: `5.2 - 5` is 0.2.
    private static func plain(_ number: Double) -> Double { (number * 1e9).rounded() / 1e9 }

    package mutating func code(_ members: inout EventMembers) {
      members.always("field", &field)
      // A tolerance may be less than a thousandth.
      members.exact("left", &left)
      members.exact("of", &room)
    }

    /// What was taken of ``room``.
    package var used: Double? { room.map { $0 - left } }

    /// `volume.level 2% left of 5%`, `for 3.8s of 5s in a row`.
    package var text: String {
      guard field != Self.inARow else { return "for \(shown(used ?? 0)) of \(shown(room ?? 0)) in a row" }
      return "\(field) \(shown(left)) left\(room.map { " of \(shown($0))" } ?? "")"
    }

    /// A number in the field's unit.
    package func shown(_ number: Double) -> String {
      let isTime = field == Self.inARow || field == Self.betweenDevices
      if isTime { return "\(number.decimals(3))s" }
      let path = FieldPath(field.split(separator: ".").map(String.init))
      return JSONValue.milliseconds(number).text(as: StatusField.type(of: path))
    }
  }

  /// How near a rule of `watch` came to being broken.
  package struct RuleMargins: EventPayload {
    package var name = ""
    /// The device, where the scenario has several.
    package var device: String?
    package var margins: [Margin] = []

    package init() {}
    package init(_ name: String, on device: String?, _ margins: [Margin]) {
      (self.name, self.device, self.margins) = (name, device, margins)
    }

    /// `no stall on kitchen`.
    package var title: String { Self.title(name, on: device) }
    package static func title(_ name: String, on device: String?) -> String {
      name + (device.map { " on \($0)" } ?? "")
    }

    package mutating func code(_ members: inout EventMembers) {
      members.always("name", &name)
      members.optional("device", &device)
      members.always("margins", &margins)
    }
  }
}
