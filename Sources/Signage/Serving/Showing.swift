import CastProtocol
package import ScenarioLanguage

/// An item that is to be on a screen, and by which line.
package struct Showing: Hashable, Sendable {
  package var item: PlaylistPlan.Item
  package var part: ScreenCursor.Part
  /// Its place in its list.
  package var index: Int
  /// `program[1] breakfast`, `interrupts[0]`, `fallback`.
  package var decidedBy: String
  /// How long it is on; `nil`: to its end.
  package var length: Duration?
  /// Content seconds at which it begins; `nil`: at the beginning.
  package var start: Double?

  init(_ item: PlaylistPlan.Item, part: ScreenCursor.Part, index: Int, decidedBy: String) {
    self.item = item
    self.part = part
    self.index = index
    self.decidedBy = decidedBy
    length = item.length
  }

  /// The media's id, else its address.
  package var name: String { item.id ?? item.media.contentID }
  package var content: String { item.media.contentID }
  /// Still images have no time of their own.
  package var isStill: Bool { item.media.streamType == "NONE" }

  /// Whether it is on besides the program.
  var isOfInterrupt: Bool {
    switch part {
    case .interrupt, .order: true
    case .rule, .fallback: false
    }
  }

  /// What is sent to show it.
  var request: LoadRequest {
    var request = LoadRequest(media: item.media)
    request.currentTime = start
    return request
  }
}
