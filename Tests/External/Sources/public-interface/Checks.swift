// SPDX-License-Identifier: MIT
// Expectations: the first one that fails prints its place and ends the program with status 1.

import Synchronization
import Tessera

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The number of expectations that were met.
let checkCount = Atomic(0)

/// Ends the program unless two values are equal.
func expect<Value: Equatable>(
  _ found: Value, _ expected: Value, file: StaticString = #fileID, line: UInt = #line
) {
  guard found == expected else {
    fail("expected \(expected), found \(found)", file: file, line: line)
  }
  checkCount.add(1, ordering: .relaxed)
}

/// Ends the program unless a condition holds.
func expect(_ holds: Bool, file: StaticString = #fileID, line: UInt = #line) {
  guard holds else { fail("the condition does not hold", file: file, line: line) }
  checkCount.add(1, ordering: .relaxed)
}

/// Returns a value; ends the program if it is nil.
func expectValue<Value>(
  _ value: Value?, file: StaticString = #fileID, line: UInt = #line
) -> Value {
  guard let value else { fail("there is no value", file: file, line: line) }
  checkCount.add(1, ordering: .relaxed)
  return value
}

/// Returns the error of a call; ends the program unless it has the expected code.
@discardableResult
func expectError(
  _ code: TesseraError.Code, file: StaticString = #fileID, line: UInt = #line,
  _ call: () throws -> Void
) -> TesseraError {
  do {
    try call()
  } catch let error as TesseraError {
    expect(error.code.rawValue, code.rawValue, file: file, line: line)
    return error
  } catch {
    fail("unexpected error \(error)", file: file, line: line)
  }
  fail("the call did not throw", file: file, line: line)
}

/// Ends the program unless an enumeration has exactly the expected raw values, in this order.
func expectCases<Value: RawRepresentable & CaseIterable>(
  of type: Value.Type, _ expected: [Value.RawValue],
  file: StaticString = #fileID, line: UInt = #line
) where Value.RawValue: Equatable {
  expect(type.allCases.map(\.rawValue), expected, file: file, line: line)
}

/// Prints a message with its place, removes the folder, and ends the program.
func fail(_ message: String, file: StaticString, line: UInt) -> Never {
  print("\(file):\(line): \(message)")
  try? removeFolder()
  exit(1)
}
