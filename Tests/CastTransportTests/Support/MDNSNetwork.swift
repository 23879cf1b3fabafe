import CastTransport
import Foundation

/// A network of one machine with an Avahi daemon of its own: a private bus, and loopback in a network namespace.
///
/// The bus is a socket in the file system, so the process under test talks to the daemon from outside; it only needs
/// `DBUS_SYSTEM_BUS_ADDRESS`, which libdbus reads once per process: tests that use it run in a process of their own.
final class MDNSNetwork {
  let directory: URL
  private(set) var daemonProcess: pid_t = 0
  private var processes: [pid_t] = []

  /// Whether this machine can make one; says loudly why not.
  static let isAvailable: Bool = {
    for tool in ["avahi-daemon", "dbus-daemon", "dbus-send", "unshare", "nsenter", "ip"]
    where ChildProcess.path(of: tool) == nil {
      print("SKIPPED: discovery against a real daemon, because \(tool) is not installed")
      return false
    }
    if ChildProcess.run("unshare", ["--net", "--mount", "true"]) != 0 {
      print("SKIPPED: discovery against a real daemon, because this user may not make network namespaces")
      return false
    }
    return true
  }()

  /// A Python with the zeroconf package, an mDNS stack that is not Avahi's; `nil`, loudly, where it cannot be had.
  static let zeroconfPython: String? = {
    if let peers = ProcessInfo.processInfo.environment["SHOWCALLER_PEERS"],
      ChildProcess.run("\(peers)/bin/python", ["-c", "import zeroconf"]) == 0
    {
      return "\(peers)/bin/python"
    }
    let venv = FileManager.default.temporaryDirectory.appendingPathComponent("showcaller-test-zeroconf").path
    let python = "\(venv)/bin/python"
    if ChildProcess.run(python, ["-c", "import zeroconf"]) == 0 { return python }
    if ChildProcess.run("python3", ["-m", "venv", "--clear", venv]) == 0,
      ChildProcess.run(python, ["-m", "pip", "-q", "install", "zeroconf"]) == 0
    {
      return python
    }
    print("SKIPPED: discovery of another mDNS stack's devices, because pip could not install zeroconf")
    return nil
  }()

  /// What `DBUS_SYSTEM_BUS_ADDRESS` must be.
  var busAddress: String { "unix:path=\(directory.path)/bus" }

  /// Starts a bus, and the daemon unless `hasDaemon` is false.
  init(hasDaemon: Bool = true) throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("showcaller-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    try write(Self.busConfiguration(directory.path), to: "bus.conf")
    try write(Self.daemonConfiguration, to: "avahi.conf")
    _ = try start("dbus-daemon", ["--config-file=\(directory.path)/bus.conf", "--nofork"])
    try wait("the bus") { FileManager.default.fileExists(atPath: directory.appendingPathComponent("bus").path) }
    guard hasDaemon else { return }
    // Avahi's run directory is fixed in its code: another one is mounted over it, seen by this daemon alone.
    let script = """
      ip link set lo up && ip route add 224.0.0.0/4 dev lo && mkdir -p /run/avahi-daemon &&
      mount -t tmpfs tmpfs /run/avahi-daemon &&
      exec avahi-daemon -f \(directory.path)/avahi.conf --no-drop-root --no-chroot --no-rlimits
      """
    daemonProcess = try start("unshare", ["--net", "--mount", "sh", "-c", script])
    try wait("the daemon") {
      ChildProcess.run(
        "dbus-send",
        [
          "--bus=\(busAddress)", "--print-reply", "--reply-timeout=1000", "--dest=org.freedesktop.Avahi", "/",
          "org.freedesktop.Avahi.Server.GetVersionString",
        ]) == 0
    }
  }

  deinit {
    for process in processes.reversed() { kill(process, SIGKILL) }
    try? FileManager.default.removeItem(at: directory)
  }

  /// Runs a Python program beside the daemon, in its network; ends with the network.
  func startPython(_ python: String, _ program: String) throws {
    _ = try start("nsenter", ["--target", String(daemonProcess), "--net", python, "-u", "-c", program])
  }

  /// Starts `tool` in the background and returns its id.
  ///
  /// Through a shell, so that it is nobody's child here: an ended child that is not collected at once keeps the
  /// test library from noticing the end of its own processes.
  private func start(_ tool: String, _ arguments: [String]) throws -> pid_t {
    let script = #""$@" </dev/null >/dev/null 2>&1 & echo $!"#
    let environment = ["DBUS_SYSTEM_BUS_ADDRESS": busAddress]
    let shell = ChildProcess("sh", ["-c", script, "sh", tool] + arguments, environment: environment)
    let line = shell?.read { $0.hasSuffix("\n") } ?? ""
    guard shell?.wait() == 0, let process = pid_t(line.dropLast()) else {
      throw TransportError(.setupFailed, "\(tool) cannot be started")
    }
    processes.append(process)
    return process
  }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: directory.appendingPathComponent(name))
  }

  /// Waits, with a limit, for something that only another process can bring about.
  private func wait(_ what: String, until isReady: () -> Bool) throws {
    for _ in 0..<500 {
      if isReady() { return }
      usleep(20_000)
    }
    throw TransportError(.setupFailed, "\(what) did not come up")
  }

  private static func busConfiguration(_ directory: String) -> String {
    """
    <busconfig>
      <type>system</type>
      <listen>unix:path=\(directory)/bus</listen>
      <auth>EXTERNAL</auth>
      <policy context="default">
        <allow user="*"/>
        <allow own="*"/>
        <allow send_type="method_call"/>
        <allow send_destination="*" eavesdrop="true"/>
        <allow eavesdrop="true"/>
      </policy>
    </busconfig>
    """
  }

  private static let daemonConfiguration = """
    [server]
    host-name=runner
    use-ipv4=yes
    use-ipv6=no
    allow-interfaces=lo
    enable-dbus=yes
    disallow-other-stacks=no
    ratelimit-interval-usec=1000000
    ratelimit-burst=1000
    [wide-area]
    enable-wide-area=no
    [publish]
    publish-hinfo=no
    publish-workstation=no
    """
}
