package import CastProtocol
package import CastReceiver

/// Virtual receivers that are started together: single ones, and maybe a group of them all.
package struct VirtualReceivers: Sendable {
  /// An app that they launch, and the namespaces it echoes.
  package struct App: Hashable, Sendable {
    package var id: String
    package var namespaces: [Namespace]

    package init(_ id: String, _ namespaces: [Namespace]) {
      self.id = id
      self.namespaces = namespaces
    }
  }

  private let members: [String]
  private let group: String?
  package var apps: [App] = []
  /// Those that play no media.
  package var plainApps: [App] = []
  /// Whether they launch every other app, too.
  package var launchesAnyApp = false
  /// What they say they are; `nil`: a virtual receiver.
  package var model: String?
  /// Addresses of receiver pages, by the id of their apps.
  package var pages: [String: String] = [:]
  package var volumeControl = ReceiverConfiguration.VolumeControl.attenuation
  package var volumeStep = 0.05
  package var consent = ReceiverConfiguration.Consent.notNeeded
  package var latency = ReceiverLatency.device
  package var media = MediaBehavior()
  /// Whether senders of other computers can connect.
  package var isReachedByStrangers = false

  /// The model of every group.
  static let groupModel = "Google Cast Group"

  /// Receivers of these names.
  package init(_ members: [String], group: String?) {
    self.members = members
    self.group = group
  }

  /// Of all, the group last.
  package var names: [String] { members + (group.map { [$0] } ?? []) }

  /// What one of them is.
  package func configuration(named name: String, seed: UInt64) -> ReceiverConfiguration {
    var configuration = ReceiverConfiguration(id: VirtualDevice.id(forName: name))
    configuration.name = name
    if let model { configuration.model = model }
    configuration.launchesAnyApp = launchesAnyApp
    if name == group {
      configuration.model = Self.groupModel
      configuration.members = members.map { .init(id: VirtualDevice.id(forName: $0), name: $0) }
    }
    for app in apps + plainApps {
      configuration.appIDs.insert(app.id)
      configuration.customNamespaces[app.id, default: []] += app.namespaces
    }
    configuration.plainAppIDs = Set(plainApps.map(\.id)).subtracting(apps.map(\.id))
    configuration.appIDs.formUnion(pages.keys)
    configuration.pageAddresses = pages
    configuration.volumeControl = volumeControl
    configuration.volumeStep = volumeStep
    configuration.consent = consent
    configuration.latency = latency
    configuration.media = media
    // A flood from this computer harms nobody; strangers are held to what any device allows (docs/security.md V2).
    if isReachedByStrangers { configuration.channelLimits = ChannelStateMachine.Limits() }
    configuration.seed = seed
    return configuration
  }
}
