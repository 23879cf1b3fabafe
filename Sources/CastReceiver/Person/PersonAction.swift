/// What a person does at the device, or at another phone, without a word to our senders.
package enum PersonAction: Hashable, Sendable {
  case play, pause, stop, next, previous
  case volumeUp, volumeDown
  /// Mutes, or lets sound again.
  case mute
  /// Switches the television off, or on again.
  case power
  /// Leaves for another input of the television.
  case home
  /// Comes back to this device's input.
  case input
  /// Ends the app from another phone.
  case stopApp
  /// Starts this app from another phone.
  case takeover(appID: String, name: String)
}

/// Why what a person did changes nothing: a fragment for people.
package struct PersonRefusal: Error, Hashable, Sendable {
  package var message: String
  package var help: String?

  package init(message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}
