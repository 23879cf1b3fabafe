import WebServer

/// The page itself: one file each, without anything from elsewhere.
enum ControlAssets {
  static let page = #"""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Showcaller</title>
    <link rel="icon" href="/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="/style.css">
    <script src="/app.js" defer></script>
    </head>
    <body>
    <header>
    <h1>Showcaller</h1>
    <p id="health" role="status">connecting</p>
    </header>
    <div id="invalid" role="status"></div>
    <p id="message" role="status"></p>
    <main id="playlists" aria-busy="true"></main>
    <footer>
    <form id="login">
    <label for="token">Token</label>
    <input id="token" type="password" autocomplete="off" aria-describedby="hint">
    <button>Use</button>
    <small id="hint">Changes need it. When it starts, serve says in which file it is. It stays in this tab.</small>
    </form>
    </footer>
    </body>
    </html>

    """#

  static let icon = """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect x="1" y="2" width="14" height="9" rx="1.5" \
    fill="#0b57d0"/><path d="M6.5 4.5v4l3.5-2z" fill="#fff"/><path d="M5 13.5h6" stroke="#0b57d0" \
    stroke-width="1.5"/></svg>

    """

  static let script = PageScript.patching + PageScript.following + drawing + talking
}
