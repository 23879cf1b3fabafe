package import FleetMessages

/// What an operator wants sites to have, before anybody has looked at which of them need it.
package enum RolloutOffer: Sendable {
  /// These files, the document first.
  case files([FleetDocument.File])
  /// What each site had before.
  case previous
  /// Nothing any more.
  case removal
}

/// What each site is to get, and what it would go back to.
package struct RolloutContents: Sendable {
  /// Files of each site that is to get something; none: it is taken off there.
  package private(set) var files: [SiteName: [FleetDocument.File]] = [:]
  /// What is kept as the previous one, at sites where that changes.
  package private(set) var kept: [SiteName: DocumentShelf.Slip] = [:]
  /// What the site says is on, where the broker has that.
  package private(set) var before: [SiteName: DocumentShelf.Slip] = [:]
  /// The edition that is brought back, of a site that goes back to what it had.
  package private(set) var restores: [SiteName: Int] = [:]
  /// Sites that have it already.
  package private(set) var have: [SiteName] = []
  /// Sites that have nothing to go back to, or nothing to take off.
  package private(set) var without: [SiteName] = []

  /// Looks at what each site was given and what it says that is on.
  package init(_ offer: RolloutOffer, to sites: [SiteName], _ shelf: DocumentShelf, _ view: FleetView) {
    for site in sites.sorted() {
      let current = shelf.current[site]
      let report = view.sites[site]?.documents.first { $0.key == TopicLevel.of(shelf.id) }?.value
      let wanted: [FleetDocument.File]
      switch offer {
      case .files(let files): wanted = files
      case .removal:
        // Nothing of the fleet is there.
        if current == nil, report == nil || report?.state == .removed {
          without.append(site)
          continue
        }
        wanted = []
      case .previous:
        // Nothing is nothing to go back to: `fleet remove` takes it off.
        guard let slip = shelf.previous[site], let files = shelf.files(of: slip), !files.isEmpty else {
          without.append(site)
          continue
        }
        wanted = files
        restores[site] = slip.edition
      }
      let digest = FleetDocument(id: shelf.id, edition: 1, issued: 0, files: wanted).digest
      let isThere = wanted.isEmpty ? report?.state == .removed : report?.state == .on && report?.digest == digest
      if current?.digest == digest, isThere {
        have.append(site)
        restores[site] = nil
        continue
      }
      files[site] = wanted
      before[site] = [shelf.current[site], shelf.previous[site]].compactMap(\.self)
        .first { $0.digest == report?.digest }
      // What the site shows, or else what it was given last.
      if let last = before[site] ?? current, last.digest != digest, last != shelf.previous[site],
        shelf.files(of: last)?.isEmpty == false
      {
        kept[site] = last
      }
    }
  }
}
