import CastProtocol
import DeviceControl
import ScenarioLanguage

/// What an earlier process has the device play: files of this computer, by addresses of ours.
extension Screen {
  /// More files than that are looked at only when they are shown.
  private static let mostFiles = 1_000

  /// Learns under which addresses the device knows what it may have on.
  /// - Parameter first: What is most likely on.
  func learnAddresses(_ first: [String]) async {
    let end = world.times.network.now + timeouts.reply
    var known: Set<String> = []
    for content in first + plan.contents where known.count < Self.mostFiles && known.insert(content).inserted {
      if Task.isCancelled || world.times.network.now > end { return }
      await device.learnAddress(of: content)
    }
  }
}
