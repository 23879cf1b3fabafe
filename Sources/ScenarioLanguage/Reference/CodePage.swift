/// What `showcaller explain CODE` says about a code.
package struct CodePage: Sendable {
  /// A document that shows a problem or its cure, and what stands around it.
  package struct Example: Sendable {
    package let text: String
    /// Other files it needs, by their names beside it.
    package var files: [(name: String, text: String)] = []
    /// Environment variables that are set.
    package var environment: [(name: String, value: String)] = []
  }

  /// How a problem comes to be shown.
  package enum Source: String, Sendable {
    /// By compiling the wrong example.
    case document
    /// By playing it on a virtual clock, which `check` does unless `--no-simulate`.
    case simulation
    /// Only by running it; the wrong example compiles.
    case run
    /// By fetching what it names, which `check` does with `--probe`; the wrong example compiles.
    case probe
    /// By nothing that this version accepts: there is no wrong example.
    case nothing
  }

  /// `K101`: never changes its meaning.
  package let code: Code
  /// A lowercase fragment.
  package let title: String
  package let why: String
  package let cure: String
  package let source: Source
  package let wrong: Example?
  package let right: Example
}
