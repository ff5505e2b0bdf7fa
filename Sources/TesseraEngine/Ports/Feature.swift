// SPDX-License-Identifier: MIT
// The port to flows that a build can leave out.

/// The flows of a feature.
///
/// Each flow has a protocol, next to the code that calls it.
package protocol Feature: Sendable {}
