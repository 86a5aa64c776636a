# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What a guest left behind becomes a KTAP subtest: its own results, and a failing one for every
# fault that it could not or did not report itself.

# log_splats LOG: "KIND: MESSAGE" for the first message of every kind in lib/splats, but for warnings that lib/stock-warnings knows.
log_splats() {
	tr -d '\r' <"$1" | awk -F '\t' '
		# Of a known warning, all but what makes it one.
		function judge(message, known,   i) {
			for (i = 1; i <= n; i++)
				if (!(i in seen) && !(known && kind[i] ~ /^(cut-here|warning|backtrace)$/) && message ~ regex[i]) {
					seen[i] = 1
					print kind[i] ": " message
				}
		}
		# A whole warning, from "cut here" to "end trace".
		function judge_warning(   text, i, known) {
			for (i = 1; i <= nlines; i++)
				text = text line[i] "\n"
			for (i = 1; i <= nstock; i++)
				if (text ~ stock[i] && text !~ /\[smtprio\]/ && (when[i] == "always" || !loaded))
					known = 1
			for (i = 1; i <= nlines; i++)
				judge(line[i], known)
			nlines = 0
		}
		FILENAME != "-" {
			if (/^#/ || NF != 2)
				next
			if (FILENAME ~ /splats$/) { kind[++n] = $1; regex[n] = $2 }
			else { when[++nstock] = $1; stock[nstock] = $2 }
			next
		}
		# Only what bears a time stamp is the kernel speaking; a program may have left a line open before it.
		match($0, /\[ *[0-9]+\.[0-9][0-9][0-9][0-9][0-9][0-9]\](\[ *[TC][0-9]+\])? /) {
			message = substr($0, RSTART + RLENGTH)
			if (message ~ /^smtprio: /)
				loaded = 1
			if (message ~ /^-+\[ cut here \]-+/) {
				judge_warning()
				line[nlines = 1] = message
			} else if (nlines) {
				line[++nlines] = message
				if (message ~ /^---\[ end trace /)
					judge_warning()
			} else {
				judge(message)
			}
		}
		END { judge_warning() }
		' "$VM_DIR/lib/splats" "$VM_DIR/lib/stock-warnings" -
}

# guest_faults RESULTS LOG STATUS TIMEOUT: a line for everything that is wrong beyond the test's own results.
# STATUS is that of timeout(1) around QEMU.
guest_faults() {
	local results=$1 log=$2 status=$3 timeout=$4 end

	case $status in
	0)		;;
	124|137)	echo "the guest did not end by itself within $timeout seconds" ;;
	*)		echo "QEMU ended with status $status" ;;
	esac
	end=$(tr -d '\r' <"$results" | sed -n 's/^# guest-end //p' | tail -n 1)
	case $end in
	0)	;;
	'')	echo "no end marker: the guest or its test died, or never came to an end" ;;
	*)	echo "the test script ended with status $end" ;;
	esac
	# Without time stamps no message of the kernel would be seen for one.
	if [ -s "$log" ] && ! grep -qE '\[ *[0-9]+\.[0-9]{6}\]' "$log"; then
		echo "the kernel's messages bear no time stamps"
	fi
	log_splats "$log" | sed 's/^/kernel log: /'
}

# guest_report NAME RESULTS LOG STATUS TIMEOUT COUNTS: print the subtest; "PASSED FAILED SKIPPED" goes
# to the file COUNTS.
guest_report() {
	{
		tr -d '\r' <"$2"
		guest_faults "$2" "$3" "$4" "$5" | sed 's/^/@fault /'
	} | awk -v name="$1" -v counts="$6" '
		function result(good, text) {
			printf "    %s %d - %s\n", good ? "ok" : "not ok", ++n, text
			if (!good)
				failed++
			else if (text ~ /# SKIP/)
				skipped++
			else
				passed++
		}
		function fault(text) {
			result(0, text)
		}
		BEGIN {
			passed = failed = skipped = 0
			print "    KTAP version 1\n    # Subtest: " name
		}
		/^@fault / { faults[++nfaults] = substr($0, 8); next }
		/^# guest-end / { next }
		/^# figure / {
			if (NF == 4)
				figures[++nfigures] = "# figure " name "/" $3 " " $4
			else
				faults[++nfaults] = "a figure is not NAME VALUE: " $0
			next
		}
		/^(not )?ok( |$)/ {
			good = !/^not /
			sub(/^(not )?ok */, "")
			sub(/^[0-9]+ */, "")
			sub(/^- */, "")
			result(good, $0)
			next
		}
		/^1\.\.[0-9]+/ {
			plans++
			plan = substr($1, 4) + 0
			why = /# SKIP/
			if (why) {
				sub(/^1\.\.0 */, "")
				reason = $0
			}
			next
		}
		/^KTAP version/ { next }
		NF { print "    " (/^#/ ? "" : "# ") $0 }
		END {
			own = n
			if (!plans)
				fault("the test printed no plan")
			else if (plans > 1)
				fault("the test printed " plans " plans")
			else if (plan != own)
				fault("the plan says " plan " results, the test gave " own + 0)
			else if (!plan && why)
				result(1, "the whole test " reason)
			else if (!plan)
				fault("the plan is empty")
			for (i = 1; i <= nfaults; i++)
				fault(faults[i])
			print "    1.." n
			for (i = 1; i <= nfigures; i++)
				print figures[i]
			print passed, failed, skipped >counts
		}'
}
