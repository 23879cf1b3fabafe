import CastProtocol
import FleetMessages
import ScenarioRunner

/// What a command of `fleet` does with a connection, from its first event to its end.
protocol FleetDuty: Actor {
  associatedtype End: Sendable

  /// - Returns: How it ends; `nil`: it goes on.
  func receive(_ event: BrokerEvent) -> End?
  /// Comes ten times a second.
  func tick() -> End?
  func interrupt(_ interruption: Runner.Interruption) -> End?
}

extension FleetDuty {
  /// Does it, and says goodbye to the broker.
  func perform(on link: any BrokerLink, _ clock: TimeSource, _ interruptions: InterruptionLine) async -> End? {
    let end = await withTaskGroup(of: End?.self) { group in
      group.addTask {
        for await event in link.events {
          if let end = await self.receive(event) { return end }
        }
        return nil
      }
      group.addTask {
        while (try? await clock.sleep(for: .milliseconds(100))) != nil {
          if let end = await self.tick() { return end }
        }
        return nil
      }
      group.addTask {
        for await interruption in interruptions.stream() {
          if let end = await self.interrupt(interruption) { return end }
        }
        return nil
      }
      for await end in group {
        guard let end else { continue }
        group.cancelAll()
        return end as End?
      }
      return nil
    }
    await link.close()
    return end
  }
}
