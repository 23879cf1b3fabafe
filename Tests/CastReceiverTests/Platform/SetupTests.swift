import CastProtocol
import Testing

@testable import CastReceiver

/// What a receiver says of itself over HTTP.
@Suite struct SetupTests {
  private static func configuration(members: Int = 0) -> ReceiverConfiguration {
    var configuration = ReceiverConfiguration(id: "5a1c0000-0000-4000-8000-000000000001")
    configuration.name = "Lobby TV"
    configuration.members = (0..<members).map { .init(id: "\($0)", name: "\($0)") }
    return configuration
  }

  /// Status line and body of the answer to a request that comes in pieces of `size` bytes.
  private static func ask(
    _ request: String, size: Int = 4096, members: Int = 0
  ) throws -> (status: String, body: JSONValue?)? {
    var exchange = SetupExchange(configuration(members: members))
    var rest = Array(request.utf8)[...]
    var answer: [UInt8]?
    while !rest.isEmpty, answer == nil {
      answer = exchange.receive(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    guard let answer else { return nil }
    #expect(exchange.receive(Array(request.utf8)) == nil, "one answer only")
    let text = String(decoding: answer, as: UTF8.self)
    let parts = text.split(separator: "\r\n\r\n", maxSplits: 1)
    let head = parts.first?.split(separator: "\r\n").map(String.init) ?? []
    let body = parts.count == 2 ? String(parts[1]) : ""
    #expect(head.contains("Content-Length: \(body.utf8.count)") && head.contains("Connection: close"))
    return (head.first ?? "", body.isEmpty ? nil : try JSONValue(parsing: body))
  }

  @Test("It tells name, model, id and kind, whole or in the parts that are asked for", arguments: [1, 7, 4096])
  func info(size: Int) throws {
    let whole = try #require(try Self.ask("GET /setup/eureka_info HTTP/1.1\r\nHost: a\r\n\r\n", size: size))
    #expect(whole.status == "HTTP/1.1 200 OK" && whole.body?["name"] == "Lobby TV")
    #expect(whole.body?["device_info"]?["ssdp_udn"] == "5a1c0000-0000-4000-8000-000000000001")
    let part = try #require(
      try Self.ask("GET /setup/eureka_info?options=detail&params=device_info,name HTTP/1.1\r\n\r\n", size: size))
    #expect(part.body?.object?.members.map(\.name) == ["device_info", "name"])
    #expect(part.body?["device_info"]?["model_name"] == "Showcaller Virtual Receiver")
    #expect(part.body?["device_info"]?["capabilities"]?["display_supported"] == true)
    let groups = try #require(try Self.ask("GET /setup/eureka_info?params=multizone%2Cnone HTTP/1.0\r\n\r\n"))
    #expect(groups.body == ["multizone": ["dynamic_groups": [], "groups": []]])
    let group = try Self.ask("GET /setup/eureka_info HTTP/1.1\r\n\r\n", members: 2)
    #expect(group?.body?["device_info"]?["capabilities"]?["display_supported"] == false)
  }

  static let wrong: [(request: String, status: String?)] = [
    ("GET / HTTP/1.1\r\n\r\n", "404 Not Found"),
    ("POST /setup/eureka_info HTTP/1.1\r\n\r\n", "405 Method Not Allowed"),
    ("GET /setup/eureka_info\r\n\r\n", "400 Bad Request"), ("\r\n\r\n", "400 Bad Request"),
    ("\u{16}\u{3}\u{1}\r\n\r\n", "400 Bad Request"), ("GET  HTTP/1.1\r\n\r\n", "404 Not Found"),
    ("GET /" + String(repeating: "x", count: 10_000), "400 Bad Request"), ("GET /setup/eureka_info HTTP/1.1\r\n", nil),
  ]
  @Test("Whatever else comes is answered in a line, or waited for", arguments: wrong)
  func others(request: String, status: String?) throws {
    let answer = try Self.ask(request)
    #expect(answer?.status == status.map { "HTTP/1.1 \($0)" } && answer?.body == nil)
  }
}
