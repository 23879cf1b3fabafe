/// What runs on a device at one moment, by the names that the device gave: enough to see that it is another one later.
package struct RunningMedia: EventPayload {
  /// The session of the app; empty: none runs.
  package var session = ""
  /// The media session; `nil`: there is none.
  package var media: Int?
  /// Whether what played in it is not known: an app that the load ends or leaves is not asked.
  package var isUnsure = false

  package init() {}
  package mutating func code(_ members: inout EventMembers) {
    members.unless("", "session", &session)
    members.optional("media", &media)
    members.unless(false, "unsure", &isUnsure)
  }
}
