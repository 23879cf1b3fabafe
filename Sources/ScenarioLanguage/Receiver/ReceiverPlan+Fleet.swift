extension ReceiverPlan {
  /// One entry of `receivers:`.
  package struct Receiver: Hashable, Sendable {
    package var name: String
    package var model: String?
    /// 32 lower-case hexadecimal digits.
    package var id: String?
    package var port: Int?
    package var seed: Int?
    package var apps: [App] = []
    /// The names of those that it is a group of; none where it is a single device.
    package var members: [String] = []

    package init(name: String) { self.name = name }
  }

  /// An app that receivers launch.
  package struct App: Hashable, Sendable {
    package var id: String
    /// What it is called; `nil`: by its id.
    package var title: String?
    package var namespaces: [String] = []
    /// What it plays: `video`, `audio`, `image` or MIME types; `nil`: everything, empty: nothing.
    package var types: [String]?

    package init(id: String) { self.id = id }
  }
}
