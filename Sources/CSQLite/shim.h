// SPDX-License-Identifier: MIT
// SQLite, and a wrapper of a variadic function that Swift cannot call.

#include <sqlite3.h>

/** Enable or disable a boolean option of a connection (sqlite3_db_config). */
static inline int tessera_sqlite_set(sqlite3 *database, int option, int value) {
  return sqlite3_db_config(database, option, value, (int *)0);
}
