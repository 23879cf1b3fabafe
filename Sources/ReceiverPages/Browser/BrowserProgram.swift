import Glibc

/// The browser of this computer that shows receiver pages.
package struct BrowserProgram: Hashable, Sendable {
  /// No browser is there: one sentence and a cure.
  package struct Missing: Error, Hashable, Sendable {
    package let message: String
    package let help: String
  }

  /// Its file.
  package let path: String

  /// `chromium-headless-shell` needs half the memory of a whole browser, and half the time to start.
  private static let names = [
    "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable",
  ]

  package init(path: String) { self.path = path }

  /// Looks for it in the folders of `path`, which is a list as `PATH` has it.
  package static func find(in path: String) throws(Missing) -> BrowserProgram {
    for name in names {
      for folder in path.split(separator: ":") where folder.hasPrefix("/") {
        let file = "\(folder)/\(name)"
        if access(file, X_OK) == 0 { return BrowserProgram(path: file) }
      }
    }
    throw Missing(
      message: "a receiver page needs Chromium, and there is none on the path",
      help: "apt-get install -y --no-install-recommends chromium-headless-shell")
  }

  /// The headless shell has no window and needs no word for it.
  private var isShell: Bool { path.hasSuffix("headless-shell") || path.hasSuffix("headless_shell") }

  /// The whole command, for a profile of its own.
  func command(profile: String, extra: [String]) -> [String] {
    var words = [
      path, "--remote-debugging-pipe", "--user-data-dir=\(profile)", "--no-first-run", "--mute-audio", "--disable-gpu",
      // Without it a video that starts by itself waits for a click for ever, and nothing says so.
      "--autoplay-policy=no-user-gesture-required", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--hide-scrollbars",
    ]
    if !isShell { words.append("--headless=new") }
    // The sandbox refuses to work for root.
    if geteuid() == 0 { words.append("--no-sandbox") }
    return words + extra
  }
}
