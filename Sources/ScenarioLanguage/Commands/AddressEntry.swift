/// An address of the command line or of a list, with what a list says of it.
package struct AddressEntry: Sendable {
  /// The address, with its place.
  package var address: CommandValue
  package var text: String
  /// As `#EXTINF` says.
  package var title: String?
  /// Seconds, as `#EXTINF` says.
  package var duration: Double?

  package init(address: CommandValue, text: String, title: String? = nil, duration: Double? = nil) {
    self.address = address
    self.text = text
    self.title = title
    self.duration = duration
  }
}
