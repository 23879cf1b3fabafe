/// What a screen's receiver said last, and what follows what is on.
package struct ScreenSight: Hashable, Sendable {
  package struct App: Hashable, Sendable {
    package var id: String
    package var name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
  }

  /// What follows, and from which Unix time on, as far as anybody can know.
  package struct Next: Hashable, Sendable {
    package var showing: Showing
    package var time: Double

    package init(_ showing: Showing, at time: Double) { (self.showing, self.time) = (showing, time) }
  }

  /// What is on, also where that was no news because the same picture stays on, and since which Unix time.
  package var showing: Showing?
  package var since: Double?
  /// The app on the screen; `nil`: none, or nobody knows.
  package var app: App?
  /// 0 to 1.
  package var volume: Double?
  package var isMuted: Bool?
  /// What the player does, whoever loaded it; `nil`: there is none.
  package var player: PlayerSight.Phase?
  /// Content seconds as the receiver said them last, and the Unix time at which it did.
  package var position: Double?
  package var positionTime: Double?
  /// Of the content, in seconds.
  package var duration: Double?
  package var next: Next?
  /// Since when no record of the ledger is about the screen, as Unix time.
  package var unrecordedSince: Double?
  /// Why nothing is on in that time; `nil`: something is.
  package var gapReason: LedgerRecord.GapReason?
  /// For how many seconds of that time the receiver has said that the item is on.
  package var shown = 0.0

  package init() {}
}
