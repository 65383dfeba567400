# boardd: `make` lists the targets. Go and make are enough for build and demo,
# Node too for the page; test installs the rest of what it needs on Debian.

VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT  := $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)

# The linker flags name the commit, so Go need not ask git again.
GOBUILD := CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags '$(LDFLAGS)'

NPM_CI := npm ci --no-audit --no-fund --loglevel=error

BOARDS    ?= 8
SPEED     ?= 4
FUZZTIME  ?= 5m
BENCH     ?= .
BENCHTIME ?= 1s
LASTS     ?= 1m
ROUNDS    ?= 2000
CRASHES   ?= TestCrash|TestUplinkKills
CUTS      ?= 60

.DEFAULT_GOAL := help
.PHONY: help demo test bench bench-hub lint build native web web-check fuzz fuzz-short unit race qemu e2e crash crash-short powercut setup-test clean

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 14

demo: native ## emulated boards, the real pipeline and a page to look at (BOARDS=8 SPEED=4)
	bin/boardd demo --boards $(BOARDS) --speed $(SPEED)

test: setup-test ## everything that CI checks
	scripts/stages.sh lint web-check unit race fuzz-short build qemu e2e crash-short

bench: ## the figures of docs/performance.md (BENCH=. BENCHTIME=1s)
	go test -run '^$$' -bench '$(BENCH)' -benchtime $(BENCHTIME) -benchmem ./...

bench-hub: ## the hub beside a bare gorilla/websocket loop: 5,000 and 10,000 clients (LASTS=1m)
	go test -tags hubbench -count=1 -timeout 60m -v -run 'Beside|Crowd' ./broadcast -lasts $(LASTS)

lint: ## gofmt, go vet, staticcheck, shellcheck
	scripts/lint.sh

build: ## dist/boardd-linux-{amd64,arm64,armv6}, static
	GOOS=linux GOARCH=amd64 $(GOBUILD) -o dist/boardd-linux-amd64 ./cmd/boardd
	GOOS=linux GOARCH=arm64 $(GOBUILD) -o dist/boardd-linux-arm64 ./cmd/boardd
	GOOS=linux GOARCH=arm GOARM=6 $(GOBUILD) -o dist/boardd-linux-armv6 ./cmd/boardd

native: ## bin/boardd for this machine
	$(GOBUILD) -o bin/boardd ./cmd/boardd

web: ## build the page from its sources (its result is kept in git)
	cd broadcast/web && $(NPM_CI) && npm run --silent build

web-check: ## check the page: its types, its tests, and that the kept result is that of its sources
	cd broadcast/web && $(NPM_CI) && npm run --silent check

unit: ## all Go tests
	go test ./...

race: ## the Go tests under the race detector, without the long ones
	CGO_ENABLED=1 go test -race -short ./...

fuzz: ## each fuzz target for FUZZTIME (5m)
	scripts/fuzz.sh $(FUZZTIME)

fuzz-short: ## each fuzz target for a moment
	scripts/fuzz.sh 3s

qemu: build native ## the ARM binaries replay tapes exactly as this machine's does
	scripts/qemu.sh

e2e: native ## the real binary, boards on ptys, and a browser
	BOARDD_BIN=$(CURDIR)/bin/boardd go test -count=1 -tags e2e ./e2e/...

crash: native ## kill the daemon ROUNDS (2000) times while eight boards play, 24 s for 20 kills; then a venue and its hub 100 times each
	ROUNDS=$(ROUNDS) BOARDD_BIN=$(CURDIR)/bin/boardd go test -count=1 -timeout 24h -tags 'e2e crash' -run '$(CRASHES)' ./e2e

crash-short: ## the first of that, 200 times
	$(MAKE) --no-print-directory crash ROUNDS=200 CRASHES=TestCrash

powercut: ## cut the power at every sync of a simulated disk, in CUTS (60) ways each
	CUTS=$(CUTS) go test -count=1 -timeout 1h -run TestPowerCut -v ./journal

setup-test: ## install what test needs and this machine lacks
	scripts/setup-test.sh

clean: ## remove what was built
	rm -rf bin dist broadcast/web/node_modules
