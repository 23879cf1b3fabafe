import ArgumentParser
import CastProtocol
import CastReceiver
import ScenarioLanguage

/// An app of a virtual receiver as the command line names it: an id, then the namespaces it echoes.
struct VirtualApp: ExpressibleByArgument {
  let id: String
  let namespaces: [Namespace]
  /// The page that is the app; `nil`: one of ours.
  var page: String?

  init?(argument: String) {
    if let page = PageAddress(argument: argument), let id = page.appID {
      (self.id, namespaces, self.page) = (id, [], page.address)
      return
    }
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let id = parts.first, !id.isEmpty, !id.contains("="),
      parts.dropFirst().allSatisfy({ $0.hasPrefix("urn:x-cast:") && $0.count > "urn:x-cast:".count })
    else { return nil }
    self.id = id
    namespaces = parts.dropFirst().map { Namespace(rawValue: $0) }
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
struct VirtualMedia: ExpressibleByArgument {
  private enum Change {
    case sdk
    case setting(MediaSetting, String)
  }

  private let change: Change

  init?(argument: String) {
    if argument == "sdk" {
      change = .sdk
      return
    }
    let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
    var scratch = MediaBehavior()
    guard parts.count == 2, let setting = MediaSetting(rawValue: parts[0]), setting.apply(parts[1], to: &scratch) else {
      return nil
    }
    change = .setting(setting, parts[1])
  }

  func apply(to behavior: inout MediaBehavior) {
    switch change {
    case .sdk: behavior = .sdk
    case .setting(let setting, let value): _ = setting.apply(value, to: &behavior)
    }
  }

  static var allValueStrings: [String] {
    ["sdk"]
      + MediaSetting.allCases.flatMap { setting in
        switch setting.values {
        case .words(let words): words.map { "\(setting.rawValue)=\($0)" }
        case .form(let example): ["\(setting.rawValue)=\(example)"]
        }
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
