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
  /// When all screens show it, as Unix time; `nil`: this screen is by itself.
  package var shared: Range<Int>?

  package init(_ item: PlaylistPlan.Item, part: ScreenCursor.Part, index: Int, decidedBy: String) {
    self.item = item
    self.part = part
    self.index = index
    self.decidedBy = decidedBy
    length = item.length
  }

  /// The media's id, else its address.
  package var name: String { item.id ?? item.media.contentID }
  package var content: String { item.media.contentID }
  /// What other systems call the item and the screen; the item's own count where both have a name. `nil`: nothing.
  func ids(with screen: [String: String]) -> JSONObject? {
    let all = screen.merging(item.ids) { $1 }
    return all.isEmpty ? nil : JSONObject(all.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
  }

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
