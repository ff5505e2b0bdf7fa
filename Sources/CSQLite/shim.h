// SPDX-License-Identifier: MIT
// SQLite, and the one function of it that Swift cannot call because its arguments vary.

#include <sqlite3.h>

/** Switch an option of a connection on or off (sqlite3_db_config). */
static inline int tessera_sqlite_set(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
