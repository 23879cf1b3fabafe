import CastProtocol

extension ClientError {
  /// The error a refusing reply stands for, in the words of the wire: `LOAD_FAILED 104 MEDIA_SRC_NOT_SUPPORTED`.
  init(_ refusal: Refusal) {
    let detail = refusal.detailedErrorCode.map { code in
      DetailedErrorCode.name(of: code).map { "\(code) \($0)" } ?? "\(code)"
    }
    let words = [refusal.kind.rawValue, detail, refusal.reason, refusal.extendedError].compactMap { $0 }
    self.init(Self.classOf(refusal), words.joined(separator: " "), wire: refusal.wire)
    help = Self.cure(of: refusal)
  }

  private static func classOf(_ refusal: Refusal) -> Class {
    switch refusal.kind {
    case .launchError: refusal.reason == "CANCELLED" ? .launchCancelled : .launchFailed
    case .loadFailed: .loadFailed
    case .loadCancelled: .loadCancelled
    case .invalidPlayerState: .invalidState
    case .invalidRequest: .invalidRequest
    // The receiver SDK's answer to SKIP_AD outside of a break.
    case .error: refusal.reason?.hasPrefix("INVALID_") == true ? .invalidRequest : .mediaError
    }
  }

  private static func cure(of refusal: Refusal) -> String? {
    if refusal.kind == .launchError {
      switch refusal.extendedError {
      case "USER_NOT_ALLOWED": return "somebody refused it on the device's screen or in its app; ask them to allow it"
      case "USER_NOTIFICATIONS_DISABLED": return "the device may not ask anybody: turn its notifications on"
      default: break
      }
    }
    switch (refusal.kind, refusal.reason, refusal.detailedErrorCode) {
    case (.launchError, "NOT_FOUND", _): return "check the app id, and that this kind of device may run it"
    case (.loadFailed, _, 104):
      return "check that the device can reach the address, its certificate, type and CORS headers"
    default: return nil
    }
  }
}
