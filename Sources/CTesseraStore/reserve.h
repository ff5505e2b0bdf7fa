/* SPDX-License-Identifier: MIT */
/* Questions of Tessera's own to a database file. */
#ifndef CTESSERA_RESERVE_H
#define CTESSERA_RESERVE_H

/**
 * For sqlite3_file_control; codes from 100 up are for applications.
 *
 * The number of frames in the log (unsigned *), the errno of an index that cannot be made or written (int *), and
 * whether the locks are POSIX locks of the process (int *).
 */
enum { ctessera_log_frames = 0x54455353, ctessera_index_refusal, ctessera_process_locks };

/** What a write says: a quota, or a limit of files, is a lack of room just as a full disk is, of which alone SQLite knows. */
int ctessera_written(int result);

#endif
