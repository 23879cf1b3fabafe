import CastProtocol
import FleetAgent
import FleetMessages
import ScenarioLanguage
import Signage
import Workspace

/// The documents that a fleet gave to this site: each is kept on the disk before it is on a screen, and what is on stays
/// on until the next one is known to be valid.
actor FleetDocuments {
  /// What taking one needs of the process around it.
  struct World: Sendable {
    var documents: ServedDocuments
    var options: ServeCommand
    var given: GivenSecrets
    var output: ServeOutput
    var clocks: TimeZoneRules
    /// Makes the screens of a playlist where they are virtual.
    var provide: @Sendable (PlaylistPlan) async throws -> Void
  }

  /// Why a document is not taken.
  private struct Refusal: Error {
    var why: String
    var diagnostics: [JSONValue] = []
  }

  private struct Entry {
    var kept: FleetDocumentStore.Kept
    /// `nil`: nothing of it is served.
    var member: RunningPlaylists.Member?
  }

  private let store: FleetDocumentStore
  private let stage: PlaylistStage
  private let world: World
  private var entries: [String: Entry] = [:]

  init(in store: FleetDocumentStore, _ stage: PlaylistStage, _ world: World) {
    (self.store, self.stage, self.world) = (store, stage, world)
  }

  /// Knows what is kept of a document since an earlier process.
  func know(_ kept: FleetDocumentStore.Kept) { entries[kept.id] = Entry(kept: kept) }

  /// A kept document is served since the process began.
  func adopt(_ member: RunningPlaylists.Member, of kept: FleetDocumentStore.Kept) {
    entries[kept.id] = Entry(kept: kept, member: member)
  }

  /// What it remembers of each.
  var kept: [KeptDocument] {
    entries.values.map(\.kept).sorted { $0.id < $1.id }.map { kept in
      let state: DocumentReport.State =
        switch kept.fate {
        case .on: .on
        case .refused: .refused
        case .removed: .removed
        }
      return KeptDocument(
        id: kept.id, edition: kept.highest, state: state,
        shown: kept.on.map { .init(edition: $0.number, digest: $0.digest) })
    }
  }

  /// Takes a document, or takes it off; called for one at a time.
  func take(_ document: FleetDocument) async -> DocumentOutcome {
    let outcome: DocumentOutcome
    do throws(Refusal) {
      if let known = entries[document.id]?.kept, document.edition < known.highest {
        throw Refusal(why: "edition \(document.edition) is older than \(known.highest), which came before it")
      }
      if let undone = document.undoes {
        outcome = try await takeBack(undone, by: document)
      } else if document.isRemoval {
        try await remove(document)
        outcome = .removed
      } else {
        try await put(document)
        outcome = .on
      }
    } catch {
      outcome = .refused(why: error.why, diagnostics: error.diagnostics)
      await noteRefusal(of: document)
    }
    world.output.tell(outcome, of: document, at: Surroundings.process.unixTime(), in: world.clocks)
    return outcome
  }

  private func noteRefusal(of document: FleetDocument) async {
    let (id, edition) = (document.id, document.edition)
    let none = FleetDocumentStore.Kept(id: id, highest: 0, fate: .refused, on: nil)
    var entry = entries[id] ?? Entry(kept: none)
    // It counts in this process although it cannot be written: then a later one may look at it again.
    await disk { [store] () throws(WorkspaceError) in try store.refuse(id, edition: edition) }
    if edition >= entry.kept.highest { (entry.kept.highest, entry.kept.fate) = (edition, .refused) }
    entries[id] = entry
  }

  // MARK: putting on

  private func put(_ document: FleetDocument) async throws(Refusal) {
    let (id, name) = (document.id, Self.name(of: document.id))
    if let known = entries[id]?.kept.on, known.number == document.edition, known.digest == document.digest { return }
    if let file = stage.registry.file(having: id) {
      throw Refusal(
        why:
          "this site serves the playlist `\(id)` from \(file), a file of its own: begin it without that file, or give the document another id"
      )
    }
    let files = document.files.map { (name: $0.name, text: $0.text) }
    let given = FleetDocumentStore.Document(
      id: id, edition: document.edition, digest: document.digest, files: files)
    let staged = try await written { [store] () throws(WorkspaceError) in try store.stage(given) }
    do throws(Refusal) {
      try await bring(staged.edition, of: id, highest: document.edition) { [store] () throws(WorkspaceError) in
        try store.keep(staged)
      }
    } catch {
      if entries[id]?.kept.on?.folder != staged.edition.folder { await disk { [store] in store.discard(staged) } }
      if let playlist = entries[id]?.member?.playlist { stage.registry.judge(name, playlist, error.why) }
      throw error
    }
  }

  /// Checks an edition that is on the disk, makes it the one that is on, and has the screens show it.
  /// - Parameter keep: Writes that it is on.
  private func bring(
    _ edition: FleetDocumentStore.Edition, of id: String, highest: Int,
    keep: @escaping @Sendable () throws(WorkspaceError) -> Void
  ) async throws(Refusal) {
    let news = try await read(edition, of: id)
    try await provide(news.prepared.program.plan, in: edition.folder)
    try await written(keep)
    var kept = entries[id]?.kept ?? .init(id: id, highest: 0, fate: .on, on: nil)
    (kept.highest, kept.fate, kept.on) = (max(kept.highest, highest), .on, edition)
    entries[id, default: Entry(kept: kept)].kept = kept
    try await show(news, of: id, called: Self.name(of: id))
  }

  /// Takes an edition back: what was on before it is on again, and what is on in its place stays.
  private func takeBack(_ undone: Int, by document: FleetDocument) async throws(Refusal) -> DocumentOutcome {
    let (id, edition) = (document.id, document.edition)
    guard let on = entries[id]?.kept.on else {
      try await remove(document)
      return .removed
    }
    if on.number != undone {
      try await written { [store] () throws(WorkspaceError) in try store.confirm(id, edition: edition) }
      entries[id]?.kept.highest = edition
      entries[id]?.kept.fate = .on
      return .restored(.init(edition: on.number, digest: on.digest))
    }
    guard let before = await OffMainPath.run({ [store] in store.before(id) }) else {
      try await remove(document)
      return .removed
    }
    try await bring(before, of: id, highest: edition) { [store] () throws(WorkspaceError) in
      try store.goBack(id, edition: edition)
    }
    return .restored(.init(edition: before.number, digest: before.digest))
  }

  /// An edition that was found to be valid.
  private struct News {
    var loader: DocumentLoader
    var loaded: LoadedPlaylist
    var prepared: ServedPlaylist.Prepared
    var secrets: ServedSecrets
    var prepare: PlaylistStart.Preparation
  }

  private func read(_ edition: FleetDocumentStore.Edition, of id: String) async throws(Refusal) -> News {
    let heard = HeardProblems()
    let loader = await OffMainPath.run { [world] in world.documents.loader(ofDelivered: edition.path) }
    var listening = loader
    listening.tell = { heard.add($0, $1) }
    let read = await OffMainPath.run { [listening] in
      Result { () throws(DocumentProblems) in try listening.loadPlaylist() }
    }
    let loaded: LoadedPlaylist
    switch read {
    case .success(let playlist): loaded = playlist
    case .failure(let problems):
      throw Refusal(
        why: Self.line(problems.summary(of: loader.file), help: problems.failure?.help, in: edition.folder),
        diagnostics: DiagnosticReport.json(problems.diagnostics, problems.sources, in: edition.folder))
    }
    let prepare = world.options.preparation(ofDelivered: id, stage.registry)
    let secrets = world.options.secrets(loader, world.given)
    // What is claimed for the first edition of a document is free again where that is refused.
    let isFirst = entries[id]?.member == nil
    do throws(PlaylistRefusal) {
      let playlist = ServedPlaylist(secrets, prepare: prepare) { [stage] program throws(WorkspaceError) in
        try stage.make(program, secrets)
      }
      let prepared = try await playlist.prepared(loaded, by: listening)
      return News(loader: loader, loaded: loaded, prepared: prepared, secrets: secrets, prepare: prepare)
    } catch {
      if isFirst { stage.registry.forget(.fleet(id), called: Self.name(of: id)) }
      let problems = heard.all
      let first = problems.diagnostics.first { $0.severity == .error }?.message
      let reason = error.reason
      throw Refusal(
        why: Self.line(first ?? reason?.message ?? "this site ends", help: reason?.help, in: edition.folder),
        diagnostics: DiagnosticReport.json(problems.diagnostics, problems.sources, in: edition.folder))
    }
  }

  private func provide(_ plan: PlaylistPlan, in folder: String) async throws(Refusal) {
    do { try await world.provide(plan) } catch {
      throw Refusal(why: Self.line("its virtual screens cannot be made: \(error)", help: nil, in: folder))
    }
  }

  /// Has the screens show it: those that it had go on at their next item; where it has others now, it begins anew, and
  /// goes on with what its screens show.
  private func show(_ news: News, of id: String, called name: String) async throws(Refusal) {
    let program = news.prepared.program
    if let member = entries[id]?.member {
      let plan = member.playlist.parts?.outside.program.plan
      if plan.map({ $0.isServedAlike(program.plan) }) ?? true {
        member.edits.replace(news.loader, files: news.loaded.files)
        return try await begin(news, member, called: name)
      }
      entries[id]?.member = nil
      await stage.end(member)
    }
    let member = stage.member(
      news.secrets, news.loader, called: name, files: news.loaded.files, news.prepare)
    entries[id]?.member = member
    defer { stage.running.add(member) }
    try await begin(news, member, called: name)
  }

  private func begin(_ news: News, _ member: RunningPlaylists.Member, called name: String) async throws(Refusal) {
    do throws(PlaylistRefusal) {
      try await member.playlist.take(news.prepared)
      stage.registry.judge(name, member.playlist, nil)
      stage.board.ring()
    } catch {
      let why = error.reason?.message ?? "this site ends"
      member.edits.tryAgain(after: why)
      throw Refusal(why: "\(why); it is tried again")
    }
  }

  // MARK: taking off

  private func remove(_ document: FleetDocument) async throws(Refusal) {
    let (id, edition) = (document.id, document.edition)
    // First: a process that begins anew must not bring it back.
    _ = try await written { [store] () throws(WorkspaceError) in try store.remove(id, edition: edition) }
    let member = entries[id]?.member
    entries[id] = Entry(kept: .init(id: id, highest: edition, fate: .removed, on: nil))
    guard let member else { return }
    await stage.end(member)
    stage.registry.forget(.fleet(id), called: Self.name(of: id))
    stage.board.ring()
  }

  // MARK: words and the disk

  /// What people know a document by.
  static func name(of id: String) -> String { "the document `\(id)` of the fleet" }

  /// One line, without the place of the site's own folder.
  private static func line(_ message: String, help: String?, in folder: String) -> String {
    let text = help.map { "\(message) (\($0))" } ?? message
    return text.replacing("\(folder)/", with: "").split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func written<Value: Sendable>(
    _ body: @escaping @Sendable () throws(WorkspaceError) -> Value
  ) async throws(Refusal) -> Value {
    switch await OffMainPath.run({ Result { () throws(WorkspaceError) in try body() } }) {
    case .success(let value): return value
    case .failure(let error): throw Refusal(why: error.message)
    }
  }

  private func disk(_ body: @escaping @Sendable () throws(WorkspaceError) -> Void) async {
    await OffMainPath.run { try? body() }
  }
}

extension PlaylistPlan {
  /// Whether its screens and its ledger can go on with another edition; else it begins anew.
  fileprivate func isServedAlike(_ other: PlaylistPlan) -> Bool {
    func screens(_ plan: PlaylistPlan) -> [Plan.DeviceSelector] { plan.devices.selectors.map(\.withoutSpans) }
    return screens(self) == screens(other) && devices.atLeast == other.devices.atLeast
      && devices.atMost == other.devices.atMost && appID == other.appID
      && inventory.mapValues(\.withoutSpans) == other.inventory.mapValues(\.withoutSpans)
      && (ledger.file, ledger.rotation) == (other.ledger.file, other.ledger.rotation)
  }
}
