import CastProtocol
import Dispatch
import ScenarioLanguage
import Synchronization

/// The file with a run's plans as values, made beside the run: what a compiler-made encoder does for the first time takes
/// as long as connecting to a device.
final class RunnableFile: Sendable {
  private let path: String
  private let failure = Mutex<String?>(nil)
  private let work = DispatchGroup()

  /// Makes the file, and begins to fill it.
  /// - Throws: Where it cannot be made.
  init(_ document: RunnableDocument, at path: String) throws(WorkspaceError) {
    self.path = path
    try store([])
    DispatchQueue.global().async(group: work) { self.fill(with: document) }
  }

  private func fill(with document: RunnableDocument) {
    do {
      let json = try StoredDocuments.json(of: [document])
      try store(Array((json.serialized() + "\n").utf8))
    } catch {
      let text = (error as? WorkspaceError)?.message ?? "cannot write \(path): \(error)"
      failure.withLock { $0 = text }
    }
  }

  private func store(_ bytes: [UInt8]) throws(WorkspaceError) {
    do throws(FileError) {
      try Files.store(bytes, at: path, mode: 0o600)
    } catch {
      throw WorkspaceError(writing: path, error)
    }
  }

  /// Waits for it, at most until `deadline`.
  /// - Returns: Why it is not whole, or `nil`.
  func finish(until deadline: DispatchTime) -> String? {
    guard work.wait(timeout: deadline) == .success else { return "cannot write \(path): the disk is too slow" }
    return failure.withLock { $0 }
  }
}
