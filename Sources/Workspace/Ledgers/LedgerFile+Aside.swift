import Glibc

extension LedgerFile {
  /// Puts all files of a ledger that cannot be gone on with into a folder beside it, under their own names: nothing of a
  /// proof is ever deleted.
  /// - Parameter mark: What tells this folder from those of other times.
  /// - Returns: The folder.
  package static func putAside(_ path: String, _ format: Format, mark: String) throws(WorkspaceError) -> String {
    let folder = Files.folder(of: path)
    do throws(FileError) {
      guard let names = OpenFolder(folder)?.names else { throw FileError.system(EACCES) }
      let aside = try newFolder("\(path).damaged-\(mark)")
      // The newest, which is what is damaged, goes last: ended in the middle of it, this is begun again.
      for name in format.files(names).flatMap({ $0.reversed() }) {
        for ending in ["", ".sig"] where Files.kind(of: "\(folder)/\(name)\(ending)") != nil {
          guard rename("\(folder)/\(name)\(ending)", "\(aside)/\(name)\(ending)") == 0 else { throw .last }
        }
      }
      return aside
    } catch {
      throw WorkspaceError(
        .notWritten, "the damaged ledger \(path) cannot be put aside: \(error.message)",
        help: "move its files away: a new ledger begins")
    }
  }

  private static func newFolder(_ wanted: String) throws(FileError) -> String {
    for number in 1...100 {
      let path = number == 1 ? wanted : "\(wanted)-\(number)"
      if mkdir(path, 0o700) == 0 { return path }
      guard errno == EEXIST else { throw .last }
    }
    throw .system(EEXIST)
  }
}
