package import CastProtocol
import ScenarioLanguage
import Synchronization

/// The values of a run's secrets. They leave only in messages to a device; everywhere else the name stands in
/// their place (docs/language/variables.md "Secrets").
package final class Secrets: Sendable {
  private struct State: Sendable {
    var values: [String: String] = [:]
    /// What was sent, whole, by what is told instead: also a short secret is known in it again.
    var sent: [String: String] = [:]
    var scanner = SecretScanner()
    /// The last values of each name, oldest first, and the last texts that were sent whole.
    var history: [String: [String]] = [:]
    var sentOrder: [String] = []
  }

  /// How many replaced values of one name are still hidden; older ones are forgotten.
  package static let rememberedValues = 64
  /// How many texts that were sent whole are remembered, to be hidden again.
  package static let rememberedTexts = 4096

  private let state: Mutex<State>
  /// Those that a `save:` fills.
  private let saved: Set<String>
  /// Whether a secret without a value is sent as its placeholder: in simulations only, where nothing leaves the process.
  private let namesStandIn: Bool

  /// - Parameters:
  ///   - values: By name.
  ///   - saved: Names that have no value before a step saves it.
  package init(_ values: [String: String] = [:], saved: Set<String> = []) {
    self.saved = saved
    namesStandIn = false
    var state = State()
    for (name, value) in values.sorted(by: { $0.key < $1.key }) { Self.set(value, for: name, in: &state) }
    self.state = Mutex(state)
  }

  private init(of other: Secrets, namesStandIn: Bool) {
    saved = other.saved
    self.namesStandIn = namesStandIn
    state = Mutex(other.state.withLock { $0 })
  }

  /// The same secrets, with their names in place of the values that are not there: for simulations.
  package var withStandIns: Secrets { Secrets(of: self, namesStandIn: true) }

  private static func set(_ value: String, for name: String, in state: inout State) {
    let placeholder = SecretPlaceholder.text(for: name)
    state.values[name] = value
    // What was sent before under another name keeps it: expectations may speak of it.
    note(value, as: placeholder, in: &state, replaces: false)
    var history = state.history[name] ?? []
    if let index = history.firstIndex(of: value) {
      history.remove(at: index)
    } else {
      state.scanner.add(value, shownAs: placeholder)
    }
    history.append(value)
    let forgotten = history.count > rememberedValues ? history.removeFirst() : nil
    state.history[name] = history
    guard let forgotten else { return }
    state.scanner.remove(forgotten)
    // Another secret may have had the same value.
    if state.history.values.contains(where: { $0.contains(forgotten) }) { return }
    state.sent[forgotten] = nil
    state.sentOrder.removeAll { $0 == forgotten }
  }

  /// Records what a whole text is replaced with.
  private static func note(_ sent: String, as text: String, in state: inout State, replaces: Bool) {
    if state.sent[sent] != nil {
      if replaces { state.sent[sent] = text }
      return
    }
    state.sent[sent] = text
    state.sentOrder.append(sent)
    guard state.sentOrder.count > rememberedTexts else { return }
    // A secret's own value stays for as long as the value does.
    let values = Set(state.history.values.joined())
    guard let index = state.sentOrder.firstIndex(where: { !values.contains($0) }) else { return }
    state.sent[state.sentOrder.remove(at: index)] = nil
  }

  /// Gives a secret its value; the last ones that it had stay secret, too.
  package func set(_ value: String, for name: String) {
    if value.isEmpty { return }
    state.withLock { Self.set(value, for: name, in: &$0) }
  }

  /// How many texts are looked for or known again.
  package var count: Int { state.withLock { $0.scanner.count + $0.sent.count } }

  package func isSaved(_ name: String) -> Bool { saved.contains(name) }

  // MARK: Revealing

  /// The text with the values in place of the names: only for what is sent.
  package func revealed(_ text: String) throws(StepFailure) -> String {
    guard SecretPlaceholder.occurs(in: text) else { return text }
    var result = ""
    for part in SecretPlaceholder.parts(of: text) {
      switch part {
      case .text(let text): result += text
      case .secret(let name):
        if let value = state.withLock({ $0.values[name] }) {
          result += value
        } else if saved.contains(name) {
          throw StepFailure(.invalidState, "secret `\(name)` has no value yet: no step has saved it")
        } else if namesStandIn {
          result += SecretPlaceholder.text(for: name)
        } else {
          throw StepFailure(.invalidState, "secret `\(name)` has no value")
        }
      }
    }
    state.withLock { Self.note(result, as: text, in: &$0, replaces: true) }
    return result
  }

  package func revealed(_ value: JSONValue) throws(StepFailure) -> JSONValue {
    switch value {
    case .string(let text): return .string(try revealed(text))
    case .array(let items):
      var result: [JSONValue] = []
      for item in items { result.append(try revealed(item)) }
      return .array(result)
    case .object(let object): return .object(try revealed(object))
    default: return value
    }
  }

  package func revealed(_ object: JSONObject) throws(StepFailure) -> JSONObject {
    var result = object
    for index in result.members.indices { result.members[index].value = try revealed(result.members[index].value) }
    return result
  }

  // MARK: Hiding

  /// The text without the values of secrets.
  package func hidden(_ text: String) -> String { state.withLock { Self.hidden(text, $0) } }

  package func hidden(_ object: JSONObject) -> JSONObject {
    state.withLock { $0.values.isEmpty ? object : Self.hidden(object, $0) }
  }

  package func hidden(_ value: JSONValue) -> JSONValue {
    state.withLock { $0.values.isEmpty ? value : Self.hidden(value, $0) }
  }

  private static func hidden(_ text: String, _ state: State) -> String {
    if state.values.isEmpty { return text }
    return state.sent[text] ?? state.scanner.hidden(text)
  }

  private static func hidden(_ object: JSONObject, _ state: State) -> JSONObject {
    JSONObject(object.members.map { .init(hidden($0.name, state, isName: true), hidden($0.value, state)) })
  }

  /// The names of fields are the language's words but for those in a device's own data.
  private static func hidden(_ name: String, _ state: State, isName: Bool) -> String { state.scanner.hidden(name) }

  private static func hidden(_ value: JSONValue, _ state: State) -> JSONValue {
    switch value {
    case .string(let text): .string(hidden(text, state))
    case .array(let items): .array(items.map { hidden($0, state) })
    case .object(let object): .object(hidden(object, state))
    default: value
    }
  }
}

extension Secrets: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Never the values.
  package var description: String { "Secrets" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
