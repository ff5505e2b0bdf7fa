/* SPDX-License-Identifier: MIT */
/* A question of Tessera's own to a database file. */
#ifndef CTESSERA_RESERVE_H
#define CTESSERA_RESERVE_H

/** For sqlite3_file_control: how many frames the log has (unsigned *). Codes from 100 up are for applications. */
enum { ctessera_log_frames = 0x54455353 };

#endif
