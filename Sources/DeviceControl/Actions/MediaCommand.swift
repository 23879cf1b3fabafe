import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

extension DeviceSession {
  /// Sends a command for the current media session and waits for its effect.
  /// - Parameter seen: What is told of the state where the effect does not come.
  func command(
    _ scope: ActionScope, waitingFor: String, _ command: MediaCommand,
    seen: (StatusView) -> String? = { "the player is \($0.player)" }, isDone: (StatusView) -> Bool
  ) async throws(StepFailure) {
    let connection = try requireConnection()
    let session = try requireApp()
    let request = MediaRequest(command, session: try requireMedia(scope))
    let missing = missingCommand(for: command, scope)
    let scope = missing == nil ? scope : doubtful(scope)
    do throws(StepFailure) {
      do throws(ClientError) {
        try await connection.command(request, in: session, until: scope.deadline)
      } catch {
        throw StepFailure(error)
      }
      try await wait(scope, for: waitingFor) { view, _ throws(StepFailure) in isDone(view) }
    } catch {
      var failure = error
      if failure.errorClass == .timeout, !Task.isCancelled {
        // Whether it was done all the same, and how it is: for as long as the step may take.
        if now < scope.deadline { try? await connection.refreshMedia(in: session, until: scope.deadline) }
        await catchUp(scope)
        let view = view(scope)
        if let state = view.media == nil ? "nothing is loaded" : seen(view) { failure.message += "; \(state)" }
      }
      guard let missing, error.mayBeUnlisted else { throw failure }
      failure.help = missing.help
      throw failure
    }
  }

  /// Sends a command for the queue; what follows waits for its effect.
  func command(_ request: MediaRequest, _ scope: ActionScope) async throws(StepFailure) {
    let connection = try requireConnection()
    let app = try requireApp()
    do { try await connection.command(request, in: app, until: scope.deadline) } catch { throw StepFailure(error) }
    await catchUp(scope)
  }

  /// What a command needs and the app does not list; `nil` where it is listed, or nothing is.
  func missingCommand(for command: MediaCommand, _ scope: ActionScope) -> UnlistedCommand? {
    guard let needed = command.neededCommand, let listed = view(scope).media?.supportedMediaCommands,
      !MediaCommands(rawValue: listed).contains(needed)
    else { return nil }
    return needed.words.first.map(UnlistedCommand.init)
  }
}

/// A command that the app does not list among those for what plays.
struct UnlistedCommand {
  let word: String

  var help: String {
    "the app does not list `\(word)` among the commands for what plays; it may not know it, or not allow it now"
  }
}

extension StepFailure {
  /// Whether a command failed in a way that an app which does not know it has.
  var mayBeUnlisted: Bool {
    errorClass == .timeout || errorClass == .invalidRequest || errorClass == .invalidState
  }
}

extension MediaCommand {
  /// The bit of `supportedMediaCommands` that says whether an app takes this.
  fileprivate var neededCommand: MediaCommands? {
    switch self {
    case .pause: .pause
    case .seek: .seek
    case .setPlaybackRate: .rate
    case .editTracks: .editTracks
    case .skipAd: .skipAd
    default: nil
    }
  }
}
