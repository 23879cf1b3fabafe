#include "LanguagePages.h"

// `#embed` is of C23; the compiler of Swift 6.2 has it for every C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char keys[] = {
#embed "keys.md" suffix(, 0)
};
static const char types[] = {
#embed "types.md" suffix(, 0)
};
static const char yaml[] = {
#embed "yaml.md" suffix(, 0)
};
static const char names[] = {
#embed "names.md" suffix(, 0)
};
static const char cast[] = {
#embed "cast.md" suffix(, 0)
};
static const char plan[] = {
#embed "plan.md" suffix(, 0)
};
static const char run[] = {
#embed "run.md" suffix(, 0)
};
static const char addresses[] = {
#embed "addresses.md" suffix(, 0)
};
static const char topics[] = {
#embed "topics.md" suffix(, 0)
};

const char *pageText(enum PageFile file) {
  switch (file) {
  case PageFileKeys: return keys;
  case PageFileTypes: return types;
  case PageFileYaml: return yaml;
  case PageFileNames: return names;
  case PageFileCast: return cast;
  case PageFilePlan: return plan;
  case PageFileRun: return run;
  case PageFileAddresses: return addresses;
  case PageFileTopics: return topics;
  }
}
