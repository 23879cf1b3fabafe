/// Why nothing was had from a web server.
package struct WebError: Error, Hashable, Sendable {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    case addressInvalid = "address_invalid"
    case nameUnknown = "name_unknown"
    case unreachable
    case timeout
    case tls
    /// The answer is no HTTP, or ended in the middle.
    case answerInvalid = "answer_invalid"
    case answerTooLong = "answer_too_long"
    case tooManyRedirects = "too_many_redirects"
  }

  package var code: Code
  package var message: String
  /// What to do.
  package var help: String?

  package init(_ code: Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }
}
