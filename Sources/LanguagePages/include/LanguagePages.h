// The pages of `showcaller explain`: Markdown files beside this folder, which the compiler puts into the program.

/// One file of pages.
enum __attribute__((enum_extensibility(closed))) PageFile {
  PageFileKeys,
  PageFileTypes,
  PageFileYaml,
  PageFileNames,
  PageFileCast,
  PageFilePlan,
  PageFileRun,
  PageFileAddresses,
  PageFileTopics,
};

/// The text of a file, which ends with a zero.
const char *pageText(enum PageFile file);
