import Logging
import ScenarioLanguage
import DeviceControl
import RunReporting
import ScenarioRunner
import Synchronization
import Workspace

/// Writes the log to standard error, a line each; nothing unless `--log` asked for it.
struct LogOutput: LogHandler {
  private struct Shared {
    var rules: LogRules?
    var secrets: [HeldSecrets] = []
  }

  /// Secrets count for as long as somebody has a use for them: of one that is gone nothing is logged any more.
  private struct HeldSecrets {
    weak var secrets: Secrets?
  }
  private static let shared = Mutex(Shared())

  var metadata: Logger.Metadata = [:]
  var metadataProvider: Logger.MetadataProvider?
  var logLevel: Logger.Level
  private let component: String
  private let isOn: Bool

  private init(component: String) {
    self.component = component
    let level = Self.shared.withLock { $0.rules?.level(of: component) }
    isOn = level != nil
    logLevel = level ?? .critical
  }

  /// Makes this the log of the process; called once, before anything else.
  static func install() { LoggingSystem.bootstrap { LogOutput(component: $0) } }

  /// What is to be logged from now on.
  static func use(_ rules: LogRules) { shared.withLock { $0.rules = rules } }

  /// Values that no line may have, from now on; several documents have their own.
  static func hide(_ secrets: Secrets) {
    shared.withLock { shared in
      shared.secrets.removeAll { $0.secrets == nil || $0.secrets === secrets }
      shared.secrets.append(HeldSecrets(secrets: secrets))
    }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    guard isOn else { return }
    let time = UTCTime(unixSeconds: Surroundings.process.unixTime()).timeOfDay
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    let facts = all.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    let secrets = Self.shared.withLock { $0.secrets.compactMap(\.secrets) }
    let text = secrets.reduce("\(event.message)\(facts)") { $1.hidden($0) }
    Terminal.say(TerminalText.escaped("\(time) \(event.level) \(component): \(text)"))
  }
}
