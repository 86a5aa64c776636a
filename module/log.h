/* SPDX-License-Identifier: GPL-2.0 */
/* Included before everything else (Kbuild): each log line names the module. */
#ifndef SMTPRIO_LOG_H
#define SMTPRIO_LOG_H

#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#endif /* SMTPRIO_LOG_H */
