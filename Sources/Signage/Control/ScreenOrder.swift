/// What a person at the control page, or a program by its API, asks of a screen.
package enum ScreenOrder: Hashable, Sendable {
  /// The next item follows at once.
  case skip
  /// The program waits: what is on stays on, until `resume`.
  case pause
  case resume
  /// Shows an item of the playlist once, by its media id or address, then goes on with what it cut.
  case play(String)
}
