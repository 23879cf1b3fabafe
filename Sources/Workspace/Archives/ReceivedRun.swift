import RunReporting

/// A run that another computer did, and sent as the archive that `run export` makes.
package enum ReceivedRun {
  private static let mode: UInt32 = 0o600

  /// Puts it among the runs of this computer, with all that a run's folder has and nothing else; one that is there already
  /// stays as it is.
  /// - Parameter run: Its id.
  /// - Throws: Where it is no archive of that run, or cannot be written.
  package static func store(
    _ archive: [UInt8], run: String, in runs: String, surroundings: Surroundings
  ) throws(WorkspaceError) -> StoredRun {
    guard RunID.isOne(run) else { throw WorkspaceError(.documentInvalid, "`\(run)` is no id of a run") }
    let folder = "\(runs)/\(run)"
    // Hidden until it is whole, as a folder of a run is one that others read.
    let scratch = "\(runs)/.received-\(run)"
    do throws(FileError) {
      try Files.makeFolders(scratch)
      try Files.replace(archive, at: "\(scratch)/archive.zip", mode: mode)
    } catch {
      throw WorkspaceError(writing: scratch, error)
    }
    defer { RunFolders.discard(scratch) }
    if Files.kind(of: folder) == nil {
      let unpacked = "\(scratch)/\(run)"
      try unpack("\(scratch)/archive.zip", of: run, to: unpacked)
      do throws(FileError) {
        try Files.move(unpacked, to: folder)
      } catch {
        throw WorkspaceError(writing: folder, error)
      }
    }
    let stored = try StoredRun(run, in: runs, surroundings: surroundings)
    try RunHistory(in: runs).add(stored)
    return stored
  }

  private static func unpack(_ path: String, of run: String, to folder: String) throws(WorkspaceError) {
    let archive: ZipArchive
    do throws(ZipArchive.Problem) {
      archive = try ZipArchive(path)
    } catch {
      throw WorkspaceError(.documentInvalid, "what came of run \(run) cannot be read: \(error.text)")
    }
    var outcome = StoredOutcome()
    var reader = StoredEventReader()
    for name in archive.names {
      let parts = name.split(separator: "/").map(String.init)
      guard let first = parts.first, RunFolders.belongs(first), parts.count <= 4 else { continue }
      var content: [UInt8] = []
      do throws(ZipArchive.Problem) {
        content = try archive.contents(of: name, limit: ZipWriter.byteLimit)
      } catch {
        throw WorkspaceError(.documentInvalid, "what came of run \(run) cannot be read: \(error.text)")
      }
      if name == RunFiles.eventsName { reader.read(content[...]) { outcome.record($0) } }
      do throws(FileError) {
        try Files.makeFolders(Files.folder(of: "\(folder)/\(name)"))
        try Files.store(content, at: "\(folder)/\(name)", mode: mode)
      } catch {
        throw WorkspaceError(writing: "\(folder)/\(name)", error)
      }
    }
    guard outcome.run == run else {
      throw WorkspaceError(.documentInvalid, "what came of run \(run) is another run: `\(outcome.run)`")
    }
  }
}
