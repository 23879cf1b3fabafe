import Synchronization

/// The playlists that one `serve` runs: one may come, or end, while others are on.
final class RunningPlaylists: Sendable {
  /// A playlist, its edits, and what runs for it.
  struct Member: Sendable {
    let playlist: ServedPlaylist
    let edits: PlaylistEdits
    fileprivate let screens = EndableWork()
    fileprivate let rest = EndableWork()

    init(_ playlist: ServedPlaylist, _ edits: PlaylistEdits) {
      self.playlist = playlist
      self.edits = edits
    }
  }

  private let members = Mutex<[Member]>([])
  private let forScreens = AsyncStream<Member>.makeStream()
  private let forRest = AsyncStream<Member>.makeStream()

  /// Runs another one, as soon as the others run.
  func add(_ member: Member) {
    members.withLock { $0.append(member) }
    for stream in [forScreens, forRest] { stream.continuation.yield(member) }
  }

  /// None comes any more: when all have ended there is nothing left to do.
  func close() { for stream in [forScreens, forRest] { stream.continuation.finish() } }

  /// Ends one, and returns when its screens are left, as they are, and nothing goes on beside them.
  func end(_ playlist: ServedPlaylist) async {
    let member = members.withLock { members in
      members.firstIndex { $0.playlist === playlist }.map { members.remove(at: $0) }
    }
    await member?.screens.end()
    await member?.rest.end()
  }

  /// Has all of them read again.
  func ask() { for member in members.withLock({ $0 }) { member.edits.ask() } }

  /// Runs the screens of all until the task is cancelled.
  func serve() async {
    await withDiscardingTaskGroup { group in
      for await member in forScreens.stream {
        group.addTask { await member.screens.perform { await member.playlist.serve() } }
      }
    }
  }

  /// Does what goes on beside the screens of each, until the task is cancelled.
  func follow(_ body: @escaping @Sendable (Member) async -> Void) async {
    await withDiscardingTaskGroup { group in
      for await member in forRest.stream {
        group.addTask { await member.rest.perform { await body(member) } }
      }
    }
  }
}
