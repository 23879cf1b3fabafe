package import CastProtocol
package import FleetMessages
package import Signage

/// What a site's agent asks of whoever serves its screens.
package struct SiteHost: Sendable {
  package var site: SiteControl
  /// Checks a document as `check` does, puts it on or takes it off, and keeps what became of it; called for one document
  /// at a time. What is on stays on unless this one is valid.
  package var take: @Sendable (FleetDocument) async -> DocumentOutcome
  /// Every document that the fleet gave, and what became of it.
  package var kept: @Sendable () async -> [KeptDocument]
  /// The finished files of its ledgers.
  package var ledgers: @Sendable () async -> [LedgerMark]

  package init(
    site: SiteControl, take: @escaping @Sendable (FleetDocument) async -> DocumentOutcome,
    kept: @escaping @Sendable () async -> [KeptDocument], ledgers: @escaping @Sendable () async -> [LedgerMark]
  ) {
    self.site = site
    self.take = take
    self.kept = kept
    self.ledgers = ledgers
  }
}

/// What became of a document that a site was given.
package enum DocumentOutcome: Hashable, Sendable {
  /// Its screens show it, at their next item.
  case on
  /// - Parameters:
  ///   - why: One line.
  ///   - diagnostics: What `check --json` says of it.
  case refused(why: String, diagnostics: [JSONValue])
  case removed
  /// An edition was taken back: this one is on, which was before it.
  case restored(KeptDocument.Shown)
}

/// What a site remembers of a document, also of one that was taken off or was never on: so nothing older comes back.
package struct KeptDocument: Hashable, Sendable {
  package struct Shown: Hashable, Sendable {
    package var edition: Int
    /// ``FleetDocument/digest``.
    package var digest: String

    package init(edition: Int, digest: String) { (self.edition, self.digest) = (edition, digest) }
  }

  package var id: String
  /// The largest edition that was ever given, and what became of it.
  package var edition: Int
  package var state: DocumentReport.State
  /// What is on; `nil`: nothing.
  package var shown: Shown?

  package init(id: String, edition: Int, state: DocumentReport.State, shown: Shown?) {
    self.id = id
    self.edition = edition
    self.state = state
    self.shown = shown
  }
}

/// The last line of a finished file of a ledger.
package struct LedgerMark: Hashable, Sendable {
  package var playlist: String
  /// The file's name, without its folder.
  package var file: String
  /// The number and the hash of its last line.
  package var lines: Int
  package var hash: String

  package init(playlist: String, file: String, lines: Int, hash: String) {
    (self.playlist, self.file, self.lines, self.hash) = (playlist, file, lines, hash)
  }
}
