package import CastProtocol
package import ScenarioLanguage

extension EventValue where Self: RawRepresentable, RawValue == String {
  package init?(json: JSONValue) {
    guard let word = json.string else { return nil }
    self.init(rawValue: word)
  }
  package var json: JSONValue { .string(rawValue) }
  /// A word of a closed list is no secret.
  package func emitted(hiding secrets: Secrets) -> Self { self }
}

extension StepResult: EventValue {}
extension RunVerdict: EventValue {}
extension StepSection: EventValue {}
extension ErrorClass: EventValue {}
extension AddressOrigin: EventValue {}
extension AuthenticationVerdict: EventValue {}
extension Diagnostic.Severity: EventValue {}

extension String: EventValue {
  package init?(json: JSONValue) {
    guard let text = json.string else { return nil }
    self = text
  }
  package var json: JSONValue { .string(self) }
  package func emitted(hiding secrets: Secrets) -> String { secrets.hidden(self) }
}

extension Int: EventValue {
  /// Counts, lines and columns: what is larger than any of them is none.
  package init?(json: JSONValue) {
    guard let number = json.int, number.magnitude < 1 << 53 else { return nil }
    self = number
  }
  package var json: JSONValue { .int(self) }
  package func emitted(hiding secrets: Secrets) -> Int { self }
}

/// Seconds, to the millisecond.
extension Double: EventValue {
  /// What is longer than any run is none.
  package init?(json: JSONValue) {
    guard let number = json.number, number.magnitude < 1e12 else { return nil }
    self = number.roundedToMilliseconds
  }
  package var json: JSONValue { .milliseconds(self) }
  package func emitted(hiding secrets: Secrets) -> Double { roundedToMilliseconds }

  /// Else a report that is made while a run goes on would not be the one that is made from its stored events.
  private var roundedToMilliseconds: Double { (self * 1000).rounded() / 1000 }
}

extension Bool: EventValue {
  package init?(json: JSONValue) {
    guard let truth = json.bool else { return nil }
    self = truth
  }
  package var json: JSONValue { .bool(self) }
  package func emitted(hiding secrets: Secrets) -> Bool { self }
}

extension JSONValue: EventValue {
  package init?(json: JSONValue) { self = json }
  package var json: JSONValue { self }
  package func emitted(hiding secrets: Secrets) -> JSONValue { secrets.hidden(self) }
}

extension JSONObject: EventValue {
  package init?(json: JSONValue) {
    guard let object = json.object else { return nil }
    self = object
  }
  package var json: JSONValue { .object(self) }
  package func emitted(hiding secrets: Secrets) -> JSONObject { secrets.hidden(self) }
}

/// Elements that cannot be read are left out.
extension Array: EventValue where Element: EventValue {
  package init?(json: JSONValue) {
    guard let elements = json.array else { return nil }
    self = elements.compactMap(Element.init(json:))
  }
  package var json: JSONValue { .array(map(\.json)) }
  package func emitted(hiding secrets: Secrets) -> [Element] { map { $0.emitted(hiding: secrets) } }
}
