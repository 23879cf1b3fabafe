package import RunReporting

/// Why a command cannot have what it wants of this computer: one sentence and a cure.
package struct WorkspaceError: Error, Hashable, Sendable {
  /// What is to be done about it, and by whom.
  package enum Code: Hashable, Sendable {
    /// The command line asks for what cannot be.
    case commandLineWrong
    /// A document, or what it needs, is not as it has to be.
    case documentInvalid
    /// The command line is well formed, but the document does not give what it asks, or wants what it does not allow.
    case documentUnfit
    /// A document has mistakes, each of which has been told.
    case told
    /// A file that is named cannot be read.
    case notReadable
    /// A file or a folder cannot be made or written.
    case notWritten
    /// A file that is to be gone on with is damaged.
    case damaged
    /// Another process has what one at a time may have.
    case busy
    /// The process was asked to end while it waited.
    case interrupted
  }

  /// The kind of failure, which decides the exit code.
  package var code: Code
  /// A lowercase fragment: it is printed after "error: ".
  package var message: String
  /// What to do about it, where we know.
  package var help: String?

  /// A failure of this kind, told in a lowercase fragment.
  package init(_ code: Code, _ message: String, help: String? = nil) {
    self.code = code
    self.message = message
    self.help = help
  }

  /// How a process ends by it.
  package var exit: RunExit {
    switch code {
    case .commandLineWrong, .documentUnfit, .notReadable: .commandLineWrong
    case .documentInvalid, .told: .documentInvalid
    case .notWritten, .damaged: .reportNotWritten
    case .busy: .busy
    case .interrupted: .interrupted
    }
  }

  /// There is nothing left to say.
  static let told = WorkspaceError(.told, "a document has mistakes")

  /// Somebody asked for an end.
  static let interrupted = WorkspaceError(.interrupted, "interrupted before the run began")

  /// A file that cannot be written, `-` being standard output.
  package init(writing path: String, _ error: FileError) {
    self.init(.notWritten, "cannot write \(ReportFile.name(path)): \(error.message)")
  }
}
