import ControlPage
import Dispatch
import ScenarioLanguage
import WebClient
import Workspace

/// Gets the pictures of the control page: files of the playlist's project, and what its addresses lead to.
enum ArtFetcher {
  /// For one picture.
  private static let limit = Duration.seconds(10)
  private static let mostRedirects = 3

  /// - Returns: `nil`: it cannot be had, or is too large.
  static func fetch(_ url: String, in document: String) async -> [UInt8]? {
    url.hasPrefix("file:") ? await file(url, in: document) : await remote(url)
  }

  private static func file(_ url: String, in document: String) async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "showcaller.art", qos: .utility).async {
        let written = String(url.dropFirst("file:".count))
        let path = try? ProjectFiles(of: document, allowing: []).path(of: written, namedIn: document)
        continuation.resume(returning: path.flatMap { try? Files.read($0, limit: ArtShelf.pictureBytes) })
      }
    }
  }

  private static func remote(_ written: String) async -> [UInt8]? {
    guard var url = try? WebURL(parsing: written) else { return nil }
    let start = ContinuousClock.now
    for _ in 0...mostRedirects {
      var request = WebRequest(.get, url, headers: [.init("Accept", "image/*")])
      request.bodyLimit = ArtShelf.pictureBytes
      let left = limit - (ContinuousClock.now - start)
      guard let response = try? await WebClient().send(request, within: left) else { return nil }
      if response.status == 200 { return response.body }
      // Nobody leads us to another server than the playlist names.
      guard [301, 302, 303, 307, 308].contains(response.status), let location = response.headers["location"],
        let next = try? url.resolving(location), next.host == url.host,
        url.scheme == .http || next.scheme == .https
      else { return nil }
      url = next
    }
    return nil
  }
}
