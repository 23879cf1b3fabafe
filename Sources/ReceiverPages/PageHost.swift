package import CastReceiver
import Dispatch
import Synchronization

/// The browser of this process that shows receiver pages, one context each; it starts with the first page.
///
/// ``PageHostStateMachine`` decides; this class performs the effects, one after the other, on a queue of
/// its own, so that no receiver waits for a browser.
package final class PageHost: Sendable {
  package struct Configuration: Sendable {
    package var program: BrowserProgram
    /// `NAME=value`, all that the browser gets besides folders of its own.
    package var environment: [String]
    /// Where profiles are made, for as long as a browser runs.
    package var temporaryFolder: String
    /// Where Google's scripts are kept; `nil`: they are not.
    package var cacheFolder: String?
    /// More words for the browser's command.
    package var arguments: [String] = []

    package init(program: BrowserProgram, environment: [String], temporaryFolder: String, cacheFolder: String?) {
      self.program = program
      self.environment = environment
      self.temporaryFolder = temporaryFolder
      self.cacheFolder = cacheFolder
    }
  }

  /// How long a picture may take.
  private static let pictureTime = DispatchTimeInterval.seconds(5)

  /// The receiver that shows a page.
  private struct Owner {
    let name: String
    let tell: @Sendable (PageReport) -> Void
    let news: @Sendable (PageNews) -> Void
  }

  private struct State {
    var machine = PageHostStateMachine()
    var owners: [String: Owner] = [:]
    /// The page that each receiver shows.
    var shown: [String: String] = [:]
    var process: BrowserProcess?
    var pictures: [Int: CheckedContinuation<[UInt8]?, Never>] = [:]
    var lastPicture = 0
    var isClosed = false
  }

  private let configuration: Configuration
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "showcaller.pages")

  package init(_ configuration: Configuration) { self.configuration = configuration }

  /// Ends every browser of this process at once: it is about to end.
  package static func killAll() { BrowserProcess.killAll() }

  /// What the configuration of a receiver needs to show pages.
  /// - Parameters:
  ///   - name: The receiver's.
  ///   - news: Told what its pages say to their developer, on the host's queue: it must not block.
  package func pages(
    of name: String, news: @escaping @Sendable (PageNews) -> Void
  ) -> @Sendable (PageOrder, _ tell: @escaping @Sendable (PageReport) -> Void) -> Void {
    { [self] order, tell in
      queue.async { [self] in
        if case .start(let id, _, _) = order {
          let isClosed = state.withLock { state in
            state.owners[id] = Owner(name: name, tell: tell, news: news)
            state.shown[name] = id
            return state.isClosed
          }
          if isClosed { return tell(.ended) }
        }
        receive(.order(order))
        if case .stop(let id) = order { forget(id) }
      }
    }
  }

  /// A PNG of what the receiver `name` shows; `nil` where it shows no page, or none could be made within 5 s.
  package func picture(of name: String) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let wanted = state.withLock { state -> (String, Int)? in
          guard let id = state.shown[name], !state.isClosed else { return nil }
          state.lastPicture += 1
          state.pictures[state.lastPicture] = continuation
          return (id, state.lastPicture)
        }
        guard let (id, number) = wanted else { return continuation.resume(returning: nil) }
        receive(.picture(sessionID: id, number: number))
        queue.asyncAfter(deadline: .now() + Self.pictureTime) { [self] in give(nil, number) }
      }
    }
  }

  /// Closes every page and ends the browser.
  package func close() async {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        let process = state.withLock { state in
          state.isClosed = true
          return state.process
        }
        guard let process else { return continuation.resume() }
        // It waits for a process; the queue must go on meanwhile.
        DispatchQueue(label: "showcaller.browser.stop").async {
          process.stop()
          continuation.resume()
        }
      }
    }
  }

  // MARK: effects, all on the queue

  private func receive(_ input: PageHostStateMachine.Input) {
    for effect in state.withLock({ $0.machine.receive(input) }) { perform(effect) }
  }

  private func perform(_ effect: PageHostStateMachine.Effect) {
    switch effect {
    case .startBrowser: startBrowser()
    case .send(let bytes): state.withLock { $0.process }?.write(bytes)
    case .report(let id, let report):
      let owner = state.withLock { $0.owners[id] }
      if report == .ended { forget(id) }
      owner?.tell(report)
    case .news(let id, let news): state.withLock { $0.owners[id] }?.news(news)
    case .picture(let number, let bytes): give(bytes, number)
    case .readCache(let request): receive(.cached(request, cache?.read(request.address)))
    case .writeCache(let address, let bytes): cache?.write(address, bytes)
    }
  }

  private var cache: ScriptCache? { configuration.cacheFolder.map { ScriptCache(folder: $0) } }

  private func forget(_ id: String) {
    state.withLock { state in
      guard let owner = state.owners.removeValue(forKey: id) else { return }
      if state.shown[owner.name] == id { state.shown[owner.name] = nil }
    }
  }

  private func give(_ bytes: [UInt8]?, _ number: Int) {
    state.withLock { $0.pictures.removeValue(forKey: number) }?.resume(returning: bytes)
  }

  private func startBrowser() {
    if state.withLock({ $0.isClosed }) { return receive(.browserEnded("no page can start any more")) }
    let process: BrowserProcess
    do {
      process = try BrowserProcess(
        configuration.program, extra: configuration.arguments, environment: configuration.environment,
        in: configuration.temporaryFolder)
    } catch {
      return receive(.browserEnded(error.message))
    }
    state.withLock { $0.process = process }
    let decoder = Mutex(DevToolsDecoder())
    process.start(
      read: { [self] bytes in
        guard let messages = try? decoder.withLock({ try $0.receive(bytes) }) else { return false }
        // Waiting here is what slows down a browser that tells too much.
        queue.sync {
          for bytes in messages { if let message = DevToolsMessage(parsing: bytes) { receive(.message(message)) } }
        }
        return true
      },
      ended: { [self] reason in
        queue.async { [self] in
          state.withLock { if $0.process === process { $0.process = nil } }
          receive(.browserEnded(reason))
        }
      })
    receive(.browserStarted)
  }
}
