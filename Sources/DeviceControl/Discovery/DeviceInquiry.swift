package import CastClient
package import CastProtocol
import CastTransport
import RunReporting
import ScenarioLanguage

/// Asks devices what discovery does not say: whether they run an app, and what they are and show.
package struct DeviceInquiry: Sendable {
  private let appIDs: [String]
  private let times: TimeSources
  private let firstRequestID: Int

  /// - Parameters:
  ///   - appIDs: Whether it can run these apps is asked for.
  ///   - firstRequestID: Anywhere, so that it rarely meets another sender's (docs/protocol.md 4.4).
  package init(appIDs: [String] = [], times: TimeSources, firstRequestID: Int) {
    self.appIDs = appIDs
    self.times = times
    self.firstRequestID = firstRequestID
  }

  /// What became of asking one.
  package struct Answer: Sendable {
    package var device: ListedDevice
    /// `nil` where none was asked for.
    package var runsAll: Bool?
    /// Why it could not be asked.
    package var failure: ClientError?
  }

  private static let together = 16
  /// Longer words of a device are cut.
  private static let textLimit = 255

  /// Asks them all, some at a time; the answers come in the order of `devices`.
  package func ask(_ devices: [ListedDevice]) async -> [Answer] {
    await withTaskGroup(of: (Int, Answer).self) { group in
      var answers = [Answer?](repeating: nil, count: devices.count)
      var next = 0
      func start() {
        guard next < devices.count else { return }
        let (index, device) = (next, devices[next])
        next += 1
        group.addTask {
          // Not in one line: Swift 6.3 loses what an optimised build writes into a tuple before the `await` in it.
          let answer = await ask(device)
          return (index, answer)
        }
      }
      for _ in 0..<Self.together { start() }
      for await (index, answer) in group {
        answers[index] = answer
        start()
      }
      return answers.compactMap(\.self)
    }
  }

  private func ask(_ device: ListedDevice) async -> Answer {
    var configuration = ClientConfiguration()
    configuration.connectTimeout = .seconds(3)
    configuration.replyTimeout = .seconds(2)
    configuration.firstRequestID = firstRequestID
    var answer = Answer(device: device)
    do throws(ClientError) {
      let opened = try await LiveDevices.connect(
        to: device.found, times: times, configuration: configuration)
      await fill(&answer, from: opened.connection)
      await opened.connection.disconnect()
    } catch {
      answer.failure = error
    }
    return answer
  }

  private func fill(_ answer: inout Answer, from connection: CastConnection) async {
    if let status = await connection.snapshot.receiver {
      let app = status.application.flatMap { $0.isIdleScreen ? nil : $0 }
      answer.device.appID = app?.appID
      answer.device.shows =
        app.map { app in
          let words = app.statusText.isEmpty || app.statusText == app.displayName ? "" : ": \(app.statusText)"
          return (app.displayName.isEmpty ? app.appID : app.displayName) + words
        } ?? ""
    }
    // Somebody wrote the address of these down; all else they have to say themselves.
    if answer.device.via != .mdns, let info = try? await connection.deviceInfo() {
      answer.device.id = info.deviceID.flatMap { DeviceID($0)?.description } ?? answer.device.id
      answer.device.model = info.deviceModel.map { String($0.prefix(Self.textLimit)) } ?? answer.device.model
      answer.device.capabilities = info.deviceCapabilities.flatMap { UInt64(exactly: $0) }.map {
        DeviceCapabilities(rawValue: $0)
      }
      if answer.device.via == .host, let name = info.friendlyName, !name.isEmpty {
        answer.device.name = String(name.prefix(Self.textLimit))
      }
    }
    guard !appIDs.isEmpty else { return }
    do throws(ClientError) {
      let available = try await connection.availableApps(of: appIDs)
      answer.runsAll = appIDs.allSatisfy(available.contains)
    } catch {
      answer.failure = error
    }
  }
}
