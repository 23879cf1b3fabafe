extension ReportKind {
  /// A page about a run, written when it is over (docs/runs.md "HTML").
  package static let html: ReportKind = .html(with: nil)

  /// The same page with how the run compares with earlier ones.
  package static func html(with trend: TrendMarkup?) -> ReportKind {
    page("html", "one HTML page with a timeline, for people", of: RunPageBuilder.self) { runs in
      let parts = runs.parts.map { part in
        switch part {
        case .run(let run): run
        case .notice(let notice): HTMLPage.Part(notice)
        }
      }
      return HTMLPage.text(of: parts, runs.verdict, trend: trend)
    }
  }
}
