import ScenarioLanguage
import Simulation
import Workspace

extension RunOptions {
  /// Refuses a page for an app that no document launches, which would be shown by nobody, and what a page cannot do.
  func checkPages(_ documents: [RunnableDocument], _ faults: ReceiverPlan?) throws(CommandFailure) {
    if pages.isEmpty { return }
    if faults?.speed != nil {
      throw CommandFailure(
        .commandLineWrong, "`speed:` of the library is not for --receiver: a page keeps its own time",
        help: "take `speed:` out of the library")
    }
    let launched = documents.flatMap { VirtualDeviceNeeds(of: $0).apps.map(\.id) }
    for page in pages {
      guard let id = page.appID, !launched.contains(id) else { continue }
      let names = Set(launched).sorted().joined(separator: ", ")
      throw CommandFailure(
        .commandLineWrong, "no document launches the app \(id) of --receiver \(page.text)",
        help: names.isEmpty ? "leave out `\(id)=`" : "they launch \(names)")
    }
    let isOurs = Set(launched).subtracting(pages.compactMap(\.appID)).isEmpty || pages.contains { $0.appID == nil }
    if isOurs, let key = faults?.faults.lazy.compactMap(\.keyOfOwnPlayer).first {
      throw CommandFailure(
        .commandLineWrong, "`\(key)` of the library does not work with a page: a page uses its own player",
        help: "take it out of the library, or have the page itself do so")
    }
  }
}

extension ReceiverPlan.Fault {
  /// The key of a fault that only a receiver's own player can have; `nil` where any app can.
  fileprivate var keyOfOwnPlayer: String? {
    switch action {
    case .ignore: "accept_but_ignore"
    case .player: "player"
    case .answer: after > .zero ? "after" : nil
    case .lose, .close, .delay, .duplicate, .reorder, .mute, .silence, .restart, .takeover, .stalePolls,
      .lateNamespaces, .frame, .slowReads, .auth:
      nil
    }
  }
}
