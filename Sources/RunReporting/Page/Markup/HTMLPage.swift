import ScenarioLanguage

/// A whole page: one file that needs nothing else.
struct HTMLPage {
  /// What is about one document.
  struct Part: Sendable {
    /// Where it is on the page.
    let id: String
    let file: String
    let word: String
    let html: HTML
    /// How many pictures are in it.
    let pictureCount: Int

    init(_ run: RunMarkup) {
      (id, file, word, html) = (run.id, run.file, run.word, run.html)
      pictureCount = run.pictures.shownCount
    }

    /// Of a document that was not run.
    init(_ notice: RunNotice) {
      id = ""
      pictureCount = 0
      file = notice.file
      word = notice.reason == .notFinished ? "unfinished" : "not run"
      let detail: HTML = notice.detail.isEmpty ? "" : "<pre>\(HTML.lines(HTML.cut(notice.detail, to: 20_000)))</pre>"
      html = """
        <article class="run"><header class="r-unfinished"><h2><span class="badge">\(word)</span> \(notice.file)</h2>
        <p class="soft">\(UTCTime(unixSeconds: notice.time).text)</p></header>
        <div class="notice" role="note"><b>\(notice.message)</b>\(detail)</div></article>

        """
    }
  }

  /// - Parameters:
  ///   - verdict: What all came to, where there are several.
  ///   - trend: What stands below the runs.
  static func text(of parts: [Part], _ verdict: SeriesVerdict? = nil, trend: TrendMarkup? = nil) -> String {
    let body = parts.reduce(into: "" as HTML) { $0 += $1.html } + (trend?.html ?? "")
    let first = parts.first.map { "\($0.file): \($0.word)" } ?? "no run"
    let title = parts.count > 1 ? "\(parts.count) documents: \(verdict?.result.rawValue ?? "")" : first
    return
      ("""
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="\(raw: policy)">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <title>\(title)</title>
    <link rel="icon" href="data:,">
    <style>\(raw: PageAssets.style)</style>
    </head>
    <body>
    <main>
    <h1>\(title)</h1>
    \(contents(parts, verdict))\(body)
    </main>
    <footer>\(redactions(in: body.text))\(note(onPictures: parts.reduce(0) { $0 + $1.pictureCount }))<p class="soft">Made by showcaller from the events of the run. Nothing here is \
    fetched from anywhere.</p></footer>
    <script>\(raw: PageAssets.script)</script>
    </body>
    </html>

    """ as HTML).text
  }

  /// What a page has around the part of a run, at most, in bytes.
  static var frameBytes: Int { PageAssets.style.utf8.count + PageAssets.script.utf8.count + 20_000 }

  /// Nothing may be fetched, and nothing runs but our own script.
  static let policy = """
    default-src 'none'; script-src '\(PageAssets.scriptHash)'; style-src '\(PageAssets.styleHash)'; img-src data:; \
    base-uri 'none'; form-action 'none'
    """

  private static func contents(_ parts: [Part], _ verdict: SeriesVerdict?) -> HTML {
    guard parts.count > 1, let verdict else { return "" }
    let items = parts.map { part -> HTML in
      let name: HTML = part.id.isEmpty ? "\(part.file)" : "<a href=\"#\(part.id)\">\(part.file)</a>"
      return
        "<li><span class=\"badge r-\(part.word == "not run" ? "unfinished" : part.word)\">\(part.word)</span> \(name)</li>"
    }
    return "<p class=\"total\">\(verdict.line)</p><ul class=\"contents\">\(items)</ul>"
  }

  private static func note(onPictures count: Int) -> HTML {
    guard count > 0 else { return "" }
    return "<p class=\"soft\">Pictures show receiver pages as they looked: no secret was taken out of them.</p>"
  }

  private static let secretLimit = 100

  /// The secrets whose names stand on the page in place of their values, and how often.
  private static func redactions(in text: String) -> HTML {
    var counts: [(name: String, count: Int)] = []
    var others = 0
    for case .secret(let name) in SecretPlaceholder.parts(of: text) {
      if let index = counts.firstIndex(where: { $0.name == name }) {
        counts[index].count += 1
      } else if counts.count < secretLimit {
        counts.append((name, 1))
      } else {
        others += 1
      }
    }
    guard !counts.isEmpty else { return "<p class=\"soft\">No secret was taken out of what is told here.</p>" }
    let places = counts.reduce(others) { $0 + $1.count }
    let items = counts.sorted { $0.name < $1.name }.map { "<li><code>\($0.name)</code>: \($0.count)</li>" as HTML }
    return """
      <details class="secrets"><summary>\(counts.count) \(counts.count == 1 ? "secret" : "secrets") taken out in \(places) \
      \(places == 1 ? "place" : "places") of this page</summary><ul>\(items)</ul></details>
      """
  }
}
