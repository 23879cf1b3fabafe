import CastProtocol
import Testing

@testable import CastClient

@Suite struct MediaGateStateMachineTests {
  private static let own = Namespace(rawValue: "urn:x-cast:com.example.score")
  private static let ask = OperationEffect.request(.receiver(.getStatus), within: .seconds(5))

  private func machine(connectedAt: Duration = .seconds(-60)) -> MediaGateStateMachine {
    MediaGateStateMachine(
      CommandStateMachine(MediaRequest(.pause, session: 1), in: film, replyTimeout: .seconds(5)),
      listed: ReceiverStatus.running("CC1AD845", namespaces: [Self.own]).application, connectedAt: connectedAt,
      replyTimeout: .seconds(5))
  }

  private static func listing(_ namespaces: [Namespace], session: String = "s-1") -> ReceiverStatus {
    .running("CC1AD845", session: session, namespaces: namespaces)
  }

  @Test("The device is asked once; an app that still lists no media ends it with what it offers")
  func refused() {
    var machine = machine()
    #expect(machine.begin(at: .zero) == [Self.ask])
    #expect(machine.receive(.receiverStatus(Self.listing([Self.own]), .spontaneous), at: .zero).isEmpty)
    #expect(
      machine.receive(.receiverStatus(Self.listing([], session: "s-2"), .own(.receiverStatus)), at: .zero).isEmpty)
    let end = machine.receive(.receiverStatus(Self.listing([Self.own]), .own(.receiverStatus)), at: .zero)
    #expect(end.map(\.failure) == [.invalidState])
    #expect(machine.wakeAt == nil)
    var mute = self.machine()
    _ = mute.begin(at: .zero)
    #expect(mute.receive(.expired(.receiverStatus), at: .seconds(5)).map(\.failure) == [.invalidState])
  }

  @Test("An app that lists media after all gets the request, and the operation goes on as ever")
  func goesOn() {
    var machine = machine()
    _ = machine.begin(at: .zero)
    let sent = machine.receive(.receiverStatus(Self.listing([Self.own, .media]), .foreign), at: .zero)
    #expect(
      sent == [.request(.media(MediaRequest(.pause, session: 1), to: film.transportID), within: .seconds(5))])
    #expect(machine.timeout.message == "no reply to PAUSE" && machine.session == film)
    let paused = OperationEvent.mediaStatus(.session(1, .paused), from: film.transportID, .own(.command))
    #expect(machine.receive(paused, at: .zero) == [.finish(.success(.done))])
  }

  @Test("An app that was entered a moment ago gets two seconds to list them, asked twice a second")
  func young() {
    var machine = machine(connectedAt: .seconds(10))
    #expect(machine.begin(at: .seconds(11)) == [Self.ask])
    let plain = OperationEvent.receiverStatus(Self.listing([Self.own]), .own(.receiverStatus))
    #expect(machine.receive(plain, at: .seconds(11)).isEmpty)
    #expect(machine.wakeAt == .milliseconds(11_500))
    #expect(machine.timerFired(at: .milliseconds(11_400)).isEmpty)
    #expect(machine.timerFired(at: .milliseconds(11_500)) == [Self.ask])
    #expect(machine.receive(plain, at: .milliseconds(11_500)).isEmpty)
    #expect(machine.timerFired(at: .seconds(12)) == [Self.ask])
    #expect(machine.wakeAt == nil)
    #expect(machine.receive(plain, at: .seconds(12)).map(\.failure) == [.invalidState])
  }
}
