import WebServer

/// The page itself: one file each, without anything from elsewhere.
enum ScreenAssets {
  /// - Parameter screen: Its number; `nil`: the list of all.
  static func page(of screen: Int?) -> String {
    head.replacing("SCREEN", with: screen.map { "\($0)" } ?? "") + (screen == nil ? list : stage)
  }

  private static let head = #"""
    <!doctype html>
    <html lang="en" data-screen="SCREEN">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark">
    <title>Showcaller</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/style.css">
    <script src="/app.js" defer></script>
    </head>

    """#

  private static let list = #"""
    <body class="list">
    <header><h1>Screens</h1><p id="notice" role="status"></p></header>
    <main id="screens" aria-busy="true"></main>
    </body>
    </html>

    """#

  private static let stage = #"""
    <body class="screen" data-phase="start">
    <div id="backdrop" aria-hidden="true"></div>
    <div id="stage"></div>
    <main id="card">
    <img id="artwork" alt="" hidden>
    <div>
    <p id="over"></p>
    <h1 id="title"></h1>
    <p id="subtitle"></p>
    </div>
    </main>
    <p id="clock" aria-hidden="true"></p>
    <p id="device"></p>
    <div id="captions" aria-live="off" hidden><p></p></div>
    <div id="wait" role="status" aria-label="buffering" hidden></div>
    <section id="break" aria-label="ad" hidden>
    <p><span id="ad"></span> <span id="countdown"></span></p>
    <p id="skip"></p>
    </section>
    <section id="bar" aria-label="position" hidden>
    <p id="place"></p>
    <div id="track"><div id="done"></div></div>
    <p><span id="position"></span><span id="duration"></span></p>
    </section>
    <div id="volume" role="status" hidden>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9v6h4l5 4V5L8 9z"/><path id="waves" d="M16 8.5a5 5 0 0 1 0 7M18.5 6a8.5 8.5 0 0 1 0 12"/></svg>
    <div><div id="level"></div></div>
    <span id="percent"></span>
    </div>
    <p id="notice" role="status"></p>
    <div id="dark" hidden></div>
    </body>
    </html>

    """#

  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="2" width="14" height="10" rx="1.5" \
    fill="#14161c" stroke="#7aa2ff"/><path d="M6.5 4.5v5l4-2.5z" fill="#7aa2ff"/><path d="M5 14h6" stroke="#7aa2ff"/></svg>

    """

  static let script = PageScript.patching + PageScript.following + deck + captions + drawing + start
}
