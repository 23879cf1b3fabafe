#if Fleet
  import COpenSSL
  import FleetMessages
  import Glibc

  extension Connection {
    /// A record of TLS: its header, and what is in it at most (RFC 8446, 5.2; RFC 5246, 6.2.3).
    private static let recordHeader = 5
    private static let recordLimit = 16_384 + 2_048
    /// So much is read for one link before the others have their turn.
    private static let turn = 4

    /// Takes what has come, record by record, while there is room.
    func receive() {
      readRecords()
      for _ in 0..<Self.turn {
        guard let handle, !isPaused, phase != .over else { return }
        let count = withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 16) { bytes in
          let count = recv(library.socket(handle), bytes.baseAddress, bytes.count, 0)
          if count > 0 { received.append(contentsOf: bytes[..<count]) }
          return count
        }
        if count > 0 {
          readRecords()
        } else if count == 0 {
          return end(closedFailure())
        } else if errno == EAGAIN {
          return
        } else if errno != EINTR {
          let reason = String(cString: strerror(errno)).lowercased()
          return end(phase == .connected ? .lost(address, reason) : .noConnection(address, reason))
        }
      }
    }

    private func closedFailure() -> BrokerFailure {
      switch phase {
      case .shaking: .noConnection(address, "it ends the connection in the TLS handshake")
      case .greeting: .noConnection(address, "it ends the connection without an answer")
      case .waiting, .lookingUp, .connecting, .connected, .closing, .over: .lost(address, "the broker closed it")
      }
    }

    private func readRecords() {
      var start = 0
      while let input, !isPaused, received.count - start >= Self.recordHeader {
        let length = Int(received[start + 3]) << 8 | Int(received[start + 4])
        let isRecord = (20...24).contains(received[start]) && received[start + 1] == 3 && length <= Self.recordLimit
        if !isRecord {
          return end(phase == .shaking ? .noConnection(address, "no TLS is spoken there") : .malformed)
        }
        let end = start + Self.recordHeader + length
        guard received.count >= end else { break }
        _ = received.withUnsafeBytes { bytes in
          BIO_write(input, bytes.baseAddress.map { $0 + start }, Int32(end - start))
        }
        start = end
        readRecord()
        if handle == nil { return }
      }
      if start > 0 { received.removeFirst(min(start, received.count)) }
      // An idle link holds nothing.
      if received.isEmpty { received = [] }
    }

    /// One record is where the library reads it.
    private func readRecord() {
      guard let handle, let tls else { return }
      if phase == .shaking {
        if library.read(handle, 1) != 0 { return end(handshakeFailure(tls)) }
        guard SSL_in_init(tls) == 0 else { return }
        phase = .greeting
        // A broker that asks for a certificate and got none may hang up before its reason has come (RFC 8446, 4.4.2.4).
        if library.write(handle, 1) != 0 {
          end(.ownCertificate("it hangs up at its end", hasOne: configuration.certificate != nil))
        }
        return
      }
      ERR_clear_error()
      let (count, problem) = withUnsafeTemporaryAllocation(byteCount: Self.recordLimit, alignment: 16) { bytes in
        let count = SSL_peek(tls, bytes.baseAddress, Int32(bytes.count))
        return (Int(count), count > 0 ? judge(UnsafeRawBufferPointer(rebasing: bytes[..<Int(count)])) : nil)
      }
      if let problem { return end(problem) }
      guard count > 0 else { return endUnlessWaiting(SSL_get_error(tls, Int32(count))) }
      repeat {
        let status = library.read(handle, 1)
        if let failure { return end(failure) }
        if status != 0 || library.socket(handle) < 0 { return end(.malformed) }
      } while SSL_pending(tls) > 0
    }

    /// - Returns: Why the connection ends before the library sees `bytes`.
    private func judge(_ bytes: UnsafeRawBufferPointer) -> BrokerFailure? {
      let before = packets.messages
      do throws(PacketGuard.Problem) {
        try packets.read(bytes)
      } catch {
        guard packets.isGreeted else { return .noBroker(address) }
        switch error {
        case .tooLarge: return .larger(than: configuration.messageLimit)
        case .malformed: return .malformed
        }
      }
      guard rate.admits(packets.messages - before, at: now) else { return .faster(than: configuration.rateLimit) }
      return nil
    }

    /// The record was none of data.
    private func endUnlessWaiting(_ code: Int32) {
      switch code {
      case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
      case SSL_ERROR_ZERO_RETURN: end(closedFailure())
      default:
        let reason = BrokerTLS.takeReason()
        end(phase == .greeting ? tlsFailure(reason) : .lost(address, reason ?? "TLS ended"))
      }
    }
  }
#endif
