import FleetMessages

/// Whether a document that an operator signed is new, and whether there is room for it.
extension DocumentDesk {
  mutating func judge(_ document: FleetDocument, at time: Double) -> Verdict {
    let (id, edition) = (document.id, document.edition)
    let queued = ([busy] + waiting).compactMap(\.self).filter { $0.id == id }
    let newest = max(known[id]?.edition ?? 0, queued.map(\.edition).max() ?? 0)
    if edition < newest {
      let why = "edition \(edition) came after edition \(newest) and was passed over"
      // The report stays that of the newest one.
      if queued.isEmpty, reports[id]?.why != why { reports[id]?.why = why }
      return .refused(why)
    }
    if edition == newest, let verdict = judgeAgain(document, queued) { return verdict }
    let shown = Set(known.values.filter { $0.shown != nil }.map(\.id)).union(queuedIDs)
    guard document.isRemoval || shown.contains(id) || shown.count < Self.mostShown else {
      return refuse(document, "the site has \(Self.mostShown) documents of the fleet: take one off first", at: time)
    }
    guard known[id] != nil || queuedIDs.contains(id) || known.count + queuedIDs.count < Self.mostKnown else {
      return refuse(document, "the site was given \(Self.mostKnown) documents of other ids", at: time)
    }
    waiting.removeAll { $0.id == id }
    guard waiting.reduce(document.byteCount, { $0 + $1.byteCount }) <= Self.mostWaitingBytes else {
      return .later("too many documents wait")
    }
    waiting.append(document)
    return .waits
  }

  private var queuedIDs: Set<String> { Set(([busy] + waiting).compactMap { $0?.id }) }

  /// An edition that was seen before.
  /// - Returns: `nil`: it is to be taken all the same.
  private func judgeAgain(_ document: FleetDocument, _ queued: [FleetDocument]) -> Verdict? {
    let other = Verdict.refused(
      "edition \(document.edition) is another document already: give this one a larger number")
    if let same = queued.first(where: { $0.edition == document.edition }) {
      return same.digest == document.digest ? .nothing : other
    }
    guard let kept = known[document.id] else { return nil }
    if let digest = answered[document.id] { return digest == document.digest ? .known : other }
    switch kept.state {
    case .on where document.undoes != nil: return .known
    case .on: return kept.shown?.digest == document.digest ? .known : other
    case .removed: return document.isRemoval ? .known : other
    // What was wrong with it may be right by now, and its diagnostics are not known any more.
    case .refused: return nil
    }
  }

  private mutating func refuse(_ document: FleetDocument, _ why: String, at time: Double) -> Verdict {
    if reports[document.id] != nil || reports.count < Self.mostKnown {
      var report = newReport(document.id, document.edition, .refused, at: time)
      report.why = why
      reports[document.id] = report
    }
    return .refused(why)
  }
}

extension FleetDocument {
  fileprivate var byteCount: Int { files.reduce(0) { $0 + $1.name.utf8.count + $1.text.utf8.count } }
}
