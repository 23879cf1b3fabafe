import Glibc

/// The control sockets of virtual receivers, one for each process that has some: in `$XDG_RUNTIME_DIR/showcaller/receivers`,
/// else in `$XDG_STATE_HOME/showcaller/receivers` (docs/security.md V6).
///
/// A name is drawn and never used again: process ids are the same in several containers, which may share the folder. A
/// socket has it only once somebody listens, so that one nobody listens at is dead, whoever looks.
///
/// The folder is its owner's alone. Paths lead through its descriptor: they stay short, whatever it is called, and nobody
/// can put another folder in its place meanwhile.
package final class ControlSockets: Sendable {
  /// One that is there, whether or not somebody still listens.
  package struct Place: Hashable, Sendable {
    /// For the system: only as long as its ``ControlSockets`` lives.
    package let path: String
    /// For people.
    package let name: String
    fileprivate let file: String
  }

  private static let ending = ".sock"
  /// More processes than this are not looked at.
  private static let limit = 1000

  private let folder: OpenFile
  private let name: String

  private init(_ folder: consuming OpenFile, name: String) {
    self.folder = folder
    self.name = name
  }

  /// The folder for a new socket, made where it is not there.
  package static func make(in surroundings: Surroundings) throws(WorkspaceError) -> ControlSockets {
    guard let path = folders(surroundings).first else {
      throw WorkspaceError(
        .notWritten,
        "there is no place for a control socket: neither XDG_RUNTIME_DIR, XDG_STATE_HOME nor HOME names a folder")
    }
    do throws(FileError) {
      try Files.makeFolders(path)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
    guard let sockets = try open(path) else { throw WorkspaceError(writing: path, .last) }
    return sockets
  }

  /// Those folders that are there.
  /// - Throws: For one that others may write in: what listens there may be anybody's.
  package static func existing(in surroundings: Surroundings) throws(WorkspaceError) -> [ControlSockets] {
    var found: [ControlSockets] = []
    for path in folders(surroundings) {
      if let sockets = try open(path) { found.append(sockets) }
    }
    return found
  }

  private static func folders(_ surroundings: Surroundings) -> [String] {
    [surroundings.runtimeFolder, surroundings.stateFolder].compactMap { $0.map { $0 + "/receivers" } }
  }

  private static func open(_ path: String) throws(WorkspaceError) -> ControlSockets? {
    do throws(FileError) {
      let folder = try Files.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
      let status = try folder.status()
      if status.st_uid == geteuid(), status.st_mode & 0o077 == 0 { return ControlSockets(folder, name: path) }
    } catch {
      if error.code == ENOENT { return nil }
      throw WorkspaceError(.notReadable, "cannot read \(path): \(error.message)")
    }
    throw WorkspaceError(
      .notWritten, "\(path) is open to others, who could listen in it",
      help: "make it your own: `chmod 700 \(path)`, or remove it")
  }

  /// Where this process may listen before others look for it there, and what it is called from then on.
  /// - Parameter number: Drawn by chance.
  package func ownPlaces(_ number: UInt64) -> (hidden: Place, shown: Place) {
    let own = "\(getpid())-\(String(number, radix: 16))"
    return (place(".\(own)"), place(own + Self.ending))
  }

  /// Those that are there, the oldest first.
  package var places: [Place] {
    let names = (OpenFolder(name)?.names ?? []).filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
    let dated = names.compactMap { file in
      var status = stat()
      guard fstatat(folder.descriptor, file, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return (Int, Int, String)?.none }
      return (status.st_mtim.tv_sec, status.st_mtim.tv_nsec, file)
    }
    return dated.sorted(by: <).prefix(Self.limit).map { place($0.2) }
  }

  private func place(_ file: String) -> Place {
    Place(path: "/proc/self/fd/\(folder.descriptor)/\(file)", name: "\(name)/\(file)", file: file)
  }

  /// Lets only the owner write to a socket, which the folder has kept others from until then, and shows it to who looks.
  package func show(_ hidden: Place, as shown: Place) throws(WorkspaceError) {
    guard fchmodat(folder.descriptor, hidden.file, 0o600, 0) == 0,
      renameat(folder.descriptor, hidden.file, folder.descriptor, shown.file) == 0
    else { throw WorkspaceError(writing: shown.name, .last) }
  }

  /// Takes away one that nobody listens at: no other will have its name.
  package func remove(_ place: Place) { _ = unlinkat(folder.descriptor, place.file, 0) }
}
