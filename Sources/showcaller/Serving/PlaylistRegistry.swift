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
    /// Which file has an id, by place on the command line.
    var owners: [String: (place: Int, file: String)] = [:]

    var all: [ServedPlaylist.Parts] { served.sorted { $0.key < $1.key }.map(\.value) }
  }
  private let state = Mutex(State())

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
  /// - Parameter place: That of the file on the command line.
  func claim(_ id: String, for file: String, at place: Int) throws(WorkspaceError) {
    let other = state.withLock { state -> String? in
      if let owner = state.owners[id], owner.place != place { return owner.file }
      state.owners[id] = (place, file)
      return nil
    }
    guard let other else { return }
    throw WorkspaceError(
      .documentUnfit, "\(file) has the id `\(id)`, as \(other) has: both would have one ledger",
      help: "give one of them another, such as `id: \(id)-2`; without `id:` it is the name of the file")
  }
}
