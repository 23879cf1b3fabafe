/// What a playlist has to do with the world outside its screens.
extension PlaylistPlan {
  /// Something outside that an interrupt can wait for.
  package struct Trigger: Encodable, Hashable, Sendable {
    package var name: String
    package var source: Source
    package var span: SourceSpan

    package enum Source: Encodable, Hashable, Sendable {
      /// POST to the control server fires it, DELETE clears it.
      case webhook
      /// Fired while the file exists; the path is relative to the document.
      case file(String)
      /// A feed of alerts in the Common Alerting Protocol 1.2.
      case alerts(AlertFeed)
    }
  }

  /// A feed of CAP 1.2 alerts.
  package struct AlertFeed: Encodable, Hashable, Sendable {
    package var url: String
    /// Only alerts of these severities count.
    package var severities: [Severity]
    /// How often it is asked.
    package var every: Duration

    /// The severities of CAP 1.2, the worst first.
    package enum Severity: String, Encodable, Hashable, Sendable, CaseIterable {
      case extreme, severe, moderate, minor, unknown
    }
  }

  /// A calendar on the web.
  package struct CalendarFeed: Encodable, Hashable, Sendable {
    package var url: String
    /// How often it is fetched.
    package var every: Duration

    package init(url: String, every: Duration) {
      self.url = url
      self.every = every
    }
  }

  /// Whom to tell of what.
  package struct Notification: Encodable, Hashable, Sendable {
    package var occasions: [Occasion]
    /// How long it must last before anybody is told.
    package var lasting: Duration
    /// Only at these times.
    package var during: During
    /// Told again after this time while it lasts; `nil`: once.
    package var again: Duration?
    package var channel: Channel
    package var span: SourceSpan

    package enum Occasion: String, Encodable, Hashable, Sendable, CaseIterable {
      /// A screen shows nothing although it should.
      case dark
      /// An edited playlist has errors; the old one goes on.
      case invalid
      case ledgerGap = "ledger_gap"
      /// The certificate of a server of the playlist's media ends soon.
      case certificateEnds = "certificate_ends"
      /// The site's program could not switch the screens, or a receiver says otherwise.
      case power
    }

    package enum Channel: Encodable, Hashable, Sendable {
      /// A POST with a JSON object; the address may hold a secret.
      case webhook(String)
      /// A program and its arguments; the message comes on its standard input.
      case command([String])
    }
  }

  /// The site's own commands that switch its televisions.
  package struct Power: Encodable, Hashable, Sendable {
    /// Run before the first item after quiet hours; empty: none.
    package var on: [String]
    /// Run when quiet hours begin; empty: none.
    package var off: [String]
    /// Whether the receiver's own word on standby is checked after each.
    package var verifiesStandby: Bool
    package var span: SourceSpan
  }
}
