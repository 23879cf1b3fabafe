package import CastProtocol
package import RunReporting
import ScenarioLanguage

/// How files of this computer come to devices: each gets an address that one device can fetch.
package struct LocalMedia: Sendable {
  /// Stands for a picture that is black all over, which is made where it is served.
  package static let black = "showcaller:black.png"

  /// Something that this computer serves.
  package struct Content: Hashable, Sendable {
    /// A `file:` address of the document, or ``black``.
    package var url: String
    /// Of subtitles: as the document names the encoding of the file, and the language.
    package var encoding, language: String?

    package init(_ url: String) { self.url = url }
  }

  /// What came of an address so far.
  package struct Fetches: Hashable, Sendable {
    /// How often the device has asked for it.
    package var count = 0
    /// How often somebody was turned away who asked for it.
    package var refused = 0
    /// The last of these, such as `a request for it came from 192.0.2.7, which is not the device's address`.
    package var refusal: String?

    package init(count: Int = 0, refused: Int = 0, refusal: String? = nil) {
      (self.count, self.refused, self.refusal) = (count, refused, refusal)
    }
  }

  /// What a content becomes for the device at `host`.
  package var address: @Sendable (_ content: Content, _ host: String) async throws(StepFailure) -> String
  /// What came of such an address, as far as the device at `host` asked.
  package var fetches: @Sendable (_ address: String, _ host: String) async -> Fetches

  package init(
    address: @escaping @Sendable (Content, String) async throws(StepFailure) -> String,
    fetches: @escaping @Sendable (String, String) async -> Fetches
  ) {
    self.address = address
    self.fetches = fetches
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
      guard let track = result.tracks?[index], let url = track.trackContentID else { continue }
      var content = LocalMedia.Content(url)
      (content.encoding, content.language) = (track.charset, track.language)
      result.tracks?[index].trackContentID = try await served(content)
      // What the file is in says nothing about what is served.
      if LocalMedia.serves(url) { result.tracks?[index].trackContentType = track.plainType }
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

  private func served(_ url: String) async throws(StepFailure) -> String { try await served(LocalMedia.Content(url)) }

  private func served(_ content: LocalMedia.Content) async throws(StepFailure) -> String {
    guard LocalMedia.serves(content.url), let localMedia = access.localMedia, let host = device?.address.host else {
      return content.url
    }
    let address = try await localMedia.address(content, host)
    // From here on the device may ask: what was asked for before is of no account.
    noteServed(content.url, as: address, after: await localMedia.fetches(address, host))
    return address
  }

  /// Learns under which address the device knows a content, without loading it: an earlier process may have.
  package func learnAddress(of content: String) async { _ = try? await served(secrets.revealed(content)) }

  /// Does what has the device fetch media; where it fails and the device did not ask for a file of ours since, that is why.
  /// - Parameter tracks: What it has to fetch are these tracks; `nil`: the media themselves.
  package func fetching<T>(
    _ media: MediaInformation?, tracks: [Int]? = nil, _ body: () async throws(StepFailure) -> T
  ) async throws(StepFailure) -> T {
    do throws(StepFailure) {
      return try await body()
    } catch {
      let addresses: [String?] =
        if let tracks {
          (media?.tracks ?? []).filter { tracks.contains($0.trackID) }.map(\.trackContentID)
        } else {
          [media?.contentID, media?.contentURL]
        }
      throw await explaining(error, addresses.compactMap(\.self))
    }
  }

  private func explaining(_ failure: StepFailure, _ addresses: [String]) async -> StepFailure {
    guard failure.errorClass == .loadFailed || failure.errorClass == .timeout, let localMedia = access.localMedia,
      let host = device?.address.host
    else { return failure }
    for address in addresses {
      guard let before = fetchesBefore(loading: address) else { continue }
      let now = await localMedia.fetches(address, host)
      guard now.count <= before.count else { continue }
      var failure = failure
      failure.message += "; the device never fetched \(address)"
      failure.help =
        "a firewall on this computer, or a network that keeps its members apart, is the likely cause: "
        + "open the address from another computer, or put the file on a web server"
      if now.refused > before.refused, let refusal = now.refusal {
        failure.message += "; \(refusal)"
        failure.help =
          "something between this computer and the device, such as a router or a proxy, asks in its place: "
          + "have both in one network, or put the file on a web server"
      }
      return failure
    }
    return failure
  }
}

extension MediaInformation.Track {
  /// Its type without parameters.
  fileprivate var plainType: String? {
    trackContentType.map { String($0.prefix { $0 != ";" }.reversed().drop { $0 == " " }.reversed()) }
  }

  /// `charset` of its type (RFC 2046 4.1.2).
  fileprivate var charset: String? {
    for parameter in (trackContentType ?? "").split(separator: ";").dropFirst() {
      let halves = parameter.split(separator: "=", maxSplits: 1).map { $0.filter { !" \"".contains($0) } }
      if halves.count == 2, halves[0].lowercased() == "charset" { return halves[1] }
    }
    return nil
  }
}
