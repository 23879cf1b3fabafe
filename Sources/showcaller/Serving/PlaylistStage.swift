import Dispatch
import MediaServer
import ScenarioLanguage
import Signage
import Workspace

/// Where the playlists of one `serve` are made and run, whether a command line names them or a fleet gives them.
struct PlaylistStage: Sendable {
  let registry: PlaylistRegistry
  let running: RunningPlaylists
  let board: ScreenBoard
  /// Makes what serving a program takes.
  let make: @Sendable (Program, ServedSecrets) throws(WorkspaceError) -> ServedPlaylist.Parts

  /// A playlist that is not begun.
  /// - Parameter name: What people know it by.
  func member(
    _ secrets: ServedSecrets, _ loader: DocumentLoader, called name: String, files: [String],
    _ prepare: @escaping PlaylistStart.Preparation
  ) -> RunningPlaylists.Member {
    let playlist = ServedPlaylist(secrets, prepare: prepare) { [make] program throws(WorkspaceError) in
      try make(program, secrets)
    }
    let edits = PlaylistEdits(loader, playlist, files: files) { [registry, board] in
      registry.judge(name, playlist, $0)
      board.ring()
    }
    return RunningPlaylists.Member(playlist, edits)
  }

  /// Ends a playlist while others go on. What its screens show stays on, and the next one that has them goes on with it.
  func end(_ member: RunningPlaylists.Member) async {
    await running.end(member.playlist)
    guard let parts = member.playlist.parts else { return }
    registry.remove(parts)
    await parts.media.close()
    // Its records are on the disk before the next one opens it.
    let failure = await OffMainPath.run {
      parts.ledger.close(until: DispatchTime.now() + DispatchTimeInterval.seconds(5))
    }
    if let failure { Terminal.tell(failure.message, help: failure.help) }
    board.forget(playlist: parts.outside.key)
  }
}
