/// Durations as a line of blocks for terminals: `▁▂▂▃×▄`.
package struct Sparkline: Sendable {
  private static let blocks = Array("▁▂▃▄▅▆▇█")

  /// One value for each run, oldest first; `nil` where it did not pass.
  package var values: [Double?]
  /// What a full block stands for; `nil`: the greatest value.
  package var top: Double?

  package init(_ values: [Double?], top: Double? = nil) { (self.values, self.top) = (values, top) }

  /// The newest values, in at most `width` cells.
  package func text(width: Int) -> String {
    let shown = values.suffix(max(1, width))
    let top = top ?? shown.compactMap(\.self).max() ?? 0
    return String(
      shown.map { value in
        guard let value, value.isFinite else { return "×" }
        guard top > 0 else { return Self.blocks[0] }
        let place = (value / top * Double(Self.blocks.count)).rounded(.up) - 1
        return Self.blocks[Int(exactly: min(max(0, place), Double(Self.blocks.count - 1))) ?? 0]
      })
  }
}
