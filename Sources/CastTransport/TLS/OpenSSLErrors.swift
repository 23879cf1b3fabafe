import COpenSSL

/// OpenSSL's error queue of the calling thread.
enum OpenSSLErrors {
  /// Forgets what earlier calls left behind. Call before each operation whose failure will be asked about.
  static func clear() { ERR_clear_error() }

  /// Empties the queue and returns its oldest entry, the cause of the others; `nil` when there was none.
  static func take() -> Entry? {
    let code = ERR_get_error()
    ERR_clear_error()
    guard code != 0 else { return nil }
    let text = ERR_reason_error_string(code).map { String(cString: $0) }
    return Entry(reason: ERR_GET_REASON(code), text: text ?? "OpenSSL error \(code)")
  }

  /// One entry of the queue.
  struct Entry: Hashable {
    /// One of OpenSSL's `SSL_R_` numbers where the SSL library failed.
    var reason: Int32
    /// OpenSSL's own words, such as `wrong version number`.
    var text: String
  }

  /// A set-up step of our own failed.
  static func setupFailure(_ step: String) -> TransportError {
    TransportError(.setupFailed, "\(step) failed: \(take()?.text ?? "OpenSSL gives no reason")")
  }
}
