import CastProtocol
import CastTransport
import Dispatch
import FleetAgent
import FleetMessages
import ScenarioLanguage
import Signage
import Workspace

/// The site that a `serve` is on its broker.
struct FleetSite: Sendable {
  let name: SiteName
  let keys: [VerifyingKey]
  let store: FleetDocumentStore
  /// What earlier processes took.
  let kept: [FleetDocumentStore.Kept]
  let link: any BrokerLink
  let options: SiteAgentOptions

  /// How long it may take to say goodbye.
  private static let lastWords = 3

  /// Tells the broker of the site and takes what comes from there, until the task is cancelled; then it ends soon, whatever
  /// the broker does.
  func run(_ control: SiteControl, _ documents: FleetDocuments, _ registry: PlaylistRegistry, on clock: TimeSource)
    async
  {
    let ledgers = FleetLedgers(of: registry)
    let host = SiteHost(
      site: control, take: { await documents.take($0) }, kept: { await documents.kept },
      ledgers: { await ledgers.marks() })
    let agent = SiteAgent(
      site: name, host: host, keys: keys, options: options, clock: clock, unixTime: Surroundings.process.unixTime)
    let over = AsyncStream<Void>.makeStream()
    let waiting = Task { for await _ in over.stream {} }
    let work = Task {
      await agent.run(on: link)
      over.continuation.finish()
    }
    await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      work.cancel()
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.lastWords)) { over.continuation.finish() }
    }
  }
}

extension ServeCommand {
  /// Whether it is a site on a broker.
  var isSite: Bool { brokerOptions.broker != nil || site != nil }

  /// What the command line says of the site; `nil`: it is none.
  func fleetSite() throws -> FleetSite? {
    guard isSite else { return nil }
    let name = try siteName()
    let keys = try operators.keys()
    let virtual = isVirtual ? ".showcaller/virtual" : nil
    guard let state = virtual ?? Surroundings.process.stateFolder else {
      throw CommandFailure(
        .commandLineWrong, "there is no folder for the documents of the fleet", help: "set HOME or XDG_STATE_HOME")
    }
    let store = try FleetDocumentStore(site: name.text, in: state)
    let (kept, problems) = store.read()
    for problem in problems { Terminal.say("warning: \(TerminalText.escaped(problem))") }
    let will = SiteAgent.lastWill(of: name)
    let address = try brokerOptions.named()?.description ?? ""
    let link = try brokerOptions.connect(as: "showcaller-\(name)", will: will)
    var options = SiteAgentOptions()
    options.tell = { Terminal.say("note: \(TerminalText.escaped($0))") }
    if homeAssistant { options.homeAssistant = HomeAssistantBridge(of: name) }
    if keys.isEmpty {
      Terminal.say("note: the site `\(name)` tells what it shows and takes nothing: that needs `--operator-key FILE`")
    }
    if files.isEmpty, !kept.contains(where: { $0.on != nil }) {
      Terminal.say("note: the site `\(name)` has no documents yet, and waits for them")
    }
    return FleetSite(
      name: name, keys: keys, store: store, kept: kept, link: ToldLink(link: link, address: "\(address) as `\(name)`"),
      options: options)
  }

  func siteName() throws(CommandFailure) -> SiteName {
    if let site { return site }
    let host = Surroundings.process.hostName().utf8.prefix(SiteName.longest)
    let text = String(
      decoding: host.map { SiteName(String(UnicodeScalar($0))) == nil ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    if let name = SiteName(text) { return name }
    throw CommandFailure(
      .commandLineWrong, "this computer has no name to call the site by", help: "name it: `--site cafe`")
  }

  /// How values of secrets get to a playlist.
  func secrets(_ loader: DocumentLoader, _ given: GivenSecrets) -> ServedSecrets {
    ServedSecrets(
      loader, allowsCommands: allowExec, given: given, namesStandIn: isVirtual && inputs.noSecrets)
  }

  /// As for a file, where a document has to have the id that it was given as.
  func preparation(ofDelivered id: String, _ registry: PlaylistRegistry) -> PlaylistStart.Preparation {
    let prepare = preparation(of: FleetDocuments.name(of: id), by: .fleet(id), registry)
    return { loaded throws(WorkspaceError) in
      guard loaded.plan.id == id else {
        throw WorkspaceError(
          .documentUnfit, "its id is `\(loaded.plan.id)`, and it was given as `\(id)`",
          help: "write `id: \(id)` into it")
      }
      return try prepare(loaded)
    }
  }

  /// What is served of a kept document when the process begins; `nil`: it was taken off.
  func start(
    of kept: FleetDocumentStore.Kept, among documents: ServedDocuments, _ registry: PlaylistRegistry,
    _ given: GivenSecrets
  ) -> PlaylistStart? {
    guard let edition = kept.on else { return nil }
    let loader = documents.loader(ofDelivered: edition.path)
    let read = Result { () throws(DocumentProblems) in try loader.loadPlaylist() }
    switch read {
    case .success(let playlist): loader.tell(playlist.diagnostics, playlist.sources)
    case .failure(let problems): loader.tell(problems.diagnostics, problems.sources)
    }
    return PlaylistStart(
      loader, called: FleetDocuments.name(of: kept.id), read, secrets(loader, given),
      prepare: preparation(ofDelivered: kept.id, registry))
  }
}
