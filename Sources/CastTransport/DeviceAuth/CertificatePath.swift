import COpenSSL
import Glibc

/// A chain from a certificate to one of our roots, and what is wrong with it. Source: docs/security.md 1.3 and 3.2.
struct CertificatePath {
  enum Purpose {
    /// A device's own chain.
    case provingDevice
    /// The signer of a revocation list: directly under its root, no key usage asked.
    case signingRevocations
  }

  private static let keyBits = 2048...8192
  private static let signatureAlgorithms: Set<Int32> = [
    NID_sha1WithRSAEncryption, NID_sha256WithRSAEncryption, NID_sha384WithRSAEncryption, NID_sha512WithRSAEncryption,
  ]
  /// Restricts a chain to devices without video, wherever in it it stands; no policy processing of RFC 5280.
  private static let audioOnlyPolicy = "1.3.6.1.4.1.11129.2.5.2"

  /// The first certificate, its issuers, the root; only the first where no root was reached.
  private(set) var certificates: [X509Certificate]
  /// Empty: the path holds.
  private(set) var problems: [DeviceAuthProblem] = []
  private(set) var isAudioOnly = false

  /// Looks for the best path at Unix time `now`.
  init(
    from leaf: X509Certificate, intermediates: [X509Certificate], to anchors: TrustAnchors, for purpose: Purpose,
    at now: Int
  ) {
    self.init(searching: anchors, from: leaf, intermediates: intermediates, for: purpose, at: now)
    guard certificates.count == 1 || !problems.isEmpty else { return }
    for namesake in anchors.namesakes {
      guard let anchor = try? TrustAnchors([namesake]) else { continue }
      let path = CertificatePath(searching: anchor, from: leaf, intermediates: intermediates, for: purpose, at: now)
      // A path with problems still tells more than none.
      if path.certificates.count > 1, path.problems.isEmpty || certificates.count == 1 { self = path }
      if certificates.count > 1, problems.isEmpty { return }
    }
  }

  private init(
    searching anchors: TrustAnchors, from leaf: X509Certificate, intermediates: [X509Certificate],
    for purpose: Purpose, at now: Int
  ) {
    certificates = [leaf]
    let search = Search(leaf: leaf, intermediates: intermediates, anchors: anchors, purpose: purpose)
    switch search.run(at: now) {
    case .found(let path): certificates = path
    case .failed(let error, let depth)
    where error == X509_V_ERR_CERT_HAS_EXPIRED || error == X509_V_ERR_CERT_NOT_YET_VALID:
      // Dates alone, or would it fail without them, too? The second search may not choose the path when the first can.
      switch search.run(at: nil) {
      case .found(let path):
        certificates = path
        problems = Self.dateProblems(of: path, at: now)
        if problems.isEmpty { problems = [Self.problem(error, depth: depth)] }
      case .failed(let error, let depth): problems = [Self.problem(error, depth: depth)]
      }
    case .failed(let error, let depth): problems = [Self.problem(error, depth: depth)]
    }
    guard certificates.count > 1 || !problems.isEmpty else {
      // A root that calls itself a device.
      problems = [DeviceAuthProblem(.notADevice, depth: 0)]
      return
    }
    applyRules(purpose)
  }

  // MARK: our own rules

  /// What OpenSSL lets pass at its security level 0, which old devices need.
  private mutating func applyRules(_ purpose: Purpose) {
    let hasAnchor = certificates.count > 1
    for (depth, certificate) in certificates.enumerated() {
      let isAnchor = hasAnchor && depth == certificates.count - 1
      if !certificate.hasReadableExtensions { add(.malformedCertificate, depth) }
      if depth > 0, !certificate.isAuthority { add(.notAnAuthority, depth) }
      guard let policies = certificate.policies else {
        add(.malformedCertificate, depth)
        continue
      }
      if policies.contains(Self.audioOnlyPolicy) { isAudioOnly = true }
      if isAnchor { continue }
      if !certificate.isAlgorithmConsistent || !Self.signatureAlgorithms.contains(certificate.signatureAlgorithm) {
        add(.signatureAlgorithm, depth)
      }
      let key = certificate.key
      if !key.isRSA || !Self.keyBits.contains(key.bits) {
        add(.keySize, depth, "\(key.isRSA ? "" : "not RSA, ")\(key.bits) bit")
      }
    }
    guard purpose == .provingDevice, let leaf = certificates.first else { return }
    if !leaf.mayProve { add(.keyUsage, 0) }
    if leaf.isAuthority { add(.notADevice, 0) }
  }

  private mutating func add(_ code: DeviceAuthProblem.Code, _ depth: Int, _ detail: String? = nil) {
    problems.append(DeviceAuthProblem(code, depth: depth, detail))
  }

  /// Who of `path` is out of its time; a root counts at any time.
  private static func dateProblems(of path: [X509Certificate], at now: Int) -> [DeviceAuthProblem] {
    path.dropLast().enumerated().compactMap { depth, certificate in
      guard let begin = certificate.notBefore, let end = certificate.notAfter else {
        return DeviceAuthProblem(.malformedCertificate, depth: depth)
      }
      if now < begin { return DeviceAuthProblem(.chainNotYetValid, depth: depth) }
      return now > end ? DeviceAuthProblem(.chainExpired, depth: depth) : nil
    }
  }

  private static func problem(_ error: Int32, depth: Int) -> DeviceAuthProblem {
    let code: DeviceAuthProblem.Code
    var detail: String?
    switch error {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, X509_V_ERR_CERT_UNTRUSTED:
      code = .chainUntrusted
    case X509_V_ERR_CERT_HAS_EXPIRED: code = .chainExpired
    case X509_V_ERR_CERT_NOT_YET_VALID: code = .chainNotYetValid
    case X509_V_ERR_CERT_SIGNATURE_FAILURE, X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE,
      X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY, X509_V_ERR_SIGNATURE_ALGORITHM_MISMATCH:
      code = .chainSignature
    case X509_V_ERR_CERT_CHAIN_TOO_LONG: code = .chainTooLong
    case X509_V_ERR_PATH_LENGTH_EXCEEDED: code = .pathLength
    case X509_V_ERR_INVALID_PURPOSE: code = .purpose
    case X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: code = .criticalExtension
    case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_INVALID_NON_CA: code = .notAnAuthority
    case X509_V_ERR_PERMITTED_VIOLATION, X509_V_ERR_EXCLUDED_VIOLATION, X509_V_ERR_SUBTREE_MINMAX,
      X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE, X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX,
      X509_V_ERR_UNSUPPORTED_NAME_SYNTAX:
      code = .nameConstraints
    default:
      code = .chainOther
      detail = String(cString: X509_verify_cert_error_string(Int(error)))
    }
    return DeviceAuthProblem(code, depth: depth, detail)
  }
}

/// OpenSSL's search for a path.
private struct Search {
  enum Outcome {
    case found([X509Certificate])
    case failed(Int32, depth: Int)
  }

  let leaf: X509Certificate
  let intermediates: [X509Certificate]
  let anchors: TrustAnchors
  let purpose: CertificatePath.Purpose

  /// - Parameter now: Unix time; `nil`: dates do not count. A time and the flag for none cancel each other out.
  func run(at now: Int?) -> Outcome {
    OpenSSLErrors.clear()
    defer { OpenSSLErrors.clear() }
    let failure = Outcome.failed(X509_V_ERR_UNSPECIFIED, depth: 0)
    guard let context = X509_STORE_CTX_new(), let untrusted = copenssl_x509_stack() else { return failure }
    defer {
      X509_STORE_CTX_free(context)
      copenssl_x509_stack_free(untrusted)
    }
    for certificate in intermediates where copenssl_x509_push(untrusted, certificate.raw) <= 0 { return failure }
    guard X509_STORE_CTX_init(context, anchors.store, leaf.raw, untrusted) == 1,
      let parameters = X509_STORE_CTX_get0_param(context)
    else { return failure }
    X509_VERIFY_PARAM_set_auth_level(parameters, 0)
    X509_VERIFY_PARAM_set_depth(parameters, purpose == .provingDevice ? Self.depthLimit : 0)
    if purpose == .provingDevice { X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_CLIENT) }
    if let now {
      X509_VERIFY_PARAM_set_time(parameters, now)
    } else {
      X509_VERIFY_PARAM_set_flags(parameters, COPENSSL_X509_FLAG_NO_CHECK_TIME)
    }
    X509_STORE_CTX_set_verify_cb(context, pardon)
    guard X509_verify_cert(context) == 1 else {
      let error = X509_STORE_CTX_get_error(context)
      return .failed(
        error == X509_V_OK ? X509_V_ERR_UNSPECIFIED : error, depth: Int(X509_STORE_CTX_get_error_depth(context)))
    }
    guard let chain = X509_STORE_CTX_get0_chain(context) else { return failure }
    return .found(
      (0..<max(0, copenssl_x509_count(chain))).compactMap {
        copenssl_x509_at(chain, $0).map { X509Certificate(sharing: $0) }
      })
  }

  /// How many certificates may stand between a device and its root.
  private static let depthLimit: Int32 = 4
}

/// Called by OpenSSL for each fault; 1 forgives it. Dates of the root do not count, the last second of the others still
/// does, and "any" is a purpose that fits.
private func pardon(_ isFine: Int32, _ context: OpaquePointer?) -> Int32 {
  guard isFine == 0, let context else { return isFine }
  let depth = X509_STORE_CTX_get_error_depth(context)
  let error = X509_STORE_CTX_get_error(context)
  let isForgiven: Bool
  switch error {
  case X509_V_ERR_CERT_HAS_EXPIRED, X509_V_ERR_CERT_NOT_YET_VALID:
    guard let chain = X509_STORE_CTX_get0_chain(context) else { return 0 }
    let count = copenssl_x509_count(chain)
    if count > 1, depth == count - 1 {
      isForgiven = true
    } else {
      let now = X509_STORE_CTX_get0_param(context).map { X509_VERIFY_PARAM_get_time($0) }
      let certificate = copenssl_x509_at(chain, depth).map { X509Certificate(sharing: $0) }
      isForgiven = error == X509_V_ERR_CERT_HAS_EXPIRED && now != nil && certificate?.notAfter == now
    }
  case X509_V_ERR_INVALID_PURPOSE:
    isForgiven = X509_STORE_CTX_get_current_cert(context).map { X509Certificate(sharing: $0).hasAnyPurpose } ?? false
  default: isForgiven = false
  }
  guard isForgiven else { return 0 }
  X509_STORE_CTX_set_error(context, X509_V_OK)
  return 1
}
