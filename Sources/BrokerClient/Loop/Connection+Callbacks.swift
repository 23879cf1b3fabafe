#if Fleet
  import CMosquitto
  import FleetMessages

  extension Connection {
    /// Has the library tell this connection what happens, within the calls that it makes.
    func setCallbacks(_ handle: OpaquePointer) {
      library.onConnect(handle) { _, context, code, _, properties in
        guard let connection = Connection.of(context) else { return }
        connection.greeted(code: Int(code), packetLimit: connection.packetLimit(properties))
      }
      library.onDisconnect(handle) { _, context, code, _ in
        guard let connection = Connection.of(context), connection.failure == nil else { return }
        // Below 128 it is a number of the library's own, and the call that it is in tells it too.
        if code >= 0x80 || code == 0 {
          connection.failure = .goodbye(connection.address, code: Int(code))
        } else if code == 19 {
          connection.failure = .lost(connection.address, "it did not answer for \(Connection.keepAlive) s")
        }
      }
      library.onPublish(handle) { _, context, number, code, _ in
        Connection.of(context)?.acknowledged(number, code: Int(code))
      }
      library.onMessage(handle) { _, context, message, properties in
        guard let connection = Connection.of(context), let message else { return }
        connection.arrived(message.pointee, properties)
      }
      library.onLog(handle) { _, context, level, text in
        guard level == MOSQ_LOG_ERR, let text, let connection = Connection.of(context) else { return }
        // `OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed`
        let line = String(cString: text)
        if line.hasPrefix("OpenSSL Error"), connection.loggedReason == nil {
          connection.loggedReason = line.split(separator: ":").last.map(String.init)
        }
      }
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Connection? {
      context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
    }

    private func packetLimit(_ properties: OpaquePointer?) -> Int {
      var limit: UInt32 = 0
      let found = library.readNumber(properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), &limit, false)
      return found == nil ? configuration.messageLimit : min(configuration.messageLimit, Int(limit))
    }

    private func acknowledged(_ number: Int32, code: Int) {
      guard let id = unacknowledged.removeValue(forKey: number), let id else { return }
      mailbox.events.append(code < 0x80 ? .acknowledged(id) : .denied(id))
    }

    private func arrived(_ message: mosquitto_message, _ properties: OpaquePointer?) {
      // Nobody reads any more.
      if isClosing, mailbox.events.isFull { return }
      guard let topic = message.topic.map({ String(cString: $0) }) else { return }
      var seconds: UInt32 = 0
      let name = Int32(MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.rawValue)
      let expires = library.readNumber(properties, name, &seconds, false) != nil
      let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
      mailbox.events.append(
        .message(
          BrokerMessage(
            topic, Array(payload), quality: message.qos == 0 ? .atMostOnce : .atLeastOnce, isRetained: message.retain,
            expiry: expires ? .seconds(Int(seconds)) : nil)))
    }
  }
#endif
