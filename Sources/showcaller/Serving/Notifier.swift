import CastProtocol
import Signage
import ScenarioLanguage
import Synchronization
import WebClient
import Workspace

/// Tells people what is wrong with a served playlist, one message after the other; no screen ever waits for it.
final class Notifier: Sendable {
  /// More that waits is dropped, the newest first: whoever does not take them has heard of the oldest.
  private static let mostWaiting = 64
  private static let waits: [Duration] = [.seconds(1), .seconds(4)]

  private struct Message: Sendable {
    var text: String
    var json: JSONValue
    var channel: PlaylistPlan.Notification.Channel
  }

  /// Kept for those who look at the health of the screens.
  private static let mostUntold = 20

  private let title: String
  private let web: SecretWeb
  private let messages: AsyncStream<Message>
  private let continuation: AsyncStream<Message>.Continuation
  private let unixTime: @Sendable () -> Double
  private let failed = Mutex<[SiteView.Untold]>([])

  /// - Parameter title: The playlist's.
  init(of title: String, _ web: SecretWeb, unixTime: @escaping @Sendable () -> Double) {
    self.title = title
    self.web = web
    self.unixTime = unixTime
    (messages, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.mostWaiting))
  }

  /// Has a message told as soon as those before it are.
  func queue(_ text: String, _ json: JSONValue, by channel: PlaylistPlan.Notification.Channel) {
    if case .dropped = continuation.yield(Message(text: text, json: json, channel: channel)) {
      complain(text, "too many messages wait")
    }
  }

  /// Nothing more comes.
  func finish() { continuation.finish() }

  /// What nobody could be told of, the newest last.
  var untold: [SiteView.Untold] { failed.withLock { $0 } }

  /// Tells until nothing more comes; a message that nobody takes is told in the log.
  func deliver() async {
    for await message in messages {
      var problem = await tell(message)
      for wait in Self.waits where problem != nil && !Task.isCancelled {
        guard (try? await Task.sleep(for: wait)) != nil else { break }
        problem = await tell(message)
      }
      if let problem { complain(message.text, problem) }
    }
  }

  /// - Returns: Why it could not be told.
  private func tell(_ message: Message) async -> String? {
    switch message.channel {
    case .command(let words):
      await ServedProgram.run(words, input: Array((message.json.serialized() + "\n").utf8))
    case .webhook(let address): await post(message.json, to: address)
    }
  }

  private static let webhookLimit = Duration.seconds(10)

  private func post(_ json: JSONValue, to address: String) async -> String? {
    do throws(WebError) {
      let status = try await web.fetch(
        try web.place(address), by: .post, headers: [.init("Content-Type", "application/json")],
        body: Array(json.serialized().utf8), within: Self.webhookLimit
      ).status
      return (200..<300).contains(status) ? nil : "the webhook answers \(status)"
    } catch {
      return error.message
    }
  }

  private func complain(_ text: String, _ problem: String) {
    failed.withLock { failed in
      failed.append(SiteView.Untold(time: unixTime(), text: text, why: problem))
      if failed.count > Self.mostUntold { failed.removeFirst() }
    }
    Terminal.say(
      "warning: \(TerminalText.escaped(title)): nobody could be told that \(TerminalText.escaped(text)) "
        + "(\(TerminalText.escaped(problem)))")
  }
}
