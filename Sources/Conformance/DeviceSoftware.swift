package import CastProtocol

/// What a device says of the software that it runs: its `eureka_info`, by a message or over HTTP (docs/protocol.md 3.6, 7.2).
package struct DeviceSoftware: Hashable, Sendable {
  package var castVersion: String?
  /// The build of its system.
  package var build: String?
  package var model: String?
  /// Scalars.
  private static let lengthLimit = 100

  /// Where it is asked.
  package static let namespace = "urn:x-cast:com.google.cast.setup"

  /// The question.
  package static func request(id: Int) -> JSONValue {
    [
      "type": "eureka_info", "request_id": .int(id),
      "data": [
        "params": [
          "version", "name", "device_info.manufacturer", "device_info.product_name", "build_info.build_type",
          "build_info.cast_build_revision", "build_info.system_build_number",
        ]
      ],
    ]
  }

  /// What is asked of port 8008.
  package static let target = "/setup/eureka_info?options=detail&params=version,name,build_info,device_info"

  /// Reads an answer of either way; `nil` for one that says nothing of it.
  package init?(_ json: JSONValue) {
    let data = json["data"] ?? json
    func text(_ value: JSONValue?) -> String? {
      let text = value.flatMap { $0.string ?? $0.int.map { String($0) } }
      return text.flatMap { $0.isEmpty ? nil : $0.prefix(scalars: Self.lengthLimit) }
    }
    let info = data["build_info"]
    castVersion = text(info?["cast_build_revision"])
    build = text(info?["system_build_number"])
    let device = data["device_info"]
    model = text(device?["model_name"]) ?? text(device?["product_name"])
    if castVersion == nil, build == nil, model == nil { return nil }
  }
}
