package import CastProtocol

/// One line of a ledger, before it is numbered and chained: what a screen showed, and where it did not, why.
///
/// All times are Unix seconds; of them milliseconds are kept.
package struct LedgerRecord: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case play(Play)
    case gap(Gap)
    case skip(Skip)
  }

  /// The screen's name, as in events.
  package var screen: String
  package var kind: Kind

  package init(screen: String, _ kind: Kind) {
    self.screen = screen
    self.kind = kind
  }

  /// Why an item was no longer shown.
  package enum EndReason: String, Sendable, Hashable, CaseIterable {
    /// Its time was over.
    case duration
    /// It came to its own end.
    case finished
    case takenOver = "taken_over"
    case appGone = "app_gone"
    case connectionLost = "connection_lost"
    case stalled
    case mediaError = "media_error"
    /// The window or quiet hours ended it.
    case scheduled
    /// An interrupt cut it.
    case interrupted
    /// A person skipped it.
    case skipped
    /// Serving ended.
    case stopped
  }

  /// Why nothing of ours was on screen.
  package enum GapReason: String, Sendable, Hashable, CaseIterable {
    /// Somebody else had the screen.
    case yielded
    case deviceOff = "device_off"
    /// Nobody has seen the device.
    case notFound = "not_found"
    case quiet
    /// Nothing is scheduled.
    case nothing
    /// Nothing would load.
    case failed
    /// Nobody served the playlist.
    case stopped
    case loading
  }

  /// Who took the screen.
  package struct Taker: Hashable, Sendable {
    package var app: String
    package var name: String

    package init(app: String, name: String) {
      self.app = app
      self.name = name
    }
  }

  /// What a play rests on: only what the receiver said.
  package struct Evidence: Hashable, Sendable {
    /// The media session id.
    package var session: Int?
    /// When the receiver first said that it plays.
    package var playingAt: Double?
    /// How many statuses of the media were heard.
    package var statuses: Int
    /// Seconds without progress.
    package var stalled: Double
    /// It was on before we came.
    package var adopted: Bool
    /// What no status tells, so that nobody takes the record for a proof of it.
    package var unseen: [Unseen]

    /// What may keep people from seeing what a receiver plays, and what it does not tell.
    package enum Unseen: String, Sendable, Hashable, CaseIterable {
      /// Whether the panel is on, and shows this input.
      case panel
      /// Whether a screen saver, a menu or a notice covers it.
      case overlay
    }

    package init(
      session: Int? = nil, playingAt: Double? = nil, statuses: Int = 0, stalled: Double = 0, adopted: Bool = false,
      unseen: [Unseen] = []
    ) {
      self.unseen = unseen
      self.session = session
      self.playingAt = playingAt
      self.statuses = statuses
      self.stalled = stalled
      self.adopted = adopted
    }
  }

  /// An item was on screen.
  package struct Play: Hashable, Sendable {
    package var item: String
    /// The address of the media.
    package var content: String
    /// The line of the playlist that decided, such as `program[1] breakfast`.
    package var rule: String
    package var start: Double
    package var end: Double
    /// How long it was meant to be on, in seconds; `nil`: to its own end.
    package var planned: Double?
    /// For how many seconds the receiver said it was on.
    package var shown: Double
    package var endReason: EndReason
    package var by: Taker?
    package var evidence: Evidence
    /// What the playlist wants carried along.
    package var ids: JSONObject?
    /// How many seconds it began after the moment it was to share with other screens.
    package var skew: Double?

    package init(
      item: String, content: String, rule: String, start: Double, end: Double, planned: Double? = nil, shown: Double,
      endReason: EndReason, by: Taker? = nil, evidence: Evidence = Evidence(), ids: JSONObject? = nil,
      skew: Double? = nil
    ) {
      self.item = item
      self.content = content
      self.rule = rule
      self.start = start
      self.end = end
      self.planned = planned
      self.shown = shown
      self.endReason = endReason
      self.by = by
      self.evidence = evidence
      self.ids = ids
      self.skew = skew
    }
  }

  /// Nothing of ours was on screen.
  package struct Gap: Hashable, Sendable {
    package var start: Double
    package var end: Double
    package var reason: GapReason
    package var by: Taker?

    package init(start: Double, end: Double, reason: GapReason, by: Taker? = nil) {
      self.start = start
      self.end = end
      self.reason = reason
      self.by = by
    }
  }

  /// An item was passed over.
  package struct Skip: Hashable, Sendable {
    /// What the receiver said.
    package struct Failure: Hashable, Sendable {
      package var code: Int
      package var name: String?

      package init(code: Int, name: String? = nil) {
        self.code = code
        self.name = name
      }
    }

    package var at: Double
    package var item: String
    /// A class of docs/runs.md "Error classes".
    package var reason: String
    package var error: Failure?
    package var shownInstead: String?

    package init(at: Double, item: String, reason: String, error: Failure? = nil, shownInstead: String? = nil) {
      self.at = at
      self.item = item
      self.reason = reason
      self.error = error
      self.shownInstead = shownInstead
    }
  }
}

/// Where a screen's records go.
package protocol LedgerSink: Sendable {
  /// Takes a record and returns at once, whatever a disk does.
  func record(_ record: LedgerRecord)
}
