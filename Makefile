# Every target is one line a person could type. `make` alone lists them. FLEET=1 with any of them: with the MQTT client.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup setup-tests tests-built build install uninstall deb packed test judges fuzz search sanitize lint format demo bench soak docs protos clean

SWIFT ?= swift
# The arrows of docs/design.md 2 are facts: an import that Package.swift does not declare does not build.
# The index of an editor would cost a quarter of the build.
# FLEET=1 is a build of its own, with the MQTT client: the trait makes every file anew, and no build is mixed with the other.
BUILD := $(if $(FLEET),.build-fleet,.build)
FLAGS := --explicit-target-dependency-import-check error --disable-index-store $(if $(FLEET),--traits Fleet --scratch-path $(BUILD))
# For a fast start: lld packs the relocations of a static binary (5 ms less, and a megabyte less held), nobody looks up
# symbols in the program by name (1 ms), and generic types are made from what the compiler knows, not by a search for
# their conformances (1.2 ms).
RELEASE_FLAGS := $(FLAGS) -c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker --no-export-dynamic -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors
DEBUG := $(BUILD)/debug/showcaller
RELEASE := $(BUILD)/release/showcaller
# tzdata: `check` and the tests ask it when clocks change; without it zones are checked by their spelling alone.
PACKAGES := libssl-dev libavahi-compat-libdnssd-dev libyaml-dev tzdata $(if $(FLEET),libmosquitto-dev)
# Real peers of the tests: an mDNS daemon on a bus of its own, network namespaces, another implementation, shells, and the
# judge of the Debian package.
TEST_PACKAGES := openssl avahi-daemon dbus dbus-bin libnss-mdns avahi-utils iproute2 util-linux bsdutils python3 python3-venv \
  zsh fish tmux dpkg-dev chrpath lintian $(if $(FLEET),mosquitto)
# Tests that measure real time, against sockets, processes and programs. All others are pure or go on a clock of their
# own: they run beside the first, with what these leave of the processor. Not by `swift test`, which runs every test of
# a build without an index to find out which there are.
REAL_TIME := EndToEndTests|BrokerClientTests|MediaServerTests.(MediaServer|HostileClients)Tests|WebClientTests.(WebClient|NameServer)Tests|WorkspaceTests|CastTransportTests|CastReceiverTests.VirtualReceiverTests|CastClientTests.(BadDays|DeviceConnector|RecordedDevice|SlowReader|Authentication)Tests
RUN_TESTS := $(BUILD)/debug/showcallerPackageTests.xctest --testing-library swift-testing --experimental-maximum-parallelization-width
PURE_LOG := $(BUILD)/pure-tests.log
PEERS := .build/peers
PEER_PACKAGES := pychromecast==14.0.7 zeroconf pydantic-sarif==0.1.1 junitparser==5.0.3 tap.py==3.2.1 more-itertools==10.8.0 opentelemetry-proto==1.45.2 jsonschema==4.26.0 PyYAML==6.0.3 croniter==6.0.0
# What people cast with, as judges of the virtual receiver, and the schemas of Kubernetes. Large, so not among what `make test` needs.
JUDGES := .build/judges
JUDGE_PACKAGES := vlc-bin vlc-plugin-base chromium chromium-headless-shell mosquitto
PYTHON_JUDGES := catt==0.13.3 kubernetes-validate==1.37.0 pygls==2.1.1 mcp==2.3.0
# Home Assistant needs Python 3.13, which Debian 12 has not: it is a judge where pyenv or the path has one. pyenv first: its
# command in the path is there also where no project may use it.
HOME_ASSISTANT := .build/judge-home-assistant
HOME_ASSISTANT_PACKAGES := homeassistant==2025.4.4 paho-mqtt==2.1.0
PYTHON_3_13 = $(firstword $(wildcard $(or $(PYENV_ROOT),$(HOME)/.pyenv)/versions/3.13*/bin/python3.13 $(shell command -v python3.13)))

# $(call install,NAMES): names what is missing and installs it; calls apt only then, and asks nothing.
define install
	@missing=(); for name in $(1); do \
	  dpkg-query -W -f '$${Status}' $$name 2>/dev/null | grep -q 'ok installed' || missing+=($$name); done; \
	if [ $${#missing[@]} -gt 0 ]; then \
	  echo "installing Debian packages: $${missing[*]}"; \
	  as_root=(); [ "$$(id -u)" = 0 ] || as_root=(sudo -n); \
	  export DEBIAN_FRONTEND=noninteractive; \
	  { "$${as_root[@]}" apt-get update -qq && \
	    "$${as_root[@]}" apt-get install -y -qq --no-install-recommends "$${missing[@]}" >/dev/null; } || \
	  { echo "could not install them: run 'apt-get install $${missing[*]}' as root, then make again" >&2; exit 1; }; fi
endef

help: ## List the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | sort | awk -F'\t' '{printf "  make %-12s %s\n", $$1, $$2}'

setup: ## Install the Debian packages that are missing
	$(call install,$(PACKAGES))

setup-tests: setup
	$(call install,$(TEST_PACKAGES))

build: setup ## Build the release binary, .build/release/showcaller; with FLEET=1 the MQTT client too, .build-fleet/release/showcaller
	$(SWIFT) build $(RELEASE_FLAGS) --product showcaller

# Where `make install` puts things; a package is made with DESTDIR.
PREFIX ?= /usr/local
# Where `make deb` puts its package, and what it needs.
OUT ?= .build/packages
DEB_PACKAGES := dpkg-dev chrpath
BINARY ?= $(RELEASE)
FILES := $(DESTDIR)$(PREFIX)/bin/showcaller $(DESTDIR)$(PREFIX)/share/man/man1/showcaller.1 \
  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/showcaller \
  $(DESTDIR)$(PREFIX)/share/zsh/vendor-completions/_showcaller \
  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/showcaller.fish \
  $(DESTDIR)$(PREFIX)/lib/systemd/system/showcaller.service
SHARED := $(DESTDIR)$(PREFIX)/share/showcaller
DOCUMENTS := $(DESTDIR)$(PREFIX)/share/doc/showcaller

$(RELEASE):
	$(MAKE) build

install: $(BINARY) ## Install into PREFIX, below DESTDIR: program, completions, manual page, service file, examples
	install -D -m 755 $(BINARY) $(word 1,$(FILES))
	strip --strip-unneeded $(word 1,$(FILES))
	mkdir -p $(sort $(dir $(FILES))) $(SHARED) $(DOCUMENTS)
	$(BINARY) man > $(word 2,$(FILES))
	$(BINARY) completions bash > $(word 3,$(FILES))
	$(BINARY) completions zsh > $(word 4,$(FILES))
	$(BINARY) completions fish > $(word 5,$(FILES))
	sed 's#/usr/bin/showcaller#$(PREFIX)/bin/showcaller#' examples/showcaller.service > $(word 6,$(FILES))
	cp -R examples playlists $(SHARED)/
	cp -R README.md CHANGELOG.md LICENSE docs $(DOCUMENTS)/

uninstall: ## Remove what `make install` with the same PREFIX and DESTDIR put there
	rm -f $(FILES)
	rm -rf $(SHARED) $(DOCUMENTS)

deb: ## Make a Debian package of what `make install` installs, with the MQTT client, in .build/packages
	@$(MAKE) FLEET=1 packed

packed: setup
	$(call install,$(DEB_PACKAGES))
	@[ -e $(BINARY) ] || $(MAKE) build
	packaging/deb.sh $(BINARY) $(OUT)

# A venv made here works with Debian's python and with any other; its packages are the tests' real peers.
$(PEERS)/ready: Makefile
	@echo "installing the peers $(PEER_PACKAGES) into $(PEERS)"
	@rm -rf $(PEERS) && python3 -m venv $(PEERS) && $(PEERS)/bin/pip install -q $(PEER_PACKAGES) && touch $@

# Built once where `make` runs both.
tests-built: setup-tests
	$(SWIFT) build --build-tests $(FLAGS)

test: tests-built $(PEERS)/ready ## Run every test; with ONLY=CastProtocolTests those of that name
	@export SHOWCALLER_PEERS=$(CURDIR)/$(PEERS); \
	if [ -n '$(ONLY)' ]; then exec $(RUN_TESTS) 3 --filter '$(ONLY)'; fi; \
	nice -n 19 $(RUN_TESTS) 2 --skip '$(REAL_TIME)' >$(PURE_LOG) 2>&1 & pure=$$!; trap 'kill $$pure 2>/dev/null' EXIT; \
	status=0; $(RUN_TESTS) 3 --filter '$(REAL_TIME)' || status=$$?; \
	echo 'the tests that need no real time:'; wait $$pure || status=$$?; cat $(PURE_LOG); \
	$(BUILD)/debug/Fuzzing --seconds 20 || status=$$?; \
	$(BUILD)/debug/FaultSearch --seed 5 --seconds 10 || status=$$?; exit $$status

$(JUDGES)/ready: Makefile
	@echo "installing the judges $(PYTHON_JUDGES) into $(JUDGES)"
	@rm -rf $(JUDGES) && python3 -m venv $(JUDGES) && $(JUDGES)/bin/pip install -q $(PYTHON_JUDGES) && touch $@

$(HOME_ASSISTANT)/ready: Makefile
	@rm -rf $(HOME_ASSISTANT); mkdir -p $(HOME_ASSISTANT); \
	if [ -z '$(PYTHON_3_13)' ]; then echo 'SKIPPED: no Python 3.13 for Home Assistant'; exit; fi; \
	echo "installing the judge $(HOME_ASSISTANT_PACKAGES) into $(HOME_ASSISTANT)"; \
	$(PYTHON_3_13) -m venv $(HOME_ASSISTANT) && $(HOME_ASSISTANT)/bin/pip install -q $(HOME_ASSISTANT_PACKAGES) && touch $@

judges: tests-built $(PEERS)/ready $(JUDGES)/ready $(HOME_ASSISTANT)/ready ## Have VLC, Chromium, catt and pychromecast use the virtual receiver, Chromium our pages, pygls `lsp`, the MCP client `mcp`, Home Assistant a site
	$(call install,$(JUDGE_PACKAGES))
	SHOWCALLER_PEERS=$(CURDIR)/$(PEERS) SHOWCALLER_JUDGES=$(CURDIR)/$(JUDGES) \
	  SHOWCALLER_HOME_ASSISTANT=$(if $(PYTHON_3_13),$(CURDIR)/$(HOME_ASSISTANT)) \
	  timeout 900 $(RUN_TESTS) 1 --filter 'EndToEndTests.(JudgeTests|PeerTests|ControlPageTests|ReceiverPageTests|ReportPageTests|ScreenTests|EditorServerTests|AgentServerTests|HomeAssistantTests)'

# How long, with which seed, and which families: frames, json, protobuf, documents, certificates, control, presses, screen, messages, results, recordings; of a search, which
# documents.
MINUTES ?= 5
SEED ?=
fuzz: setup ## Give broken input to all that reads what strangers wrote, for MINUTES=5 (SEED=, ONLY=)
	$(SWIFT) build $(RELEASE_FLAGS) --product Fuzzing
	$(BUILD)/release/Fuzzing $(if $(SEED),--seed $(SEED)) --seconds $$(( $(MINUTES) * 60 )) $(ONLY)

search: setup ## Run examples and playlists in simulation while things go wrong, for MINUTES=5 (SEED=, ONLY=)
	$(SWIFT) build $(RELEASE_FLAGS) --product FaultSearch
	$(BUILD)/release/FaultSearch $(if $(SEED),--seed $(SEED)) --seconds $$(( $(MINUTES) * 60 )) $(ONLY)

# What is left out under the sanitizers, which make everything several times slower: tests that start other programs or
# measure them, and with the thread sanitizer those of targets that are values and have no threads.
SANITIZE ?= address thread
UNSANITIZED := EndToEndTests|BrokerClientTests.(Mosquitto|Trust|HostileBroker|ManyLinks|Access)Tests|MediaServerTests.(MediaServer|HostileClients)Tests|WebClientTests.(WebClient|NameServer)Tests|WorkspaceTests|CitationTests
UNSANITIZED_address := $(UNSANITIZED)
UNSANITIZED_thread := $(UNSANITIZED)|ScenarioLanguageTests|RunReportingTests|ConformanceTests|CompletionsTests|PreflightTests|CastProtocolTests|ToolServersTests
# Leaks are `make soak`'s: what a process of tests keeps to its end is none.
SANITIZER_OPTIONS := ASAN_OPTIONS=detect_leaks=0 TSAN_OPTIONS=suppressions=$(CURDIR)/Tests/thread-sanitizer.supp
sanitize: setup-tests $(SANITIZE:%=sanitize-%) ## Run the unit tests under the address and the thread sanitizer (SANITIZE=thread: one alone)

# Built beside the usual build, which stays as it is: twice a whole build, so not part of `make test`.
sanitize-%: setup-tests
	$(SWIFT) build --build-tests $(FLAGS) --sanitize=$* --scratch-path $(BUILD)/sanitize-$*
	$(SANITIZER_OPTIONS) $(BUILD)/sanitize-$*/debug/showcallerPackageTests.xctest --testing-library swift-testing \
	  --experimental-maximum-parallelization-width 2 --skip '$(UNSANITIZED_$*)'

lint: setup ## Check formatting and the house rules
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests
	@! grep -rnE '(^|[^.A-Za-z])Task *(\.detached|\.immediate)? *\{' Sources/CastProtocol Sources/CastClient Sources/CastReceiver Sources/ScenarioRunner Sources/DeviceControl Sources/RunReporting Sources/ScenarioLanguage Sources/Signage Sources/ControlPage Sources/Preflight Sources/MediaServer Sources/ReceiverScreen Sources/ToolServers Sources/Conformance Sources/FleetMessages Sources/FleetAgent Sources/FleetControl Sources/FleetJobs | grep -vE ':[0-9]+: *//' || \
	  { echo 'a plain Task escapes the simulation: use TimeSource.spawn or a child task' >&2; exit 1; }
	@! grep -rnE 'Task\.sleep|ContinuousClock\(\)|SuspendingClock\(\)|Date\(\)|SystemRandomNumberGenerator' Sources/CastProtocol Sources/CastClient Sources/CastReceiver Sources/ScenarioRunner Sources/DeviceControl Sources/RunReporting Sources/ScenarioLanguage Sources/Signage Sources/ControlPage Sources/Preflight Sources/ReceiverScreen Sources/ToolServers Sources/Conformance Sources/FleetMessages Sources/FleetAgent Sources/FleetControl Sources/FleetJobs | grep -vE ':[0-9]+: *//' || \
	  { echo 'clocks, dates and randomness are handed in' >&2; exit 1; }
	@! grep -rnE '[({] *\([A-Za-z][A-Za-z.]*, [^()]*(\.[a-z]+\()?(try )?await |return \([A-Za-z][A-Za-z.]*, [^()]*(\.[a-z]+\()?(try )?await ' Sources --include='*.swift' | grep -vE ':[0-9]+: *//' || \
	  { echo 'await first, then make the tuple: optimised builds lose what stands before the await' >&2; exit 1; }
	@! grep -rnE 'YAML|Diagnostic|FieldMap|ScalarProblem|SourceSpan|Suggestions' Sources/ScenarioLanguage/Time | grep -vE ':[0-9]+: *//' || \
	  { echo 'calendars and clocks know nothing of documents' >&2; exit 1; }
	@! grep -rnE '\btry!|\bas! |fatalError\(|@unchecked Sendable' Sources --include='*.swift' | grep -vE ':[0-9]+: *//' || \
	  { echo 'nothing may trap on input' >&2; exit 1; }
	@! grep -rnE '(^|[^_.A-Za-z])exit\(|\.exit\(|atexit' Sources --include='*.swift' | grep -vE ':[0-9]+: *//' || \
	  { echo 'end the process by ShowcallerCommand: exit handlers crash the threads that still run' >&2; exit 1; }

format: ## Format the sources in place
	$(SWIFT) format --in-place --parallel --recursive Package.swift Sources Tests

demo: setup ## Watch a scenario being compiled, run over real TLS and judged, and ten seconds of a café's screens
	$(SWIFT) build --product showcaller $(FLAGS)
	$(DEBUG) check examples/ads.yaml
	$(DEBUG) simulate examples/ads.yaml
	$(DEBUG) run --virtual --speed 20x examples/ads.yaml
	$(DEBUG) serve --virtual --from "2026-11-23 06:55" --speed 60x --for 10m playlists/cafe.yaml

# Runs that are killed, cut or out of disk: docs/security.md 5. Forty times what `make test` tries.
DURABLE := EndToEndTests.DurableRunTests|SimulationTests.(ResumedRunTests|CutRunTests)|RunReportingTests.JournalReaderTests
SOAK_EFFORT ?= 40
bench: build ## Measure speed and memory; prints the targets beside the figures
	$(SWIFT) build $(RELEASE_FLAGS) --product Benchmarks
	SHOWCALLER_BINARY=$(CURDIR)/$(RELEASE) $(BUILD)/release/Benchmarks

soak: build tests-built ## Kill runs and go on with them for some minutes; serve a café for an hour (SOAK_MINUTES), and fail where memory or descriptors grow
	SHOWCALLER_EFFORT=$(SOAK_EFFORT) $(RUN_TESTS) 1 --filter '$(DURABLE)'
	Tests/soak.sh $(RELEASE)

docs: setup ## Write the tables of docs/language again
	$(SWIFT) build --product showcaller $(FLAGS)
	$(DEBUG) docs docs/language/*.md

protos: setup ## Make the protobuf code again
	$(call install,protobuf-compiler)
	$(SWIFT) package resolve
	$(SWIFT) build -c release --package-path .build/checkouts/swift-protobuf --scratch-path .build/protoc-gen-swift --product protoc-gen-swift
	cd Sources/CastProtocol/Messages && protoc --plugin=$(CURDIR)/.build/protoc-gen-swift/release/protoc-gen-swift \
	  --swift_opt=UseAccessLevelOnImports=true --swift_out=Generated cast_channel.proto revocation.proto

clean: ## Remove what was built
	rm -rf .build .build-fleet .showcaller
