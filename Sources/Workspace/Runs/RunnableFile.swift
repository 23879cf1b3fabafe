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
  /// Our own part of the work, and when it was done: the disk's time begins there.
  private let encoding = DispatchGroup()
  private let encoded = Mutex(DispatchTime.now())
  private let encode: @Sendable (RunnableDocument) throws -> JSONValue

  /// Begins to make the file.
  /// - Parameter encode: Makes what stands in it.
  init(
    _ document: RunnableDocument, at path: String,
    encode: @escaping @Sendable (RunnableDocument) throws -> JSONValue = { try StoredDocuments.json(of: [$0]) }
  ) {
    self.path = path
    self.encode = encode
    encoding.enter()
    DispatchQueue.global().async(group: work) { self.store(document) }
  }

  private func store(_ document: RunnableDocument) {
    do {
      try Files.replace(try bytes(of: document), at: path, mode: 0o600, isDurable: false)
    } catch {
      let text = (error as? FileError)?.message ?? "\(error)"
      failure.withLock { $0 = "cannot write \(path): \(text)" }
    }
  }

  private func bytes(of document: RunnableDocument) throws -> [UInt8] {
    defer {
      encoded.withLock { $0 = .now() }
      encoding.leave()
    }
    return Array((try encode(document).serialized() + "\n").utf8)
  }

  /// Waits for it: for our own part as long as it may take, for the disk at most until `deadline`, or five seconds from
  /// when there was something to write.
  /// - Parameter encodingLimit: How long our own part may take from now on. Plans may be very large.
  /// - Returns: Why it is not whole, or `nil`.
  func finish(until deadline: DispatchTime, encodingLimit: DispatchTimeInterval = .seconds(120)) -> String? {
    guard encoding.wait(timeout: .now() + encodingLimit) == .success else {
      return "cannot write \(path): the plans are too large to be put into words in time"
    }
    let diskDeadline = max(deadline, encoded.withLock { $0 } + .seconds(5))
    guard work.wait(timeout: diskDeadline) == .success else { return "cannot write \(path): the disk is too slow" }
    return failure.withLock { $0 }
  }
}
