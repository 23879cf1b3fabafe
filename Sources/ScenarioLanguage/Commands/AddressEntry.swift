/// An address of the command line or of a list, with what a list says of it.
package struct AddressEntry: Sendable {
  package var text: String
  /// Its place in a list; `nil`: it was typed behind the command.
  package var place: SourceSpan?
  /// As `#EXTINF` says.
  package var title: String?
  /// Seconds, as `#EXTINF` says.
  package var duration: Double?

  package init(_ text: String, at place: SourceSpan? = nil, title: String? = nil, duration: Double? = nil) {
    self.text = text
    self.place = place
    self.title = title
    self.duration = duration
  }
}
