/* SPDX-License-Identifier: MIT */
/* Tessera's file control operations of a database file. */
#ifndef CTESSERA_RESERVE_H
#define CTESSERA_RESERVE_H

/**
 * Operations for sqlite3_file_control(); codes from 100 up are reserved for applications.
 *
 * - ctessera_log_frames gets the number of frames in the log (unsigned *).
 * - ctessera_index_refusal gets the errno value because of which the WAL index cannot be created or written (int *).
 * - ctessera_process_locks gets whether the connection uses POSIX locks (int *).
 */
enum { ctessera_log_frames = 0x54455353, ctessera_index_refusal, ctessera_process_locks };

/**
 * Map the result of a write: an exceeded quota or file size limit becomes SQLITE_FULL. SQLite only maps a full disk.
 */
int ctessera_map_write_error(int result);

#endif
