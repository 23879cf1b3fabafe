import CastClient
import CastProtocol
import RunReporting
import ScenarioLanguage

/// `text_style`: captions look so, as far as the app tells.
struct SetTextStyle: DeviceVerb {
  let style: TextTrackStyle

  func perform(on device: isolated DeviceSession, in scope: ActionScope) async throws(StepFailure) {
    let wanted = style.documentForm
    let connection = try device.requireConnection()
    let session = try device.requireApp()
    let command = MediaCommand.editTracks(activeTrackIDs: nil, textTrackStyle: style)
    let request = MediaRequest(command, session: try device.requireMedia(scope))
    let missing = device.missingCommand(for: command, scope)
    do {
      try await connection.command(request, in: session, until: scope.deadline)
    } catch {
      var failure = StepFailure(error)
      if let missing, failure.mayBeUnlisted { failure.help = missing.help }
      throw failure
    }
    // Not every app echoes the style; then there is nothing to wait for.
    let patience = scope.until(min(scope.deadline, device.now + device.policies.timeouts.reply))
    do {
      try await device.wait(patience, for: "the app to echo the text style") { view, _ throws(StepFailure) in
        guard let shown = view.value(of: FieldPath(["text_style"]))?.object else { return false }
        return wanted.members.allSatisfy { shown[$0.name] == $0.value }
      }
    } catch {
      guard error.errorClass == .timeout, !scope.caller.isStopped else { throw error }
      let text = "the app did not echo the text style, so it may not show it"
      device.emit(.diagnostic(.init(.warning, error.code, text)), step: scope.stepID)
    }
  }
}
