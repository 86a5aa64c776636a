#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Called by tuned with start, stop [full_rollback] or verify. Do not enable smtprio.service beside it.
conf=${SMTPRIO_CONF:-/etc/smtprio.conf}

case ${1:-} in
start)	modprobe -b smtprio && smtprioctl apply "$conf" ;;
stop)	[ ! -e /sys/kernel/smtprio ] || smtprioctl unload ;;
verify)	smtprioctl apply --check "$conf" && smtprioctl get mode >/dev/null ;;
*)	echo "usage: ${0##*/} start|stop|verify" >&2; exit 1 ;;
esac
