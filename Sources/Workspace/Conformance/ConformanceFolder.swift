package import Conformance

/// A folder with the documents of a suite, and what they play beside them.
package struct ConformanceFolder: Sendable {
  package let path: String
  /// `nil`: somebody named it, and it stays.
  private let scratch: ScratchFolder?

  /// Makes one for as long as it is needed, in the folder for temporary files.
  /// - Throws: Where it cannot be written.
  package static func temporary(
    _ checks: [ConformanceCheck], in surroundings: Surroundings
  ) throws(WorkspaceError) -> ConformanceFolder {
    var parent = surroundings.environment["TMPDIR"] ?? ""
    if !parent.hasPrefix("/") { parent = "/tmp" }
    let scratch: ScratchFolder
    do throws(FileError) {
      scratch = try ScratchFolder("showcaller-conform-", in: parent)
    } catch {
      throw WorkspaceError(writing: parent, error)
    }
    let folder = ConformanceFolder(path: scratch.path, scratch: scratch)
    do {
      try folder.write(checks, replacing: true)
    } catch {
      folder.remove()
      throw error
    }
    return folder
  }

  /// Makes the folder that somebody names, for documents that are run and changed by hand.
  /// - Throws: Where it cannot be written, or has one of the files.
  package static func exported(
    to path: String, _ checks: [ConformanceCheck]
  ) throws(WorkspaceError) -> ConformanceFolder {
    do throws(FileError) {
      try Files.makeFolders(path, mode: 0o777)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
    let folder = ConformanceFolder(path: path, scratch: nil)
    try folder.write(checks, replacing: false)
    return folder
  }

  private func write(_ checks: [ConformanceCheck], replacing: Bool) throws(WorkspaceError) {
    let files =
      checks.map { ($0.fileName, Array($0.text.utf8)) } + [
        (TestTone.fileName, TestTone.wave), (TestTone.subtitlesName, TestTone.subtitles),
      ]
    if !replacing {
      for (name, _) in files where Files.kind(of: "\(path)/\(name)") != nil {
        throw WorkspaceError(
          .commandLineWrong, "\(path)/\(name) is there already", help: "name another folder, so that nothing is lost")
      }
    }
    for (name, bytes) in files {
      do throws(FileError) {
        try Files.store(bytes, at: "\(path)/\(name)", mode: 0o666)
      } catch {
        throw WorkspaceError(writing: "\(path)/\(name)", error)
      }
    }
  }

  /// Removes a temporary one.
  package func remove() { scratch?.remove() }
}
