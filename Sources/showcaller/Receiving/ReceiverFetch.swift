import ArgumentParser
import CastReceiver
import Preflight
import WebClient

/// Looks at what virtual receivers are to play, within the rules of docs/security.md V3: only hosts that were named, only
/// http(s), no redirect to another host, at most a mebibyte.
struct ReceiverFetch: Sendable {
  private static let byteLimit = 1 << 20
  private static let mostRedirects = 5
  /// How long the head of a file is waited for once its server has said that it is there.
  private static let bodyTime = Duration.seconds(2)

  /// In lower case; `nil`: any.
  private let hosts: Set<String>?
  private let client = WebClient()

  /// - Parameter hosts: Names or addresses; `any` means all.
  init(hosts: [String]) {
    self.hosts = hosts.contains("any") ? nil : Set(hosts.map { $0.lowercased() })
  }

  /// A host as `--fetch` takes it.
  static func host(_ text: String) throws -> String {
    guard let url = try? WebURL(parsing: "http://\(text)/"), url.port == 80, url.host.lowercased() == text.lowercased(),
      !text.contains("*")
    else {
      throw ValidationError("it takes a host without scheme and port, as in `media.example.com`, or `any`")
    }
    return text
  }

  /// - Returns: What came of it, and why it is missing.
  func callAsFunction(_ address: String) async -> (outcome: MediaFetch.Outcome, problem: String?) {
    guard var url = try? WebURL(parsing: address) else { return (.missing, "it is no address of http or https") }
    for _ in 0...Self.mostRedirects {
      guard hosts?.contains(url.host.lowercased()) ?? true else {
        return (.missing, "only what `--fetch` names is fetched; add `--fetch \(url.host)`")
      }
      var request = WebRequest(.get, url, headers: [.init("Range", "bytes=0-\(Self.byteLimit - 1)")])
      request.bodyLimit = Self.byteLimit
      // Live content comes as slowly as it plays.
      (request.cutsBody, request.bodyTime) = (true, Self.bodyTime)
      let response: WebResponse
      do { response = try await client.send(request, within: MediaFetch.limit) } catch {
        return (.missing, error.message)
      }
      switch response.status {
      case 200, 206: return (.found(duration: MediaHead.duration(response.body)), nil)
      case 301, 302, 303, 307, 308:
        guard let location = response.headers["location"], let next = try? url.resolving(location),
          next.host.lowercased() == url.host.lowercased()
        else { return (.missing, "it was answered with a redirect to another host, which is not followed") }
        url = next
      default: return (.missing, "it was answered with \(response.status)")
      }
    }
    return (.missing, "it was answered with more than \(Self.mostRedirects) redirects")
  }
}
