// The scenarios of `showcaller conform`: documents in `checks` beside this folder, which the compiler puts into the program.

/// One check.
struct ConformanceScenario {
  /// Its id: the name of its file without the ending.
  const char *_Nonnull name;
  /// The document, which ends with a zero.
  const char *_Nonnull text;
};

/// How many there are.
int conformanceScenarioCount(void);

/// One of them, from 0.
struct ConformanceScenario conformanceScenario(int index);
