package import CastProtocol
package import ScenarioLanguage

extension EventKind {
  /// How near something that held was to its limit.
  package struct Margin: EventValue {
    package var subject: Subject
    /// What was left, in the field's unit; seconds for limits of time.
    package var left: Double
    /// What there is at most: the tolerance, half of a range, the time; `nil` where a limit has one side only.
    package var room: Double?
    /// The limit itself where it has one side only and the document writes it as a number: another one makes another
    /// margin.
    package var limit: Double?

    /// Numbers from here on, dates in milliseconds or nonsense, have no margin.
    package static let tooLarge = 1e12

    /// - Parameters: All numbers are below ``tooLarge``.
    package init(_ subject: Subject, left: Double, of room: Double? = nil, limit: Double? = nil) {
      (self.subject, self.left, self.room) = (subject, Self.plain(left), room.map(Self.plain))
      self.limit = limit.map(Self.plain)
    }

    /// Without the digits that a difference of two numbers leaves behind: `5.2 - 5` is 0.2.
    private static func plain(_ number: Double) -> Double { (number * 1e9).rounded() / 1e9 }

    /// A margin without its numbers is none.
    package init?(json: JSONValue) {
      guard let subject = json["field"].flatMap(Subject.init(json:)), let left = json["left"]?.number else {
        return nil
      }
      let (room, limit) = (json["of"]?.number, json["limit"]?.number)
      guard [left, room, limit].allSatisfy({ ($0 ?? 0).magnitude < Self.tooLarge }) else { return nil }
      self.init(subject, left: left, of: room, limit: limit)
    }

    /// To a billionth: a tolerance may be less than a thousandth.
    package var json: JSONValue {
      var json: JSONObject = ["field": subject.json, "left": JSONValue(left)]
      json["of"] = room.map { JSONValue($0) }
      json["limit"] = limit.map { JSONValue($0) }
      return .object(json)
    }

    package func emitted(hiding secrets: Secrets) -> Margin {
      var margin = self
      margin.subject = subject.emitted(hiding: secrets)
      return margin
    }

    /// Whether both are about the same limit, so that what is left can be compared.
    func hasSameLimit(as other: Margin) -> Bool {
      subject == other.subject && room == other.room && limit == other.limit
    }

    /// What was taken of ``room``.
    package var used: Double? { room.map { $0 - left } }

    /// `volume.level 2% left of 5%`, `for 3.8s of 5s in a row`.
    package var text: String {
      switch subject {
      case .timeBrokenInARow: "\(subject.word) \(shown(used ?? 0)) of \(shown(room ?? 0)) in a row"
      case .field, .timeBetweenDevices: "\(subject.word) \(shown(left)) left\(room.map { " of \(shown($0))" } ?? "")"
      }
    }

    /// A number in the field's unit.
    package func shown(_ number: Double) -> String {
      switch subject {
      case .field(let path): Self.shown(number, as: StatusField.type(of: path))
      case .timeBrokenInARow, .timeBetweenDevices: "\(number.decimals(3))s"
      }
    }

    private static func shown(_ number: Double, as type: StatusField.ValueType) -> String {
      let text = JSONValue(number).text(as: type)
      // What would be rounded to nothing is told in full.
      guard number != 0, text == JSONValue(0.0).text(as: type) else { return text }
      let unit =
        switch type {
        case .duration, .durationOrLive: "s"
        case .percent: "%"
        default: ""
        }
      return number.decimals(9) + unit
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

extension EventKind.Margin {
  /// What comes near a limit.
  package enum Subject: EventValue {
    /// The value of a field.
    case field(FieldPath)
    /// How long a rule was broken in a row (`for`).
    case timeBrokenInARow
    /// How far apart several devices were (`skew`).
    case timeBetweenDevices

    /// No field is named as the two times are.
    package init(_ word: String) {
      switch word {
      case Self.timeBrokenInARow.word: self = .timeBrokenInARow
      case Self.timeBetweenDevices.word: self = .timeBetweenDevices
      default: self = .field(FieldPath(parsing: word))
      }
    }

    /// As events and documents write it.
    package var word: String {
      switch self {
      case .field(let path): path.text
      case .timeBrokenInARow: "for"
      case .timeBetweenDevices: "skew"
      }
    }

    package init?(json: JSONValue) {
      guard let word = json.string else { return nil }
      self.init(word)
    }

    package var json: JSONValue { .string(word) }

    package func emitted(hiding secrets: Secrets) -> Self {
      guard case .field(let path) = self else { return self }
      return .field(FieldPath(parsing: path.text.emitted(hiding: secrets)))
    }
  }
}
