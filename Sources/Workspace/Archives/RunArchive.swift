import ScenarioLanguage

/// The archive that a run was exported to, where a document is wanted.
package enum RunArchive {
  /// Refuses a file that is an archive: as text it would be one long list of control characters.
  /// - Throws: What such a file is for.
  package static func refuse(_ path: String) throws(WorkspaceError) {
    guard path != "-", ZipArchive.isOne(path) else { return }
    throw WorkspaceError(
      .commandLineWrong, "\(path) is an archive of a run, no document",
      help:
        "`showcaller report \(ShellWord.quoted(path))` tells what came of it, `--last-failed` runs what did not pass")
  }
}
