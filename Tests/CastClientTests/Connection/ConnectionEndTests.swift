import CastProtocol
import Simulation
import TestSupport
import Testing

@testable import CastClient

/// Waits that end when they should, and ends that say what they are.
@Suite struct ConnectionEndTests {
  @Test("Waiting before the connection is opened ends at its deadline")
  func beforeOpen() throws {
    try onStage(opens: false) { stage in
      let seen = await stage.connection.nextObservations(after: 0, until: .milliseconds(300))
      #expect(seen.isEmpty && stage.now == .milliseconds(300))
    }
  }

  @Test("However many wait for the next observation, each waits until it comes")
  func manyWatchers() throws {
    try onStage { stage in
      let connection = stage.connection
      let last = await connection.lastObservation
      await withTaskGroup(of: Duration.self) { group in
        for _ in 0..<600 {
          group.addTask {
            #expect(await connection.nextObservations(after: last, until: .seconds(60)).count == 1)
            return stage.now
          }
        }
        group.addTask {
          try? await stage.wait(.seconds(3))
          stage.peer.status(nil)
          return stage.now
        }
        for await end in group { #expect(end == .seconds(3)) }
      }
    }
  }

  private static func half() throws -> [UInt8] {
    let message = CastMessage(source: .receiver, destination: .everyone, namespace: .receiver, json: ["type": "X"])
    return try ChannelStateMachine.encode([message]).dropLast(5)
  }

  private static func loss(_ stage: Stage) async -> ClientError? {
    var number = 0
    while true {
      let new = await stage.connection.nextObservations(after: number, until: stage.now + .seconds(60))
      guard let last = new.last else { return nil }
      if let loss = last.loss { return loss }
      number = last.number
    }
  }

  @Test("An end in the middle of a message is told as one", arguments: [false, true])
  func cutMessage(isCut: Bool) throws {
    try onStage { stage in
      if isCut { stage.peer.send(raw: try Self.half()) }
      stage.peer.close()
      let loss = await Self.loss(stage)
      #expect(loss?.class == .connectionLost)
      #expect(
        loss?.message == "the device closed the connection" + (isCut ? " in the middle of a message" : ""))
    }
  }

  @Test("A message that stays unfinished ends the connection in time, also before a ping is due")
  func stalled() throws {
    var configuration = ClientConfiguration()
    configuration.frameTimeout = .seconds(1)
    try onStage(configuration: configuration) { stage in
      try await stage.wait(.seconds(2))
      stage.peer.send(raw: try Self.half())
      let loss = await Self.loss(stage)
      #expect(loss?.class == .protocol && loss?.message == "a frame stayed unfinished" && stage.now == .seconds(3))
    }
  }

  @Test("A device that sends more bytes than anybody can read is cut off, by name")
  func byteFlood() throws {
    try onStage { stage in
      let long = JSONValue.string(String(repeating: "x", count: 57_000))
      for _ in 0..<9 {
        for _ in 0..<10 { stage.peer.send(["type": "RECEIVER_STATUS", "status": ["x": long]], in: .receiver) }
        try await stage.wait(.milliseconds(1))
      }
      let loss = await Self.loss(stage)
      #expect(loss?.class == .protocol && loss?.message == "device.flood: the device sends more than 4 MiB a second")
    }
  }
}
