import CastProtocol
import Glibc

/// The documents that a fleet gave to a site: `fleet/SITE/documents/ID/`, with the files of an edition in a folder of their
/// own, and `current.json`, which says which one is on. A site serves them without any broker.
///
/// What is on changes with one rename: whoever is killed at any moment finds the edition before it, or the new one.
package final class FleetDocumentStore: Sendable {
  /// A document as it was given.
  package struct Document: Sendable {
    package var id: String
    package var edition: Int
    /// What tells its files from those of others.
    package var digest: String
    /// The document first, then what it includes: paths below its folder.
    package var files: [(name: String, text: String)]

    package init(id: String, edition: Int, digest: String, files: [(name: String, text: String)]) {
      (self.id, self.edition, self.digest, self.files) = (id, edition, digest, files)
    }
  }

  /// An edition that is on the disk, and on or not.
  package struct Edition: Hashable, Sendable {
    package var number: Int
    package var digest: String
    /// The folder of its files, and the path of the document in it.
    package var folder: String
    package var path: String
  }

  /// What became of the last edition that was given.
  package enum Fate: String, Hashable, Sendable { case on, refused, removed }

  /// What is kept of a document.
  package struct Kept: Hashable, Sendable {
    package var id: String
    /// The highest edition that was ever given, and what became of it: no older one comes back.
    package var highest: Int
    package var fate: Fate
    /// `nil`: none was valid yet, it was taken off, or is damaged.
    package var on: Edition?

    package init(id: String, highest: Int, fate: Fate, on: Edition? = nil) {
      (self.id, self.highest, self.fate, self.on) = (id, highest, fate, on)
    }
  }

  /// An edition whose files are written, and which is not on yet.
  package struct Staged: Sendable {
    package var id: String
    package var edition: Edition
    /// Whether it was not there before.
    let isNew: Bool
  }

  /// Larger files are none of ours.
  static let noteLimit = 1 << 20
  static let pointerName = "current.json"

  /// Where the site's documents are.
  let folder: String
  /// Held as long as the process lives: two of one site would take turns with each other's documents.
  private let lock: Int32?

  /// Opens that of a site.
  /// - Parameters:
  ///   - site: Its name.
  ///   - state: The folder of what outlives a process.
  /// - Throws: Where another process of this computer is this site.
  package init(site: String, in state: String) throws(WorkspaceError) {
    let own = "\(state)/fleet/\(Files.uniqueName(site))"
    folder = "\(own)/documents"
    // Where nothing can be written, what is kept is served all the same; what comes is refused then.
    try? Files.makeFolders(folder)
    lock = try? Files.open("\(own)/lock", O_RDWR | O_CREAT, mode: 0o600).release()
    // A file system that knows no locks keeps nobody out.
    let isOurs = lock.map { descriptor in (try? Descriptor.lock(descriptor, .exclusive)) ?? true } ?? true
    if !isOurs {
      throw WorkspaceError(
        .busy, "another `showcaller serve` of this computer is the site `\(site)`",
        help: "end it, or give this one a name of its own: `--site \(site)-2`")
    }
  }

  deinit {
    if let lock { close(lock) }
  }

  // MARK: taking

  /// Writes the files of an edition beside what is on.
  package func stage(_ document: Document) throws(WorkspaceError) -> Staged {
    guard let first = document.files.first else { throw WorkspaceError(.documentUnfit, "the document has no files") }
    for file in document.files where file.name.split(separator: "/").contains(where: { $0.hasPrefix(".") }) {
      throw WorkspaceError(.documentUnfit, "`\(file.name)` is hidden: its name begins with a dot")
    }
    let name = "\(document.edition)-\(Files.uniqueName(String(document.digest.prefix(16))))"
    let home = home(of: document.id)
    let edition = Edition(
      number: document.edition, digest: document.digest, folder: "\(home)/\(name)",
      path: "\(home)/\(name)/\(first.name)")
    if let known = self.edition(name, of: document.id), known == edition {
      return Staged(id: document.id, edition: edition, isNew: false)
    }
    // What was left by a process that was killed, or is damaged.
    remove(name, of: document.id)
    do throws(FileError) {
      try Files.makeFolders(edition.folder)
      try Files.create([], at: "\(edition.folder)/\(ProjectFiles.mark)", mode: 0o600)
      for file in document.files {
        let path = "\(edition.folder)/\(file.name)"
        try Files.makeFolders(Files.folder(of: path))
        try Files.create(Array(file.text.utf8), at: path, mode: 0o600)
      }
      try Files.replace(Note(document).bytes, at: "\(home)/\(name).json", mode: 0o600)
      try sync(edition.folder)
    } catch {
      remove(name, of: document.id)
      throw Self.cannotKeep(error)
    }
    return Staged(id: document.id, edition: edition, isNew: true)
  }

  /// Removes what was staged and is not to be on.
  package func discard(_ staged: Staged) {
    if staged.isNew { remove(staged.edition.name, of: staged.id) }
  }

  /// Makes a staged edition the one that is on; the one before it stays on the disk, older ones go.
  package func keep(_ staged: Staged) throws(WorkspaceError) {
    let old = pointer(of: staged.id)
    let before = old?.on == staged.edition.name ? old?.before : old?.on
    let pointer = Pointer(
      id: staged.id, highest: max(staged.edition.number, old?.highest ?? 0), fate: .on, on: staged.edition.name,
      before: before)
    try write(pointer)
    sweep(pointer)
  }

  /// Takes a document off, for good: its number stays.
  package func remove(_ id: String, edition: Int) throws(WorkspaceError) {
    let pointer = Pointer(
      id: id, highest: max(edition, pointer(of: id)?.highest ?? 0), fate: .removed, on: nil, before: nil)
    try write(pointer)
    sweep(pointer)
  }

  /// The edition that was on before the one that is; `nil`: there is none, or it is damaged.
  package func before(_ id: String) -> Edition? { pointer(of: id)?.before.flatMap { edition($0, of: id) } }

  /// Makes the edition before the one that is on the one that is on again.
  /// - Parameter edition: Of the message that asks for it: no older one counts any more.
  package func goBack(_ id: String, edition: Int) throws(WorkspaceError) {
    guard let old = pointer(of: id), let before = old.before else {
      throw WorkspaceError(.notReadable, "the edition before is not there")
    }
    let pointer = Pointer(id: id, highest: max(edition, old.highest), fate: .on, on: before, before: nil)
    try write(pointer)
    sweep(pointer)
  }

  /// Keeps that what is on stays on by a later message.
  package func confirm(_ id: String, edition: Int) throws(WorkspaceError) {
    guard let old = pointer(of: id) else { return }
    try write(Pointer(id: id, highest: max(edition, old.highest), fate: .on, on: old.on, before: old.before))
  }

  /// Keeps that an edition was given and is not on.
  package func refuse(_ id: String, edition: Int) throws(WorkspaceError) {
    let old = pointer(of: id)
    let highest = max(edition, old?.highest ?? 0)
    try write(Pointer(id: id, highest: highest, fate: .refused, on: old?.on, before: old?.before))
  }

  func write(_ pointer: Pointer) throws(WorkspaceError) {
    let home = home(of: pointer.id)
    do throws(FileError) {
      try Files.makeFolders(home)
      try Files.replace(pointer.bytes, at: "\(home)/\(Self.pointerName)", mode: 0o600)
      try sync(home)
    } catch { throw Self.cannotKeep(error) }
  }

  private static func cannotKeep(_ error: FileError) -> WorkspaceError {
    WorkspaceError(.notWritten, "the site cannot keep the document: \(error.message)")
  }

  /// What was made in a folder is there after a power cut.
  private func sync(_ folder: String) throws(FileError) {
    let folder = try Files.open(folder, O_RDONLY | O_DIRECTORY)
    // Some file systems cannot, and need not.
    guard fsync(folder.descriptor) == 0 || errno == EINVAL else { throw .last }
  }

  // MARK: places

  func home(of id: String) -> String { "\(folder)/\(Files.uniqueName(id))" }

  func pointer(of id: String) -> Pointer? {
    (try? Files.read("\(home(of: id))/\(Self.pointerName)", limit: Self.noteLimit, followsLink: false))
      .flatMap { Pointer($0) }
  }

  /// Removes what a pointer does not lead to.
  func sweep(_ pointer: Pointer) {
    let kept = Set(
      [pointer.on, pointer.before].compactMap(\.self).flatMap { [$0, "\($0).json"] } + [Self.pointerName])
    guard let home = OpenFolder(home(of: pointer.id)) else { return }
    for name in home.names where !kept.contains(name) { home.removeTree(name) }
  }

  private func remove(_ name: String, of id: String) {
    guard let home = OpenFolder(home(of: id)) else { return }
    home.removeTree("\(name).json")
    home.removeTree(name)
  }
}

extension FleetDocumentStore.Edition {
  /// Its folder's name.
  fileprivate var name: String { folder.split(separator: "/").last.map(String.init) ?? "" }
}

extension OpenFolder {
  /// Removes what stands under a name, with all that is in it; links are not followed.
  func removeTree(_ name: String) {
    if let folder = folder(name) {
      for inner in folder.names { folder.removeTree(inner) }
    }
    remove(name, isFolder: false)
    remove(name, isFolder: true)
  }
}
