import CastProtocol
import Foundation
import Synchronization
import Testing
import Workspace

@Suite struct ServiceManagerTests {
  /// A socket on which a service manager listens.
  private final class Listener {
    let path: String
    private let descriptor: Int32

    init(in folder: TemporaryFolder) throws {
      // The path of a socket has room for 107 bytes.
      path = "/tmp/showcaller-\(getpid())-\(UInt32.random(in: 0...UInt32.max)).sock"
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(descriptor >= 0 && result == 0)
    }

    /// What came; `nil` where nothing did.
    func next() -> String? {
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
      return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    deinit {
      close(descriptor)
      unlink(path)
    }
  }

  @Test("Each state is one datagram of the words that a service manager knows, in one line")
  func states() throws {
    let folder = try TemporaryFolder()
    let listener = try Listener(in: folder)
    let manager = ServiceManager(.living(in: folder, ["NOTIFY_SOCKET=\(listener.path)"]))
    for state: ServiceManager.State in [.ready, .reloading, .stopping, .alive, .status("two\nlines")] {
      manager.tell(state)
    }
    #expect(
      (0..<5).map { _ in listener.next() } == [
        "READY=1", "RELOADING=1", "STOPPING=1", "WATCHDOG=1", "STATUS=two lines",
      ])
    #expect(listener.next() == nil)
  }

  @Test("It hears that the process is alive only while that is so")
  func watchdog() async throws {
    let folder = try TemporaryFolder()
    let listener = try Listener(in: folder)
    let manager = ServiceManager(
      .living(in: folder, ["NOTIFY_SOCKET=\(listener.path)", "WATCHDOG_USEC=2000"]))
    let looks = Mutex(0)
    let alive = Task {
      await manager.keepAlive(on: TimeSource(ContinuousClock())) {
        looks.withLock { looks in
          looks += 1
          return looks % 2 == 1
        }
      }
    }
    while looks.withLock({ $0 }) < 6 { await Task.yield() }
    alive.cancel()
    await alive.value
    let count = looks.withLock { $0 }
    let heard = (0..<count).compactMap { _ in listener.next() }
    #expect(heard.count == (count + 1) / 2 && heard.allSatisfy { $0 == "WATCHDOG=1" })
  }

  @Test("Who has asked for nothing, or where nobody listens, hears nothing, and nothing fails")
  func nobody() throws {
    let folder = try TemporaryFolder()
    for variables in [
      [], ["NOTIFY_SOCKET=/nowhere/at/all"], ["NOTIFY_SOCKET=vsock:2:1"],
      ["NOTIFY_SOCKET=/\(String(repeating: "a", count: 300))"],
    ] {
      ServiceManager(.living(in: folder, variables)).tell(.ready)
    }
  }

  @Test("The watchdog is that of this process, and only where somebody listens")
  func watchdog() throws {
    let folder = try TemporaryFolder()
    func interval(_ variables: String...) -> Duration? {
      ServiceManager(.living(in: folder, variables)).watchdogInterval
    }
    let socket = "NOTIFY_SOCKET=/run/x"
    #expect(interval(socket, "WATCHDOG_USEC=3000000") == .seconds(3))
    #expect(interval(socket, "WATCHDOG_USEC=3000000", "WATCHDOG_PID=\(getpid())") == .seconds(3))
    #expect(interval(socket, "WATCHDOG_USEC=3000000", "WATCHDOG_PID=1") == nil)
    #expect(interval("WATCHDOG_USEC=3000000") == nil && interval(socket) == nil)
    #expect(interval(socket, "WATCHDOG_USEC=-1") == nil && interval(socket, "WATCHDOG_USEC=x") == nil)
  }

  @Test("It hears twice in each of its intervals that the process is alive")
  func alive() async throws {
    let folder = try TemporaryFolder()
    let listener = try Listener(in: folder)
    let manager = ServiceManager(
      .living(in: folder, ["NOTIFY_SOCKET=\(listener.path)", "WATCHDOG_USEC=20000"]))
    let clock = TimeSource(ContinuousClock())
    let telling = clock.spawn { await manager.keepAlive(on: clock) }
    try await clock.sleep(for: .milliseconds(200))
    telling.cancel()
    await telling.value
    var count = 0
    while let text = listener.next() {
      #expect(text == "WATCHDOG=1")
      count += 1
    }
    #expect((3...21).contains(count), "\(count)")
  }
}
