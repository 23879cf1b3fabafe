import ArgumentParser
import CastProtocol
import CastReceiver
import ScenarioLanguage

/// An app of a virtual receiver as the command line names it: an id, then the namespaces it echoes or its page.
struct VirtualApp {
  let id: String
  var namespaces: [Namespace] = []
  /// The page that is the app; `nil`: one of ours.
  var page: String?

  static func read(_ text: String) throws -> VirtualApp {
    if text.contains("=") {
      let page = try PageAddress.read(text)
      if let id = page.appID { return VirtualApp(id: id, page: page.address) }
    }
    if text.contains("://") { throw ValidationError("a page is the page of an app: write `A1B2C3D4=\(text)`") }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    try check(id: parts[0])
    for name in parts.dropFirst() where !name.hasPrefix("urn:x-cast:") || name == "urn:x-cast:" {
      throw ValidationError("a namespace begins with `urn:x-cast:` and has a name behind that")
    }
    return VirtualApp(id: parts[0], namespaces: parts.dropFirst().map { Namespace(rawValue: $0) })
  }

  /// What is odd about an id that is no word, and has not the eight digits of registered ones: it may be mistyped.
  static func warning(id: String) -> String? {
    guard id.allSatisfy(\.isHexDigit), id.count != 8 else { return nil }
    return "\(id) has \(id.count) hexadecimal digits, and the ids of registered apps have 8: is it whole?"
  }

  /// Registered ids are hexadecimal in capitals; a few old ones are words.
  static func check(id: String) throws {
    guard !id.isEmpty, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }) else {
      throw ValidationError("an app id has letters and digits only, as in `A1B2C3D4`")
    }
    if id.count == 8, id.allSatisfy(\.isHexDigit), id != id.uppercased() {
      throw ValidationError("an app id has capitals: write `\(id.uppercased())`")
    }
  }
}

/// How the volume of a virtual receiver is set.
enum VirtualVolume: String, ExpressibleByArgument, CaseIterable {
  case attenuation, master, fixed

  var control: ReceiverConfiguration.VolumeControl {
    switch self {
    case .attenuation: .attenuation
    case .master: .master
    case .fixed: .fixed
    }
  }
}

/// How long a virtual receiver takes.
enum VirtualLatency: String, ExpressibleByArgument, CaseIterable {
  case device, none

  var latency: ReceiverLatency {
    switch self {
    case .device: .device
    case .none: .none
    }
  }
}

/// Which status of a load has its request id: `first` or `last`.
extension MediaBehavior.LoadReply: ExpressibleByArgument {}

/// A choice of how media apps of virtual receivers behave: `sdk` for all that the receiver SDK chooses, or `setting=value`.
enum VirtualMedia {
  case sdk
  case setting(MediaSetting, String)

  static func read(_ text: String) throws -> VirtualMedia {
    if text == "sdk" { return .sdk }
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let setting = MediaSetting(rawValue: parts[0]) else {
      let names = MediaSetting.allCases.map(\.rawValue)
      let nearest = Suggestions.nearest(to: parts[0], among: names)
      throw ValidationError(
        nearest.map { "did you mean `\($0)`?" }
          ?? "the settings are \(names.joined(separator: ", ")), and `sdk` for many at once")
    }
    var scratch = MediaBehavior()
    guard parts.count == 2, setting.apply(parts[1], to: &scratch) else {
      throw ValidationError("\(setting.rawValue) takes \(setting.values.spelled)")
    }
    return .setting(setting, parts[1])
  }

  func apply(to behavior: inout MediaBehavior) {
    switch self {
    case .sdk: behavior = .sdk
    case .setting(let setting, let value): _ = setting.apply(value, to: &behavior)
    }
  }

  /// What a shell offers; of numbers an example.
  static var words: [String] {
    ["sdk"]
      + MediaSetting.allCases.flatMap { setting in
        switch setting.values {
        case .words(let words): words.map { "\(setting.rawValue)=\($0)" }
        case .form(let example, _): ["\(setting.rawValue)=\(example)"]
        }
      }
  }
}

extension MediaSetting.Values {
  /// `playing or buffering`; `a whole number of seconds from 1 to 604800, as in 300`.
  fileprivate var spelled: String {
    switch self {
    case .words(let words): words.joined(separator: " or ")
    case .form(let example, let meaning): "\(meaning), as in `\(example)`"
    }
  }
}

/// What a person at a virtual receiver answers, and after how long: `allow`, `refuse,10s`, `impossible`.
struct VirtualConsent: ExpressibleByArgument {
  /// How long a person thinks where nobody says so.
  private static let thinking = Duration.seconds(3)

  let consent: ReceiverConfiguration.Consent

  init?(argument: String) {
    let parts = argument.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var delay = Self.thinking
    if parts.count == 2 {
      guard let written = TimeLimit(argument: parts[1]) else { return nil }
      delay = written.duration
    }
    switch parts[0] {
    case "allow": consent = .given(after: delay)
    case "refuse": consent = .refused(after: delay)
    case "impossible" where parts.count == 1: consent = .impossible
    default: return nil
    }
  }

  static let allValueStrings = ["allow", "refuse", "impossible"]
}
