package import RunReporting

/// Why a virtual receiver is not on the network: one sentence and a cure.
package struct ReceiverServerError: Error, Hashable, Sendable {
  /// How a process ends by it.
  package var exit: RunExit
  /// A lowercase fragment.
  package var message: String
  package var help: String?

  init(_ exit: RunExit, _ message: String, help: String?) {
    self.exit = exit
    self.message = message
    self.help = help
  }
}
