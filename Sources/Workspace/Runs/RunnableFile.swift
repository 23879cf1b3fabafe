import CastProtocol
import Dispatch
import ScenarioLanguage
import Synchronization

/// The file with a run's plans as values. It is made while the run begins: the first use of a synthesised encoder takes as
/// long as connecting. A run that is killed meanwhile has no such file, never a part of one.
final class RunnableFile: Sendable {
  private let path: String
  private let failure = Mutex<String?>(nil)
  private let work = DispatchGroup()

  /// Begins to make the file.
  init(_ document: RunnableDocument, at path: String) {
    self.path = path
    DispatchQueue.global().async(group: work) { self.store(document) }
  }

  private func store(_ document: RunnableDocument) {
    do {
      let json = try StoredDocuments.json(of: [document])
      try Files.replace(Array((json.serialized() + "\n").utf8), at: path, mode: 0o600, isDurable: false)
    } catch {
      let text = (error as? FileError)?.message ?? "\(error)"
      failure.withLock { $0 = "cannot write \(path): \(text)" }
    }
  }

  /// Waits for it, at most until `deadline`.
  /// - Returns: Why it is not whole, or `nil`.
  func finish(until deadline: DispatchTime) -> String? {
    guard work.wait(timeout: deadline) == .success else { return "cannot write \(path): the disk is too slow" }
    return failure.withLock { $0 }
  }
}
