package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// How files of this computer come to devices: each gets an address that one device can fetch.
package struct LocalMedia: Sendable {
  /// Stands for a picture that is black all over, which is made where it is served.
  package static let black = "showcaller:black.png"

  /// What a `file:` address of the document, or ``black``, becomes for the device at `host`.
  package var address: @Sendable (_ url: String, _ host: String) async throws(StepFailure) -> String
  /// Whether anybody has asked for what such an address stands for.
  package var wasFetched: @Sendable (_ address: String) async -> Bool

  package init(
    address: @escaping @Sendable (String, String) async throws(StepFailure) -> String,
    wasFetched: @escaping @Sendable (String) async -> Bool
  ) {
    self.address = address
    self.wasFetched = wasFetched
  }

  /// Whether an address stands for something that this computer serves.
  package static func serves(_ url: String) -> Bool { url == black || url.lowercased().hasPrefix("file:") }
}

extension DeviceSession {
  /// The same request, with addresses that the device can fetch in place of files of this computer.
  func served(_ request: LoadRequest) async throws(StepFailure) -> LoadRequest {
    var result = request
    result.media = try await served(request.media)
    return result
  }

  /// The same media, with addresses that the device can fetch.
  func served(_ media: MediaInformation) async throws(StepFailure) -> MediaInformation {
    var result = media
    result.contentID = try await served(media.contentID)
    if let url = media.contentURL { result.contentURL = try await served(url) }
    for index in result.tracks?.indices ?? 0..<0 {
      if let url = result.tracks?[index].trackContentID {
        result.tracks?[index].trackContentID = try await served(url)
      }
    }
    for index in result.breakClips?.indices ?? 0..<0 {
      if let url = result.breakClips?[index].contentID { result.breakClips?[index].contentID = try await served(url) }
      if let url = result.breakClips?[index].contentURL { result.breakClips?[index].contentURL = try await served(url) }
    }
    if case .array(var images)? = media.metadata?["images"] {
      for index in images.indices {
        guard case .object(var image) = images[index], let url = image["url"]?.string else { continue }
        image["url"] = .string(try await served(url))
        images[index] = .object(image)
      }
      result.metadata?["images"] = .array(images)
    }
    return result
  }

  private func served(_ url: String) async throws(StepFailure) -> String {
    guard LocalMedia.serves(url), let localMedia = access.localMedia, let host = device?.address.host else {
      return url
    }
    let address = try await localMedia.address(url, host)
    noteServed(url, as: address)
    return address
  }

  /// Learns under which address the device knows a content, without loading it: an earlier process may have.
  package func learnAddress(of content: String) async { _ = try? await served(secrets.revealed(content)) }

  /// A load failed: where the device never asked for a file of ours, that is why.
  package func explaining(_ failure: StepFailure, of media: MediaInformation) async -> StepFailure {
    guard failure.errorClass == .loadFailed || failure.errorClass == .timeout, let localMedia = access.localMedia,
      isServed(media.contentID), await !localMedia.wasFetched(media.contentID)
    else { return failure }
    var failure = failure
    failure.message += "; the device never fetched \(media.contentID)"
    failure.help =
      "a firewall on this computer, or a network that keeps its members apart, is the likely cause: "
      + "open the address from another computer, or put the file on a web server"
    return failure
  }
}
