import CastReceiver
import Preflight
import WebClient

/// Looks at what virtual receivers are to play, within the rules of docs/security.md V3: only hosts that were named, only
/// http(s), no redirect to another host, at most a mebibyte.
struct ReceiverFetch: Sendable {
  private static let byteLimit = 1 << 20
  private static let mostRedirects = 5

  /// In lower case; `nil`: any.
  private let hosts: Set<String>?
  private let client = WebClient()

  /// - Parameter hosts: Names or addresses; `any` means all.
  init(hosts: [String]) {
    self.hosts = hosts.contains("any") ? nil : Set(hosts.map { $0.lowercased() })
  }

  func callAsFunction(_ address: String) async -> MediaFetch.Outcome {
    guard var url = try? WebURL(parsing: address) else { return .missing }
    for _ in 0...Self.mostRedirects {
      guard hosts?.contains(url.host.lowercased()) ?? true else { return .missing }
      var request = WebRequest(.get, url, headers: [.init("Range", "bytes=0-\(Self.byteLimit - 1)")])
      request.bodyLimit = Self.byteLimit
      request.cutsBody = true
      guard let response = try? await client.send(request, within: MediaFetch.limit) else { return .missing }
      switch response.status {
      case 200, 206: return .found(duration: MediaHead.duration(response.body))
      case 301, 302, 303, 307, 308:
        guard let location = response.headers["location"], let next = try? url.resolving(location),
          next.host.lowercased() == url.host.lowercased()
        else { return .missing }
        url = next
      default: return .missing
      }
    }
    return .missing
  }
}
