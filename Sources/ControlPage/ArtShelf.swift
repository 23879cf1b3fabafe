package import CastProtocol
import CastTransport
package import Signage
import Synchronization

/// Pictures of what is on, fetched once and kept for a while, under names that nobody can guess.
///
/// Only what a view named can be asked for: the page is no proxy (docs/security.md W7).
package final class ArtShelf: Sendable {
  /// Gets what an address that stands in a document leads to; `nil`: it cannot be had.
  package typealias Fetch = @Sendable (_ url: String, _ document: String) async -> [UInt8]?

  package struct Picture: Hashable, Sendable {
    package var type: String
    package var bytes: [UInt8]

    package init(type: String, bytes: [UInt8]) { (self.type, self.bytes) = (type, bytes) }
  }

  /// Of one picture, and of all.
  package static let pictureBytes = 4 << 20
  static let allBytes = 32 << 20
  /// Addresses that have a name.
  static let mostAddresses = 1_000
  /// Pictures that are fetched at the same time.
  static let mostFetches = 4
  /// How long a picture is kept, and how long one that was not to be had is not asked for again.
  static let age = Duration.seconds(3_600)
  static let patience = Duration.seconds(60)

  private struct Kept {
    var picture: Picture?
    /// When it is too old.
    var end: Duration
    /// When it was asked for last.
    var used: Duration
  }

  private struct State {
    var addresses: [String: ArtAddress] = [:]
    /// The names in the order in which they came.
    var order: [String] = []
    var kept: [String: Kept] = [:]
    var running: [String: Task<Void, Never>] = [:]
  }

  private let salt: String
  private let clock: TimeSource
  private let fetch: Fetch
  private let state = Mutex(State())

  /// - Parameters:
  ///   - salt: A secret: without it nobody can guess a picture's name.
  package init(salt: String, clock: TimeSource, fetch: @escaping Fetch) {
    (self.salt, self.clock, self.fetch) = (salt, clock, fetch)
  }

  /// The path of a picture; from now on it can be asked for.
  package func path(of address: ArtAddress) -> String? {
    guard
      let digest = Digest.sha256(
        Array("art\n\(salt)\n\(address.document)\n\(address.urls.joined(separator: "\n"))".utf8))
    else {
      return nil
    }
    let name = String(digest.prefix(32))
    state.withLock { state in
      guard state.addresses[name] == nil else { return }
      state.addresses[name] = address
      state.order.append(name)
      while state.order.count > Self.mostAddresses {
        let oldest = state.order.removeFirst()
        state.addresses[oldest] = nil
        state.kept[oldest] = nil
      }
    }
    return "/art/\(name)"
  }

  private enum Found {
    case kept(Picture?)
    /// It is being fetched, or so many are that this one waits for another.
    case running(Task<Void, Never>)
  }

  /// A picture by the last part of its path; `nil`: there is none of this name, or it cannot be had.
  package func picture(_ name: String) async -> Picture? {
    // Each round waits for a fetch, which has a limit of its own.
    for _ in 0..<Self.mostAddresses {
      switch look(name) {
      case .kept(let picture): return picture
      case .running(let task): await task.value
      }
    }
    return nil
  }

  private func look(_ name: String) -> Found {
    let now = clock.now
    return state.withLock { state in
      guard let address = state.addresses[name] else { return .kept(nil) }
      if let kept = state.kept[name], now < kept.end {
        state.kept[name]?.used = now
        return .kept(kept.picture)
      }
      if let running = state.running[name] { return .running(running) }
      if state.running.count >= Self.mostFetches, let other = state.running.values.first { return .running(other) }
      let task = clock.spawn { await self.get(address, name) }
      state.running[name] = task
      return .running(task)
    }
  }

  /// The width of a card of the page, in pixels.
  private static let wantedWidth = 480

  /// The first that is large enough, else the largest.
  private func choose(_ address: ArtAddress) async -> Picture? {
    var best: (picture: Picture, width: Int)?
    for url in address.urls {
      guard let bytes = await fetch(url, address.document), bytes.count <= Self.pictureBytes,
        let format = ArtFormat(bytes)
      else { continue }
      let width = format.width(of: bytes) ?? Self.wantedWidth
      if width > best?.width ?? -1 { best = (Picture(type: format.type, bytes: bytes), width) }
      if width >= Self.wantedWidth { break }
    }
    return best?.picture
  }

  private func get(_ address: ArtAddress, _ name: String) async {
    let picture = await choose(address)
    let now = clock.now
    state.withLock { state in
      state.running[name] = nil
      guard state.addresses[name] != nil else { return }
      state.kept[name] = Kept(picture: picture, end: now + (picture == nil ? Self.patience : Self.age), used: now)
      var size = state.kept.values.reduce(0) { $0 + ($1.picture?.bytes.count ?? 0) }
      for (old, kept) in state.kept.sorted(by: { $0.value.used < $1.value.used }) where size > Self.allBytes {
        if old == name { continue }
        state.kept[old] = nil
        size -= kept.picture?.bytes.count ?? 0
      }
    }
  }
}
