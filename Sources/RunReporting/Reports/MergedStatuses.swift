import CastProtocol

/// What each device shows, put together from the changes that `status` events tell.
struct MergedStatuses: Sendable {
  private var statuses: [String: JSONObject] = [:]

  /// `nil` of a device that told nothing yet.
  subscript(_ device: String?) -> JSONObject? { statuses[device ?? ""] }

  /// - Returns: What the device shows now.
  mutating func apply(_ change: EventKind.StatusChange, of device: String?) -> JSONObject {
    let status = (self[device] ?? [:]).applying(set: change.set, unset: change.unset)
    statuses[device ?? ""] = status
    return status
  }
}
