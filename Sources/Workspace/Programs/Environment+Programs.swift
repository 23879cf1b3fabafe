extension Environment {
  /// What the program of an `exec` step gets of ours: enough to be found and to write text, nothing that could be a secret.
  package var ofPrograms: [String] {
    ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "USER"].compactMap { name in
      self[name].map { "\(name)=\($0)" }
    }
  }
}
