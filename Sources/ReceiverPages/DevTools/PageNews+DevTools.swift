import CastProtocol

extension PageNews {
  /// What an event of the debugging protocol tells a developer; `nil`: nothing.
  init?(_ method: String, _ json: JSONObject) {
    switch method {
    case "Runtime.consoleAPICalled":
      let words = (json["args"]?.array ?? []).prefix(32).map(Self.text)
      let frame = json["stackTrace"]?["callFrames"]?.array?.first
      self.init(
        .console, Self.level(json["type"]?.string), words.joined(separator: " "), address: frame?["url"]?.string,
        line: frame?["lineNumber"]?.int.map { $0 + 1 })
    case "Runtime.exceptionThrown":
      guard let details = json["exceptionDetails"] else { return nil }
      self.init(thrown: details)
    case "Log.entryAdded":
      // Failed requests are told by the network itself.
      guard let entry = json["entry"], entry["source"]?.string != "network" else { return nil }
      self.init(
        .browser, Self.level(entry["level"]?.string), entry["text"]?.string ?? "", address: entry["url"]?.string,
        line: entry["lineNumber"]?.int.map { $0 + 1 })
    default: return nil
    }
  }

  /// - Parameter details: `exceptionDetails` of the debugging protocol.
  init(thrown details: JSONValue) {
    let text = details["text"]?.string ?? "Uncaught"
    let thrown = details["exception"].map(Self.text) ?? ""
    // What we evaluate has no address: the frame that threw has.
    let frame = details["stackTrace"]?["callFrames"]?.array?.first { $0["url"]?.string?.isEmpty == false }
    let place = details["url"]?.string.map { _ in details } ?? frame
    self.init(
      .exception, .error, thrown.isEmpty ? text : "\(text): \(thrown)", address: place?["url"]?.string,
      line: place?["lineNumber"]?.int.map { $0 + 1 })
  }

  private static func level(_ word: String?) -> Level {
    switch word {
    case "error", "assert": .error
    case "warning": .warning
    case "debug", "verbose": .debug
    default: .info
    }
  }

  /// A value as a console shows it.
  private static func text(_ value: JSONValue) -> String {
    if let text = value["value"]?.string ?? value["unserializableValue"]?.string { return text }
    if let plain = value["value"] { return plain.serialized() }
    if let preview = value["preview"], let properties = preview["properties"]?.array {
      let isList = preview["subtype"]?.string == "array"
      let isError = preview["subtype"]?.string == "error"
      if !isError {
        let members = properties.prefix(32).map { property in
          let shown = property["value"]?.string ?? property["type"]?.string ?? ""
          return isList ? shown : "\(property["name"]?.string ?? ""): \(shown)"
        }
        let rest = preview["overflow"] == true ? ", …" : ""
        let all = members.joined(separator: ", ") + rest
        return isList ? "[\(all)]" : "{\(all)}"
      }
    }
    return value["description"]?.string ?? value["type"]?.string ?? ""
  }
}
