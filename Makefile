# SPDX-License-Identifier: MIT
# The targets of Tessera; each is one or two lines, and CI calls the same ones.

PREFIX ?= /usr/local
export LC_ALL ?= C.UTF-8
# A crash ends a test at once instead of opening a debugger that waits for a person.
export SWIFT_BACKTRACE ?= enable=no

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 18

demo: ## Sign in once, get tokens in C, Python and Swift, refresh once
	@scripts/deps demo
	scripts/demo

test: ## Run the tests of Swift, C and Python and sum up
	@scripts/deps test
	JOBS=2 scripts/run-tests test-swift lib test-c test-python test-examples

test-swift: ## Run the Swift tests
	swift test

test-c: lib ## Run the tests of the C interface against build/lib
	Tests/C/run

test-python: lib ## Run the tests of the Python binding against build/lib
	scripts/test-python

test-examples: lib ## Run the examples of all languages against the local provider
	Tests/Examples/run

test-errors: lib ## Meet every situation of the table of errors in C, Python and Swift
	@scripts/deps test
	scripts/build-release tessera-provider tessera-errors
	Tests/Errors/run

test-command: ## Run the command line against the local provider
	scripts/build-release tessera-cli tessera-provider
	Tests/Command/run

test-docs: lib ## Run every code block of the pages as it stands there: BLOCKS=
	@scripts/deps docs
	scripts/build-release tessera-cli tessera-provider
	scripts/install build/stage library programs
	$$(scripts/venv) Tests/Docs/run $(BLOCKS)

test-network: ## Measure how late calls end on networks that do not answer
	Tests/Network/deadlines.sh

test-scopes: lib ## Run the table of scopes in C and Python against the local provider
	scripts/build-release tessera-provider
	Tests/Scopes/run

test-rules: lib ## Run the rules of MSAL for Apple's own tests in C and Python
	Tests/Rules/run

test-compatibility: lib ## Use the files of an earlier version, and compare requests and results: BASE_LIB=
	@scripts/deps test
	$$(scripts/venv) Tests/Compatibility/run

test-schemes: lib ## Register schemes in throw-away homes, and sign in through what the desktop opens
	@scripts/deps schemes
	scripts/build-release tessera-cli tessera-provider
	Tests/Schemes/run

test-browser: lib ## Sign in with a real browser, from C, Python, Swift and the examples
	@scripts/deps browser
	scripts/build-release tessera-cli tessera-provider sign_in_browser
	Tests/Browser/run

test-webview: lib ## Sign in with the web view on a screen that nobody sees; skipped without WebKitGTK
	@scripts/deps webview && $(MAKE) --no-print-directory -C WebView || echo "webview: WebKitGTK is missing"
	scripts/build-release tessera-cli tessera-provider
	Tests/WebView/run

test-privileges: lib ## Run a setuid, a setcap and an ordinary program in a hostile environment: LONG=1
	@scripts/deps privileges
	Tests/Privileges/run $(if $(LONG),--long)

test-locks: ## Kill, stop, fork and race holders of the locks: ENTRIES=2000
	swift build --product tessera-locks
	Tests/Locks/run $(ENTRIES)

test-brokers: lib ## Ask an identity broker on a bus of its own, from C, Python and Swift, while it comes, goes and misbehaves
	@scripts/deps brokers
	scripts/build-release tessera-cli tessera-provider
	Tests/Brokers/run

test-stacks: lib ## Make every blocking call on small stacks and in a coroutine: LONG=1
	@scripts/deps test
	scripts/build-release tessera-provider
	Tests/Stacks/run

test-alloc: lib ## Let each allocation and system call of a call fail once: LONG=1
	@scripts/deps test
	scripts/build-release tessera-provider
	Tests/Alloc/run

test-keys: lib ## Use stores while keyrings lock, hang, forget and come back
	@scripts/deps keys
	scripts/build-release tessera-cli tessera-provider
	Tests/Keys/run

test-servers: lib ## Run the tests against a real OpenID provider
	@scripts/deps servers
	Tests/Servers/run

test-authorities: lib ## Sign in, refresh, be challenged, sign out: every kind of authority, C, Python and Swift
	@scripts/deps servers
	Tests/Authorities/run

test-migration: lib ## Move people from older libraries without a prompt, and damage their caches: MUTATIONS= MEGABYTES=
	@scripts/deps test
	scripts/build-release tessera-older-caches
	Tests/Migration/run

test-interop: lib ## Share sign-ins with the real MSAL Python and Azure SDK of PyPI: LONG=1 SEED=
	@scripts/deps interop
	Tests/Interop/run

fuzz: ## Fuzz what reads the network, the store and requests: LONG=1 TARGETS= SEED=
	@scripts/deps build
	Tests/Fuzz/run $(if $(LONG),600,60) $(TARGETS)

test-mutations: lib ## Use stores whose bytes were damaged: LONG=1 RUNS=10000 SEED=
	@scripts/deps test
	scripts/test-store mutations

test-layouts: ## Write with two layouts at once: LONG=1 OPERATIONS=10000
	OPERATIONS=$(or $(OPERATIONS),$(if $(LONG),10000,600)) swift test --filter TwoLayoutsTests

test-power-loss: lib ## Use disks as a loss of power leaves them: LONG=1 RUNS=5000 SEED=
	@scripts/deps test
	scripts/test-store power-loss

test-canary: lib ## Look for secrets wherever none may be, sealed and in clear
	@scripts/deps test
	scripts/test-store canary

test-asan: ## Run the Swift and C tests with AddressSanitizer
	@scripts/deps test
	scripts/test-sanitized address

test-tsan: ## Run the Swift and C tests with ThreadSanitizer
	@scripts/deps test
	scripts/test-sanitized thread

house: lib ## Measure how readable the code is, and which rooms a cached token enters
	@scripts/deps test
	swift build --product tessera-c && swift build --product tessera-bench
	scripts/house --built

lint: ## Check format, sizes, house rules, scripts and Python
	@scripts/deps lint
	scripts/lint

format: ## Format the Swift sources
	swift format -i -r -p Package.swift Sources Tests Benchmarks examples/swift

lib: ## Build the self-contained shared library into build/lib
	@scripts/deps build
	scripts/build-release tessera-c

wheel: lib ## Build the Python wheel with the library inside into build/wheels
	scripts/wheel

install: lib ## Install library, header and programs: PREFIX=/usr/local DESTDIR=
	scripts/build-release tessera-cli tessera-provider
	DESTDIR="$(DESTDIR)" scripts/install "$(PREFIX)" library programs

webview: ## Build the web view, with WebKitGTK, into build/libexec
	@scripts/deps webview
	$(MAKE) --no-print-directory -C WebView

install-webview: webview ## Install the web view: PREFIX=/usr/local DESTDIR=
	DESTDIR="$(DESTDIR)" scripts/install "$(PREFIX)" webview

bench: lib ## Measure how long a cached token takes
	@scripts/deps bench
	scripts/bench

bench-compare: lib ## Compare the library's speed with another build: OTHER=/path/libtessera.so ROUNDS=12
	@scripts/deps bench
	scripts/bench-compare "$(OTHER)"

soak-kill: lib ## Kill writers, fill disks, fail writes: LONG=1 RUNS=5000 SEED=7
	@scripts/deps soak
	scripts/soak kill

soak-refresh: lib ## Need one token in all processes at once: LONG=1 RUNS= SEED=
	@scripts/deps soak
	scripts/soak refresh

soak-read: lib ## Read the tokens that writers replace: LONG=1 RUNS= SEED=
	@scripts/deps soak
	scripts/soak read

soak-many: lib ## Crowds, copies of the library, vanishing files: LONG=1 RUNS= SEED= OTHER=
	@scripts/deps soak
	scripts/soak many

soak-growth: lib ## Commit tokens that live a minute, and read: LONG=1 RUNS= SEED=
	@scripts/deps soak
	scripts/soak growth

test-offline: lib ## Cut the network, be told to stay away, set clocks wrong: LONG=1 RUNS=
	@scripts/deps soak
	scripts/soak offline

docs: ## Build the documentation of the Swift module into build/docs
	scripts/docs

deps: ## Install what the targets need from the system, or name it
	@scripts/deps build demo test docs bench soak interop keys brokers lint servers schemes browser webview privileges

clean: ## Remove everything that was built
	rm -rf build .build examples/swift/.build

.PHONY: help demo test test-swift test-c test-python test-examples test-errors test-command test-docs test-network test-scopes test-rules test-compatibility test-schemes test-browser test-webview test-privileges test-locks \
  test-brokers test-stacks test-alloc test-keys test-servers test-authorities test-migration test-interop fuzz test-mutations test-layouts test-power-loss test-canary test-asan \
  test-tsan house lint format lib wheel install webview install-webview bench bench-compare soak-kill soak-refresh soak-read soak-many soak-growth test-offline \
  docs deps clean
