import CastProtocol
import RunReporting
import ScenarioLanguage
import WebClient

/// The web as a served playlist asks it: who asks has addresses as the playlist writes them. The values of secrets are put
/// in here, and nothing that is answered about an address has them.
struct SecretWeb: Sendable {
  private let secrets: Secrets

  init(_ secrets: Secrets) { self.secrets = secrets }

  /// A place on the web. Only this type knows where it is; what can be told of it has the names of secrets.
  struct Place: Sendable {
    fileprivate var url: WebURL
    /// As the playlist writes the server, where a secret says which it is.
    fileprivate var hiddenServer: String?

    /// Scheme, host and port, for people.
    var origin: String { hiddenServer ?? url.origin }
    /// Host and port, for people.
    var authority: String { hiddenServer ?? url.authority }
    var isSecure: Bool { url.scheme == .https }
  }

  /// The place of an address of the playlist.
  func place(_ written: String) throws(WebError) -> Place {
    guard SecretPlaceholder.occurs(in: written) else { return Place(url: try WebURL(parsing: written)) }
    let text: String
    do throws(StepFailure) { text = try secrets.revealed(written) } catch {
      throw WebError(.addressInvalid, error.message, help: error.help)
    }
    // What is wrong is not told: it would quote the address, perhaps half of a value.
    guard let url = try? WebURL(parsing: text) else {
      throw WebError(.addressInvalid, "`\(written)` is no address with the values of its secrets")
    }
    let isKnown = (try? WebURL(parsing: Self.disguised(written)))?.origin == url.origin
    return Place(url: url, hiddenServer: isKnown ? nil : Self.server(in: written))
  }

  private static func server(in written: String) -> String {
    let start = written.firstRange(of: "://")?.upperBound ?? written.startIndex
    return String(written[..<start]) + written[start...].prefix { !"/?#\\".contains($0) }
  }

  /// With something else in place of secrets: where that leads to the same server, none of them says which it is.
  private static func disguised(_ written: String) -> String {
    SecretPlaceholder.parts(of: written).map { part in
      switch part {
      case .text(let text): text
      case .secret: "x"
      }
    }.joined()
  }

  /// Where a link of an answer leads.
  func place(_ link: String, linkedFrom place: Place) throws(WebError) -> Place {
    do throws(WebError) {
      let url = try place.url.resolving(link)
      return Place(url: url, hiddenServer: url.origin == place.url.origin ? place.hiddenServer : nil)
    } catch {
      throw hidden(error, of: place)
    }
  }

  /// Asks, and follows redirects.
  func fetch(
    _ place: Place, by method: WebRequest.Method = .get, headers: WebHeaders = [], body: [UInt8] = [],
    bodyLimit: Int? = nil, within limit: Duration
  ) async throws(WebError) -> WebResponse {
    var request = WebRequest(method, place.url, headers: headers, body: body)
    if let bodyLimit { request.bodyLimit = bodyLimit }
    do throws(WebError) {
      return try await WebClient().fetch(request, within: limit)
    } catch {
      throw hidden(error, of: place)
    }
  }

  /// The certificate of a server, trusted or not; `nil` where it shows none.
  func certificate(of place: Place, within limit: Duration) async -> WebCertificate? {
    let response = try? await WebClient().send(WebRequest(.head, place.url), trustsAll: true, within: limit)
    guard var certificate = response?.certificate else { return nil }
    certificate.problem = certificate.problem.map { hidden($0, of: place) }
    return certificate
  }

  // MARK: hiding

  private func hidden(_ error: WebError, of place: Place) -> WebError {
    WebError(error.code, hidden(error.message, of: place), help: error.help.map { hidden($0, of: place) })
  }

  private func hidden(_ text: String, of place: Place) -> String {
    let text = secrets.hidden(text)
    guard let server = place.hiddenServer else { return text }
    // A host name is in lower case, whatever the value is.
    return text.replacing(place.url.origin, with: server).replacing(place.url.host, with: server)
  }
}
