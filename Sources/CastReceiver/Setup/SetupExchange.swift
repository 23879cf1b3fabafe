import CastProtocol

/// One request of HTTP and its answer: who the receiver is. Holds no socket; whatever comes, it answers once.
///
/// Source: docs/protocol.md 7.2.
struct SetupExchange {
  /// A longer head of a request is no sender's.
  private static let headLimit = 8 * 1024

  private let configuration: ReceiverConfiguration
  private var head: [UInt8] = []
  private var isOver = false

  init(_ configuration: ReceiverConfiguration) { self.configuration = configuration }

  /// Takes what came; the answer, once the head of the request is whole or can no longer become it.
  mutating func receive(_ bytes: [UInt8]) -> [UInt8]? {
    if isOver { return nil }
    head += bytes.prefix(Self.headLimit + 1 - head.count)
    let text = String(decoding: head, as: UTF8.self)
    let isWhole = text.contains("\r\n\r\n") || text.contains("\n\n")
    guard isWhole || head.count > Self.headLimit else { return nil }
    isOver = true
    let words = text.prefix { $0 != "\r\n" && $0 != "\n" }.split(separator: " ", omittingEmptySubsequences: false)
    guard isWhole, words.count == 3, words[2].hasPrefix("HTTP/1.") else { return Self.answer("400 Bad Request") }
    let parts = words[1].split(separator: "?", maxSplits: 1)
    let path = String(parts.first ?? "")
    guard ["/setup/eureka_info", "/setup/icon.png"].contains(path) else { return Self.answer("404 Not Found") }
    guard words[0] == "GET" else { return Self.answer("405 Method Not Allowed") }
    if path == "/setup/icon.png" { return Self.answer("200 OK", type: "image/png", body: SetupIcon.png) }
    let info = configuration.setupInfo(only: parts.count == 2 ? Self.names(in: parts[1]) : nil)
    return Self.answer("200 OK", body: Array(info.serialized().utf8))
  }

  /// What `params` asks for; `nil`: everything.
  private static func names(in query: Substring) -> Set<String>? {
    let fields = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
    guard let field = fields.first(where: { $0.first == "params" && $0.count == 2 }) else { return nil }
    // A comma may be written as one or as %2C.
    let text = field[1].lowercased()
    return Set(text.split(separator: ",").flatMap { $0.split(separator: "%2c") }.map(String.init))
  }

  private static func answer(
    _ status: String, type: String = "application/json", body: [UInt8] = []
  ) -> [UInt8] {
    let head =
      "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(body.count)\r\nConnection: close\r\n\r\n"
    return Array(head.utf8) + body
  }
}

extension ReceiverConfiguration {
  /// What `/setup/eureka_info` says, or of it the members that are asked for.
  func setupInfo(only names: Set<String>? = nil) -> JSONValue {
    let isGroup = !members.isEmpty
    let info: JSONObject = [
      "build_info": [
        "build_type": 2, "cast_build_revision": "1.0", "cast_control_version": 1, "system_build_number": "1",
      ],
      "device_info": [
        "capabilities": ["display_supported": .bool(!isGroup), "multizone_supported": true, "setup_supported": false],
        "manufacturer": "Showcaller", "model_name": .string(model), "product_name": .string(model),
        "ssdp_udn": .string(id),
      ],
      "multizone": ["dynamic_groups": [], "groups": []],
      "name": .string(name),
      "net": ["ethernet_connected": true, "online": true],
      "setup": ["setup_state": 60, "tos_accepted": true],
      "ssdp_udn": .string(id),
      "version": 12,
    ]
    guard let names else { return .object(info) }
    return .object(JSONObject(info.members.filter { names.contains($0.name) }))
  }
}
