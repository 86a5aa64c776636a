# SPDX-License-Identifier: GPL-2.0-or-later
# smtprio: `make help` lists what there is.

VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)
KVER ?= $(shell uname -r)
KDIR ?= /lib/modules/$(KVER)/build
DESTDIR ?=
PREFIX ?= /usr/local
DKMS_SOURCE := /usr/src/smtprio-$(VERSION)

.PHONY: all module tool demo bench torture check check-all lint unit cli fuzz vm dkms \
	install uninstall dkms-install dkms-remove dkms-source sign deb rpm packages build-matrix clean help

all: module tool

help:
	@echo 'make                 module (for the running kernel) and smtprioctl'
	@echo 'make demo            boot a stock kernel in QEMU and show what the module changes'
	@echo 'make bench           what a wakeup costs, in instructions'
	@echo 'make torture         all at once for SECONDS=600, with SEED=, on KERNELS='
	@echo 'make check           all tests; make check-all: their long form'
	@echo 'make lint unit cli fuzz vm dkms   one part of the tests'
	@echo 'make install         module and tool          (DESTDIR=, PREFIX=, KVER=)'
	@echo 'make dkms-install    module through DKMS, and the tool'
	@echo 'make dkms-remove     undo that'
	@echo 'make uninstall       undo make install'
	@echo 'make sign            smtprio.ko, with KEY=FILE CERT=FILE (Secure Boot)'
	@echo 'make deb, make rpm   packages, in build/'
	@echo 'make packages        tests of them in clean Debian 12 and 13'
	@echo 'make build-matrix    build for all kernels that Debian offers (MATRIX="-n -s SUITE")'
	@echo 'make clean'

# Debian names the package of a kernel's headers after its release.
define need_headers
@test -e '$(KDIR)/Makefile' || { \
	echo 'smtprio: no kernel headers in $(KDIR): install the package linux-headers-$(KVER) (or give KDIR=)' >&2; \
	exit 1; }
endef

module:
	$(need_headers)
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

tool:
	$(MAKE) -C userspace

# As DKMS does it; "make install" then installs the signed file.
FILE ?= smtprio.ko
sign:
	@contrib/sign '$(KDIR)' '$(KEY)' '$(CERT)' '$(FILE)'

install: all
	$(MAKE) -C $(KDIR) M=$(CURDIR) INSTALL_MOD_DIR=updates \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(abspath $(DESTDIR)) DEPMOD=true) modules_install
	$(MAKE) -C userspace install DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)

uninstall:
	rm -f $(DESTDIR)/lib/modules/$(KVER)/updates/smtprio.ko*
	$(MAKE) -C userspace uninstall DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)
	$(if $(DESTDIR),,depmod $(KVER))

# With DESTDIR the source is only staged: DKMS works on the running system.
dkms-source:
	install -d $(DESTDIR)$(DKMS_SOURCE)
	cp -r Kbuild dkms.conf $(DESTDIR)$(DKMS_SOURCE)
	cd module && find . -name '*.[ch]' ! -name '*.mod.c' -exec install -D -m 644 {} $(abspath $(DESTDIR)$(DKMS_SOURCE))/module/{} \;

dkms-install: tool dkms-source
	$(MAKE) -C userspace install DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)
ifeq ($(DESTDIR),)
	dkms install smtprio/$(VERSION) -k $(KVER)
endif

dkms-remove:
ifeq ($(DESTDIR),)
	dkms remove smtprio/$(VERSION) --all
endif
	rm -rf $(DESTDIR)$(DKMS_SOURCE)
	$(MAKE) -C userspace uninstall DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)

# Packages, in build/deb and build/rpm.
deb rpm:
	contrib/package $@

# Against all headers that Debian offers: long, and no part of make check.
build-matrix:
	tests/build-matrix $(MATRIX)

demo:
	tests/demo/run

# Instruction counts: of the decisions alone, and on two stock kernels, one guest at a time; and memory.
bench:
	tests/deps unit memory
	bench/policy/run
	mkdir -p build
	bash -o pipefail -c 'tests/vm/run -j 1 -d bench/guest -k 6.12-amd64 -k 7.3-amd64 | tee build/bench.log'
	bench/table build/bench.log
	bench/table --worse bench/wakeup.json build/bench.log
	bench/memory $${SMTPRIO_CACHE:-/var/cache/smtprio}/build/7.3-amd64/smtprio/smtprio.ko

# Loads, writes, hotplug, cpusets and storms at once; a seed begins the same way again.
SECONDS ?= 600
SEED ?= $(shell date +%s)
KERNELS ?= 6.12-amd64 6.12-rt-amd64 debug-amd64
torture:
	tests/vm/run -j 1 $(addprefix -k ,$(KERNELS)) -t torture -T $(SECONDS) \
		-a 'TORTURE_SECONDS=$(SECONDS) TORTURE_SEED=$(SEED)'

check:
	tests/check

check-all:
	SMTPRIO_LONG=1 tests/check

lint unit cli fuzz vm dkms packages:
	tests/check $@

clean:
	rm -rf build
	find module -name '*.o' -o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' | xargs -r rm -f
	find . -maxdepth 1 \( -name '*.o' -o -name '*.ko' -o -name '*.mod' -o -name '*.mod.c' -o -name '.*.cmd' \
		-o -name Module.symvers -o -name modules.order \) -exec rm -f {} +
