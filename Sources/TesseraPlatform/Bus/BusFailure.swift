// SPDX-License-Identifier: MIT
// Why there is no answer from the bus.

import TesseraEngine

/// Why a call over a bus brought nothing; whoever called knows what that means.
enum BusFailure: Error {
  /// There is no client of D-Bus on this machine; what was tried.
  case libraryMissing(String)
  /// There is no way to the bus, by an `errno`; `EPERM` also for another user's.
  case noWay(Int32)
  /// The call could not be made: an argument did not fit, or memory ran out.
  case unmade
  /// The bus or the service answered with an error: its name, and its words.
  case named(String, String)
  /// The answer has other values than were expected.
  case surprise
  /// The answer has more bytes than are read.
  case tooLong(Int)
  /// Nobody answered in time.
  case timeout
  /// The caller's deadline passed, or it said stop.
  case ended(TesseraError)
}
