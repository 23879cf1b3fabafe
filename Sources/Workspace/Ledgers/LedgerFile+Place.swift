package import ScenarioLanguage

extension LedgerFile {
  /// Where the ledger of a playlist is: where the document says, beside itself, else in the state folder, by the
  /// playlist's id.
  package static func path(of plan: PlaylistPlan, in surroundings: Surroundings) throws(WorkspaceError) -> String {
    if let file = plan.ledger.file {
      let folder = Files.folder(of: plan.file)
      return file.hasPrefix("/") || folder == "." ? file : "\(folder)/\(file)"
    }
    guard let path = usualPath(of: plan, in: surroundings) else {
      throw WorkspaceError(
        .notWritten, "there is no place for the ledger: neither XDG_STATE_HOME nor HOME names a folder",
        help: "name one with `ledger: { file: PATH }`")
    }
    return path
  }

  /// The place in the state folder; `nil` where there is no such folder.
  package static func usualPath(of plan: PlaylistPlan, in surroundings: Surroundings) -> String? {
    surroundings.stateFolder.map { "\($0)/ledgers/\(plan.id).jsonl" }
  }
}
