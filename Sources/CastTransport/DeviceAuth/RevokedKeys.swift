/// Keys and serial numbers that must not be believed any more.
package struct RevokedKeys: Hashable, Sendable {
  /// SHA-256 of the SubjectPublicKeyInfo, lower-case hexadecimal.
  package var keyHashes: Set<String>
  /// By the same hash of the issuer.
  package var serialNumbers: [String: [ClosedRange<UInt64>]]

  package init(keyHashes: Set<String> = [], serialNumbers: [String: [ClosedRange<UInt64>]] = [:]) {
    self.keyHashes = keyHashes
    self.serialNumbers = serialNumbers
  }

  /// What of `path` (the device first, its anchor last) is revoked; the first that is.
  func problem(in path: [X509Certificate]) -> DeviceAuthProblem? {
    let hashes = path.map { Digest.hexadecimal($0.keyHash) }
    for (depth, hash) in hashes.enumerated() where keyHashes.contains(hash) {
      return DeviceAuthProblem(.revokedKey, depth: depth)
    }
    for (depth, issuer) in hashes.enumerated().dropFirst() {
      guard let ranges = serialNumbers[issuer], let serial = path[depth - 1].serialNumber else { continue }
      if ranges.contains(where: { $0.contains(serial) }) { return DeviceAuthProblem(.revokedSerial, depth: depth - 1) }
    }
    return nil
  }
}
