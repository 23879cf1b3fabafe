import CastProtocol

extension [LedgerRecord.Evidence.Unseen] {
  /// What a receiver's status leaves open. No status tells what lies over an app; whether the television is on and shows this
  /// input is told by those that see it over HDMI-CEC (docs/protocol.md 3.3).
  init(of status: ReceiverStatus?) {
    let seesPanel = status?.isStandBy == false && status?.isActiveInput == true
    self = seesPanel ? [.overlay] : [.panel, .overlay]
  }
}
