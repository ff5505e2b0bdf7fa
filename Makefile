# SPDX-License-Identifier: MIT
# The build and test targets of Tessera. CI calls the same targets.

PREFIX ?= /usr/local
export LC_ALL ?= C.UTF-8
# A crash ends a test at once instead of opening an interactive debugger.
export SWIFT_BACKTRACE ?= enable=no
# SwiftPM would pass the traits to the compiler in a random order, and each build would compile everything again.
SWIFT_BUILD = SWIFT_DETERMINISTIC_HASHING=1 swift build

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 18

demo: ## Demonstrate one sign-in shared by programs in C, Python and Swift
	@scripts/deps demo
	scripts/demo

test: ## Run the Swift, C and Python tests and print a summary
	@scripts/deps test
	JOBS=2 scripts/run-tests test-swift lib test-c test-python test-examples

test-swift: ## Run the Swift tests
	$(SWIFT_BUILD) --build-tests
	swift test --skip-build

test-c: lib ## Run the tests of the C interface against build/lib
	Tests/C/run

test-python: lib ## Run the tests of the Python binding against build/lib
	scripts/test-python

test-examples: lib ## Run the examples of all languages against the local provider: LONG=1
	Tests/Examples/run

test-runtimes: lib ## Run the cases of Tests/Runtimes in every language with a binding, with LONG=1 in others too
	@scripts/deps runtimes $(if $(LONG),runtimes-long)
	scripts/build-release tessera-provider
	$$(scripts/venv) Tests/Runtimes/run $(if $(LONG),--long)

test-features: lib ## Build and test the library without its features
	@scripts/deps test
	scripts/test-features

test-errors: lib ## Test every error code in C, Python and Swift
	@scripts/deps test
	scripts/build-release tessera-provider tessera-errors
	Tests/Errors/run

test-ciphers: ## Compare the ciphers of the release builds with swift-crypto
	scripts/build-release tessera-ciphers
	build/swift-release/release/tessera-ciphers

test-command: ## Run the command line against the local provider
	scripts/build-release tessera-cli tessera-provider
	Tests/Command/run

test-install: lib ## Test the installation, the manual pages and the completions in bash, zsh and fish
	@scripts/deps install
	scripts/build-release tessera-cli tessera-provider
	scripts/manual build/share
	Tests/Install/run

test-docs: lib ## Run every code block of the documentation: BLOCKS=
	@scripts/deps docs
	scripts/build-release tessera-cli tessera-provider
	scripts/install build/stage library programs
	$$(scripts/venv) Tests/Docs/run $(BLOCKS)

test-network: ## Measure the timeouts of calls on unresponsive networks
	Tests/Network/deadlines.sh

test-scopes: lib ## Run the scope table in C and Python against the local provider
	scripts/build-release tessera-provider
	Tests/Scopes/run

test-rules: lib ## Run the test rules of MSAL for Apple in C and Python
	Tests/Rules/run

test-compatibility: lib ## Test files of an earlier version, with recorded requests and results: BASE_LIB=
	@scripts/deps test
	$$(scripts/venv) Tests/Compatibility/run

test-schemes: lib ## Test URI scheme registration and sign-in in temporary home directories
	@scripts/deps schemes
	scripts/build-release tessera-cli tessera-provider
	Tests/Schemes/run

test-browser: lib ## Sign in with a real browser, from C, Python, Swift and the examples
	@scripts/deps browser
	scripts/build-release tessera-cli tessera-provider sign_in_browser
	Tests/Browser/run

test-webview: lib ## Test the web view on a virtual screen; skipped without WebKitGTK
	@scripts/deps webview && $(MAKE) --no-print-directory -C WebView || echo "webview: WebKitGTK is missing"
	scripts/build-release tessera-cli tessera-provider
	Tests/WebView/run

test-privileges: lib ## Run setuid, setcap and ordinary programs in a hostile environment: LONG=1
	@scripts/deps privileges
	Tests/Privileges/run $(if $(LONG),--long)

test-locks: ## Kill, stop, fork and race the holders of locks: ENTRIES=2000
	$(SWIFT_BUILD) --product tessera-locks
	Tests/Locks/run $(ENTRIES)

test-brokers: lib ## Test brokers on a private D-Bus from C, Python and Swift, with crashes and invalid responses
	@scripts/deps brokers
	scripts/build-release tessera-cli tessera-provider
	Tests/Brokers/run

test-stacks: lib ## Test blocking calls on small stacks and in coroutines: LONG=1
	@scripts/deps test
	scripts/build-release tessera-provider
	Tests/Stacks/run

test-alloc: lib ## Inject a failure into each allocation and system call: LONG=1
	@scripts/deps test
	scripts/build-release tessera-provider
	Tests/Alloc/run

test-keys: lib ## Test stores with locked, hanging, emptied and restarted keyrings
	@scripts/deps keys
	scripts/build-release tessera-cli tessera-provider
	Tests/Keys/run

test-helpers: ## Test the helpers with real programs, from Git to mail programs: LONG=1
	@scripts/deps helpers
	scripts/build-release tessera-cli tessera-provider
	Tests/Helpers/run $(if $(LONG),--long)

test-servers: lib ## Run the tests against glewlwyd, an OpenID provider
	@scripts/deps servers
	Tests/Servers/run

test-services: lib ## Test services with every credential, in many processes, also at glewlwyd: LONG=1
	@scripts/deps servers
	LONG=$(LONG) Tests/Services/run

test-authorities: lib ## Test every authority type in C, Python and Swift
	@scripts/deps servers
	Tests/Authorities/run

test-migration: lib ## Test migration from older libraries, also with damaged caches: MUTATIONS= MEGABYTES=
	@scripts/deps test
	scripts/build-release tessera-older-caches
	Tests/Migration/run

test-interop: lib ## Test the cache shared with MSAL Python and the Azure SDK: LONG=1 SEED=
	@scripts/deps interop
	Tests/Interop/run

fuzz: ## Fuzz the parsers of responses, stores and requests: LONG=1 TARGETS= SEED=
	@scripts/deps build
	Tests/Fuzz/run $(if $(LONG),600,60) $(TARGETS)

test-mutations: lib ## Test stores with damaged bytes: LONG=1 RUNS=10000 SEED=
	@scripts/deps test
	scripts/test-store mutations

test-layouts: ## Test concurrent writes with two store layouts: LONG=1 OPERATIONS=10000 OTHER=/path/libtessera.so
	$(SWIFT_BUILD) --build-tests
	OPERATIONS=$(or $(OPERATIONS),$(if $(LONG),10000,600)) swift test --skip-build --filter TwoLayoutsTests
	$(if $(OTHER),scripts/test-store layouts "$(OTHER)" $(or $(OPERATIONS),$(if $(LONG),10000,400)))

test-power-loss: lib ## Test stores after a simulated power loss: LONG=1 RUNS=5000 SEED=
	@scripts/deps test
	scripts/test-store power-loss

test-canary: lib ## Search files, logs and memory for leaked secrets
	@scripts/deps test
	scripts/test-store canary

test-asan: ## Run the Swift, C and broker tests with AddressSanitizer
	@scripts/deps test
	scripts/test-sanitized address

test-tsan: ## Run the Swift, C and broker tests with ThreadSanitizer
	@scripts/deps test
	scripts/test-sanitized thread

structure: lib ## Measure the structure of the code, and the files that cache hits and a refresh enter
	@scripts/deps test
	$(SWIFT_BUILD) --product tessera-c && $(SWIFT_BUILD) --product tessera-bench
	scripts/check-structure --built

house: structure ## Measure the structure, under a shorter name

lint: ## Check format, structure, language, scripts and Python
	@scripts/deps lint
	scripts/lint

format: ## Format the Swift sources
	swift format -i -r -p Package.swift Sources Tests Benchmarks examples/swift

lib: ## Build the self-contained shared library into build/lib: FEATURES= SQLITE=system RELOCATIONS=packed
	@scripts/deps build
	scripts/build-release tessera-c

wheel: lib ## Build the Python wheel, which contains the library and the programs, into build/wheels
	scripts/build-release tessera-cli tessera-provider
	scripts/wheel

install: lib ## Install the library, the programs, their manual pages and the documentation: PREFIX=/usr/local DESTDIR=
	scripts/build-release tessera-cli tessera-provider
	scripts/manual build/share
	DESTDIR="$(DESTDIR)" scripts/install "$(PREFIX)" library programs documentation advice

uninstall: ## Remove everything that was installed, also by earlier versions: PREFIX=/usr/local DESTDIR=
	DESTDIR="$(DESTDIR)" scripts/install "$(PREFIX)" nothing

webview: ## Build the WebKitGTK web view into build/libexec
	@scripts/deps webview
	$(MAKE) --no-print-directory -C WebView

install-webview: webview ## Install the web view: PREFIX=/usr/local DESTDIR=
	DESTDIR="$(DESTDIR)" scripts/install "$(PREFIX)" webview

bench: lib ## Measure the time of a cache hit
	@scripts/deps bench
	scripts/bench

bench-helpers: lib ## Measure the helpers beside MSAL Python and the Azure CLI: AZ=/path/az
	@scripts/deps bench
	scripts/build-release tessera-bench tessera-cli
	scripts/bench-programs
	build/bench/venv/bin/python Benchmarks/Python/helpers.py $(AZ)

bench-compare: lib ## Compare the speed with another build: OTHER=/path/libtessera.so CONTESTANT= ROUNDS=12
	@scripts/deps bench
	scripts/bench-compare "$(OTHER)" $(CONTESTANT)

soak-kill: lib ## Kill writers, fill disks, inject write errors: LONG=1 RUNS=5000 SEED=7
	@scripts/deps soak
	scripts/soak kill

soak-refresh: lib ## Request one token in many processes at once: LONG=1 RUNS= SEED=
	@scripts/deps soak
	scripts/soak refresh

soak-read: lib ## Read tokens while writers replace them: LONG=1 RUNS= SEED=
	@scripts/deps soak
	scripts/soak read

soak-many: lib ## Test many processes, two library copies and deleted files: LONG=1 RUNS= SEED= OTHER=
	@scripts/deps soak
	scripts/soak many

soak-growth: lib ## Measure the store size with one-minute tokens: LONG=1 RUNS= SEED=
	@scripts/deps soak
	scripts/soak growth

test-offline: lib ## Test lost networks, throttling responses and wrong clocks: LONG=1 RUNS=
	@scripts/deps soak
	scripts/soak offline

docs: ## Build the documentation of the Swift modules into build/docs, and check its links, topics and names
	$(SWIFT_BUILD) --product tessera-soak
	scripts/docs
	scripts/check-members

deps: ## Install the system packages of the targets, or list them
	@scripts/deps build demo test docs bench soak interop keys brokers lint servers schemes browser webview privileges helpers runtimes install

clean: ## Remove all build products
	rm -rf build .build Sources/Programs/.build examples/swift/.build Tests/External/.build

.PHONY: help demo test test-swift test-c test-python test-examples test-runtimes test-features test-errors test-ciphers test-command test-install test-docs test-network test-scopes test-rules test-compatibility test-schemes test-browser test-webview test-privileges test-locks \
  test-brokers test-stacks test-alloc test-keys test-helpers test-servers test-services test-authorities test-migration test-interop fuzz test-mutations test-layouts test-power-loss test-canary test-asan \
  test-tsan structure house lint format lib wheel install uninstall webview install-webview bench bench-compare bench-helpers soak-kill soak-refresh soak-read soak-many soak-growth test-offline \
  docs deps clean
