import COpenSSL

/// What one connection of OpenSSL reads from and writes to: the bytes that are being fed in, and those to be sent.
///
/// Unlike OpenSSL's memory BIOs it copies nothing on the way in, and keeps no room while nothing moves.
final class TLSWire {
  /// What came and was not read yet; valid only while it is being fed in.
  var inbound = UnsafeRawBufferPointer(start: nil, count: 0)
  /// What is to be sent.
  private(set) var outbound: [UInt8] = []

  /// A BIO on this wire, which must outlive it; `nil` where there is no memory left.
  func makeBIO() -> OpaquePointer? {
    guard let method = Self.method, let bio = BIO_new(method) else { return nil }
    BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(bio, 1)
    return bio
  }

  /// Moves waiting bytes to `buffer` and returns how many.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, outbound.count)
    buffer.copyBytes(from: outbound[..<count])
    if count == outbound.count { outbound = [] } else { outbound.removeFirst(count) }
    return count
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, inbound.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: inbound[..<count]))
    inbound = UnsafeRawBufferPointer(rebasing: inbound[count...])
    return count
  }

  // MARK: what OpenSSL calls

  /// Made once, and never freed.
  nonisolated(unsafe) private static let method: OpaquePointer? = {
    guard let method = BIO_meth_new(BIO_get_new_index() | COPENSSL_BIO_TYPE_SOURCE_SINK, "showcaller") else {
      return nil
    }
    BIO_meth_set_read_ex(method) { bio, target, size, count in
      guard let bio, let target, let wire = TLSWire.of(bio) else { return 0 }
      BIO_clear_flags(bio, TLSWire.retryFlags)
      let read = wire.read(into: UnsafeMutableRawBufferPointer(start: target, count: size))
      count?.pointee = read
      if read > 0 { return 1 }
      BIO_set_flags(bio, TLSWire.retryFlags)
      return 0
    }
    BIO_meth_set_write_ex(method) { bio, source, size, count in
      guard let bio, let wire = TLSWire.of(bio) else { return 0 }
      wire.outbound.append(contentsOf: UnsafeRawBufferPointer(start: source, count: size))
      count?.pointee = size
      return 1
    }
    BIO_meth_set_ctrl(method) { bio, command, _, _ in
      switch command {
      case BIO_CTRL_FLUSH: 1
      case BIO_CTRL_PENDING: bio.flatMap { TLSWire.of($0) }?.inbound.count ?? 0
      case BIO_CTRL_WPENDING: bio.flatMap { TLSWire.of($0) }?.outbound.count ?? 0
      default: 0
      }
    }
    return method
  }()

  /// There is nothing to read now, but more will come.
  private static let retryFlags = BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY

  private static func of(_ bio: OpaquePointer) -> TLSWire? {
    BIO_get_data(bio).map { Unmanaged<TLSWire>.fromOpaque($0).takeUnretainedValue() }
  }
}
