package import CastProtocol

/// What a command puts into a step: words that somebody typed, and what the command itself means by them.
package indirect enum CommandValue: Sendable {
  /// Typed behind the command.
  case word(String)
  /// Typed behind the command with a sign in front, which is not part of the value.
  case signed(String)
  /// Read from a line of a list.
  case listed(String, SourceSpan)
  /// Chosen by the command.
  case fixed(String)
  case json(JSONValue)
  case map([(key: String, value: CommandValue)])
  /// Its keys are typed, too.
  case typedMap([(key: String, value: CommandValue)])
  case list([CommandValue])
}
