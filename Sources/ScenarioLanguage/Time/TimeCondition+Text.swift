import CastProtocol

extension TimeCondition {
  var json: JSONValue {
    var object = JSONObject()
    if days.count < 7 { object["days"] = .array(CivilDate.names(of: days).map { .string($0) }) }
    if !hours.isEmpty { object["hours"] = .array(hours.map { .string($0.text) }) }
    object["dates"] = dates.map { .array($0.map { .string($0.text) }) }
    object["calendar"] = calendar?.json
    if let exception = exceptions.first { object["not"] = exception.json }
    return .object(object)
  }

  /// In a line: `mon, tue 07:00-11:00`.
  package var text: String {
    var parts: [String] = []
    if days.count < 7 { parts.append(CivilDate.names(of: days).joined(separator: ", ")) }
    if !hours.isEmpty { parts.append(hours.map(\.text).joined(separator: ", ")) }
    if let dates { parts.append(ScalarText.listed(dates.lazy.map(\.text))) }
    if let calendar { parts.append("calendar \(calendar.name)") }
    if let exception = exceptions.first { parts.append("not (\(exception.text))") }
    return parts.isEmpty ? "any time" : parts.joined(separator: " ")
  }
}

extension TimeCondition: Encodable {
  /// As its line in listings: the days of its calendars are too many to be told at each use.
  package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }
}

extension TimeCondition.Calendar {
  /// Each use of a calendar has its days, and files can name very many.
  private static let longest = 2_000

  fileprivate var json: JSONValue {
    var object: JSONObject = ["name": .string(name)]
    object["file"] = file.map { .string($0) }
    object["dates"] = .array(days.prefix(file == nil ? days.count : Self.longest).map { .string($0.text) })
    if file != nil, days.count > Self.longest { object["more"] = .int(days.count - Self.longest) }
    return .object(object)
  }
}
