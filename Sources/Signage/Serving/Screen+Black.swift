import CastProtocol
import DeviceControl
import RunReporting
import ScenarioLanguage

/// Quiet hours with `screen: blank`: a black picture is on, so that the television stays on this input and shows nothing.
extension Screen {
  /// The black picture, as it was loaded last.
  struct Black: Sendable {
    /// On the show clock.
    var loadedAt: Duration
    /// What the device calls it.
    var address: String
  }

  /// Sees to it that the black picture is on.
  /// - Returns: Whether it is, or nothing can be said about that now; false: it cannot be shown, which was told.
  func showBlack() async -> Bool {
    if await !isBlackDue(isPatient: false) { return true }
    owner.take()
    setQueued(nil)
    var media = MediaInformation()
    (media.contentID, media.contentType, media.streamType) = (LocalMedia.black, "image/png", "NONE")
    var action = Plan.LoadAction(request: LoadRequest(media: media), defaultAppID: plan.appID)
    action.appID = plan.appID
    action.until = .loaded
    let scope = ActionScope(deadline: now + timeouts.load, caller: owner)
    do {
      try await device.perform(.load(action), in: scope)
      setBlack(Black(loadedAt: now, address: device.storedAddress(of: LocalMedia.black) ?? LocalMedia.black))
      return true
    } catch {
      let cause = await device.cause(of: error, scope)
      let isLost = await device.needsConnection
      setBlack(nil)
      // Another sender, or a lost device, is the next thing that the screen looks at.
      if Task.isCancelled || owner.cause != nil || isLost { return true }
      tellNoBlack(cause)
      return false
    }
  }

  /// Whether the black picture is to be loaded: it is not on, or was for so long that the device falls asleep over it.
  /// - Parameter isPatient: Whether something else may be on for a while.
  func isBlackDue(isPatient: Bool) async -> Bool {
    guard let blackLasts else { return !isPatient }
    if blackLasts <= .zero { return true }
    if isPatient { return false }
    guard await device.hasOwnApp else { return true }
    return await !playsNow(LocalMedia.black)
  }

  /// For how long the black picture need not be loaded again; `nil`: it was not loaded.
  var blackLasts: Duration? {
    guard let black else { return nil }
    return plan.keepAwake.map { black.loadedAt + $0 - Self.blackLead - now } ?? .seconds(86_400)
  }

  /// Loading takes its time.
  private static let blackLead = Duration.seconds(5)
}
