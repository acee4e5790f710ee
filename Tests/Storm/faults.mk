# How often `make faults` ends a playing podcli.
KILLS ?= 200

.PHONY: faults
faults: release test-deps ## kill podcli while it plays, fetches and writes, and cut the power (KILLS=200, or SECONDS=60 each)
	@$(RELEASE_BUILD) --product podcli-storm
	for storm in 'play $(KILLS)' 'control $(KILLS)' sink kill refresh migrate index download power sync sync-server servers; do
	  .build/release/podcli-storm $(if $(filter command,$(firstword $(origin SECONDS))),$${storm%% *} $(SECONDS)s,$$storm)
	done

.PHONY: brief-faults
brief-faults: deps
	@for product in podcli podcli-storm; do $(SWIFT) build $(RULES) --product $$product; done
	storm="$$($(SWIFT) build --show-bin-path)/podcli-storm"
	for arguments in 'play 3' 'control 3' 'sink 3' 'kill 10' 'refresh 3' 'migrate 3' 'index 3' 'download 2' 'power 10' 'sync 3' 'sync-server 3' 'servers behaves'; do
	  "$$storm" $$arguments
	done
