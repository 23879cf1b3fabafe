import ScenarioLanguage
import Signage
import Synchronization
import Workspace

/// The playlists that one `serve` serves, in the order in which they began, and what is wrong with the others.
final class PlaylistRegistry: Sendable {
  private struct State {
    var served: [Int: ServedPlaylist.Parts] = [:]
    var last = 0
    /// What is wrong with files of which nothing is served, by name.
    var invalid: [String: String] = [:]
    /// What is wrong with edits of files that are served, by name.
    var edits: [String: String] = [:]
    /// Who has an id.
    var owners: [String: (owner: Owner, file: String)] = [:]

    var all: [ServedPlaylist.Parts] { served.sorted { $0.key < $1.key }.map(\.value) }
  }
  private let state = Mutex(State())

  /// What a playlist comes from.
  enum Owner: Hashable, Sendable {
    /// A file, by its place on the command line.
    case line(Int)
    /// The document of the fleet that has this id.
    case fleet(String)
  }

  var served: [ServedPlaylist.Parts] { state.withLock { $0.all } }

  /// A playlist by its id.
  func served(_ id: String) -> ServedPlaylist.Parts? { served.first { $0.outside.program.plan.id == id } }

  /// What is wrong with files now.
  var invalid: [SiteView.Invalid] {
    state.withLock { state in
      let missing = state.invalid.map { SiteView.Invalid(file: $0.key, why: $0.value, isServed: false) }
      return (missing + state.edits.map { SiteView.Invalid(file: $0.key, why: $0.value, isServed: true) })
        .sorted { ($0.file, $0.why) < ($1.file, $1.why) }
    }
  }

  /// - Parameter make: Makes what serving takes, of the number that the playlist has from now on.
  func add(
    _ make: (_ number: Int) throws(WorkspaceError) -> ServedPlaylist.Parts
  ) throws(WorkspaceError) -> ServedPlaylist.Parts {
    // Two may become valid at once, and making what serving takes opens files.
    let number = state.withLock { state in
      state.last += 1
      return state.last
    }
    let parts = try make(number)
    let invalid = state.withLock { state in
      state.served[number] = parts
      return state.invalid
    }
    for (file, why) in invalid { parts.outside.note(Incident(.invalid, file), Self.isNotServed(why)) }
    return parts
  }

  /// A playlist is served no more.
  func remove(_ parts: ServedPlaylist.Parts) {
    state.withLock { state in
      for (number, other) in state.served where other.outside === parts.outside { state.served[number] = nil }
    }
  }

  /// Which file of the command line has an id.
  func file(having id: String) -> String? {
    state.withLock { state in
      if let (owner, file) = state.owners[id], case .line = owner { return file }
      return nil
    }
  }

  /// A document of the fleet is there no more.
  func forget(_ owner: Owner, called file: String) {
    let served = state.withLock { state in
      state.owners = state.owners.filter { $0.value.owner != owner }
      (state.invalid[file], state.edits[file]) = (nil, nil)
      return state.all
    }
    for parts in served { parts.outside.note(Incident(.invalid, file), nil) }
  }

  /// A file was read.
  /// - Parameter why: Why it is not valid; `nil`: it is.
  func judge(_ file: String, _ playlist: ServedPlaylist, _ why: String?) {
    let own = playlist.parts
    state.withLock { $0.edits[file] = own == nil ? nil : why }
    if let why, let own {
      own.outside.note(Incident(.invalid, file), "\(why); \(playlist.whatGoesOn)")
      return
    }
    // Whoever looks after the other screens learns that this one is not served.
    let served = state.withLock { state in
      state.invalid[file] = why
      return state.all
    }
    for parts in served { parts.outside.note(Incident(.invalid, file), why.map(Self.isNotServed)) }
  }

  private static func isNotServed(_ why: String) -> String { "\(why); it is not served" }

  /// Of several playlists each has an id of its own: by it they have their ledgers and what they go on with.
  func claim(_ id: String, for file: String, by owner: Owner) throws(WorkspaceError) {
    let other = state.withLock { state -> String? in
      if let known = state.owners[id], known.owner != owner { return known.file }
      state.owners[id] = (owner, file)
      return nil
    }
    guard let other else { return }
    throw WorkspaceError(
      .documentUnfit, "\(file) has the id `\(id)`, as \(other) has: both would have one ledger",
      help: "give one of them another, such as `id: \(id)-2`; without `id:` it is the name of the file")
  }
}
