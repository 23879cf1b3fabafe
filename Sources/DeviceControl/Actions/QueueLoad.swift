import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `queue`: a queue plays, from the item the step says.
struct QueueLoad: DeviceVerb {
  let action: Plan.QueueAction

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    var request = action.request
    for index in request.items.indices {
      guard let media = request.items[index].media else { continue }
      request.items[index].media = try await device.served(device.secrets.revealed(media))
    }
    var names: [String: [Int: String]] = [:]
    for (item, sent) in zip(action.items, request.items) {
      if let content = sent.media?.contentID { names[content] = item.trackNames }
    }
    let first =
      action.items.indices.contains(action.startAt - 1) ? action.items[action.startAt - 1] : action.items.first
    let app = action.appID ?? device.own.session?.appID ?? action.defaultAppID
    let index = max(0, min(action.startAt, request.items.count) - 1)
    let playing = request.items.indices.contains(index) ? request.items[index] : nil
    let isKept = try await device.fetching(playing?.media) { [request] () async throws(StepFailure) in
      try await device.load(
        into: app, first?.trackNames ?? [:], of: first?.media.contentID, scope, done: action.until
      ) {
        connection, session throws(ClientError) in
        try await connection.load(request, in: session, until: scope.deadline)
      }
    }
    device.changeOwn { $0.nameTracks(names) }
    guard action.until != .accepted, let wanted = playing?.activeTrackIDs, !wanted.isEmpty else { return }
    try await device.fetching(playing?.media, tracks: wanted) { () async throws(StepFailure) in
      try await device.requireTracks(wanted, asks: isKept, scope)
    }
  }
}
