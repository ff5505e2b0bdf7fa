// SPDX-License-Identifier: MIT
// A reader for NSKeyedArchiver archives: a property list with a table of objects that refer to each other by index.

import TesseraCache

/// A keyed archive, parsed object by object.
///
/// References are resolved only on request, so a cyclic archive cannot cause an infinite loop.
package struct KeyedArchive: Sendable {
  private var list: BinaryPropertyList
  /// The object numbers in the property list, by index in the archive.
  private let objects: BinaryPropertyList.References
  private var classNames: [Int: String] = [:]
  /// The index of the root object.
  package let root: Int

  /// Parses the object table.
  package init(_ bytes: [UInt8]) throws(LegacyCacheError) {
    var list = try BinaryPropertyList(bytes)
    let members = try list.members(list.top)
    guard let archiver = members["$archiver"], let version = members["$version"],
      let table = members["$objects"], let top = members["$top"],
      case .leaf(.string("NSKeyedArchiver")) = try list.node(archiver)
    else { throw LegacyCacheError("archive_invalid", "The property list is not a keyed archive.") }
    guard case .leaf(.integer(100_000)) = try list.node(version) else {
      throw LegacyCacheError("archive_version", "The keyed archive has an unknown version.")
    }
    guard case .array(let objects) = try list.node(table),
      let root = try list.members(top)["root"],
      case .leaf(.uid(let objectIndex)) = try list.node(root)
    else {
      throw LegacyCacheError(
        "archive_invalid", "The keyed archive has no objects or no root object.")
    }
    self.list = list
    self.objects = objects
    self.root = objectIndex
  }

  /// Whether the work budget of the archive is exhausted.
  package var isExhausted: Bool { list.isExhausted }

  /// Subtracts work from the budget.
  package mutating func spend(_ work: Int) throws(LegacyCacheError) {
    try list.spend(work)
  }

  /// Returns the object at an index.
  ///
  /// The first one is the null object.
  package mutating func value(at objectIndex: Int) throws(LegacyCacheError) -> ArchivedValue {
    guard objectIndex != 0 else { return .null }
    guard objects.indices.contains(objectIndex) else {
      throw LegacyCacheError(
        "archive_reference_invalid",
        "The keyed archive refers to an object that it does not contain.")
    }
    switch try list.node(objects[objectIndex]) {
    case .leaf(let value): return KeyedArchive.inline(value)
    case .array: return .unknown
    case .dictionary: return try object(objects[objectIndex])
    }
  }

  /// Returns a member of an instance, or null if it does not exist.
  package mutating func value(
    _ name: String, of instance: ArchivedInstance
  ) throws(LegacyCacheError) -> ArchivedValue {
    guard let number = instance.members[name] else { return .null }
    guard case .leaf(let value) = try list.node(number) else { return .unknown }
    guard case .uid(let objectIndex) = value else { return KeyedArchive.inline(value) }
    return try self.value(at: objectIndex)
  }

  /// Returns the index of a member of an instance, or `nil` if its value is inline.
  package mutating func objectIndex(
    _ name: String, of instance: ArchivedInstance
  ) throws(LegacyCacheError) -> Int? {
    guard let number = instance.members[name],
      case .leaf(.uid(let objectIndex)) = try list.node(number)
    else { return nil }
    return objectIndex
  }
}

extension KeyedArchive {
  private static func inline(_ value: PropertyList) -> ArchivedValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .string(let text): .string(text)
    case .data(let bytes): .data(bytes)
    case .date(let seconds): .date(seconds)
    case .unsigned, .uid, .array, .dictionary: .unknown
    }
  }

  private mutating func object(_ number: Int) throws(LegacyCacheError) -> ArchivedValue {
    let members = try list.members(number)
    guard let name = try className(members["$class"]) else { return .unknown }
    switch name {
    case "NSString", "NSMutableString", "NSData", "NSMutableData", "NSDate", "NSURL", "NSNumber":
      return try wrapped(members)
    case "NSDictionary", "NSMutableDictionary":
      let keys = try objectIndexes(members["NS.keys"])
      let values = try objectIndexes(members["NS.objects"])
      guard keys.count == values.count else {
        throw LegacyCacheError(
          "archive_dictionary_unequal",
          "A dictionary of the keyed archive has different numbers of keys and values.")
      }
      return .dictionary(
        ArchivedDictionary(
          isMutable: name == "NSMutableDictionary",
          pairs: zip(keys, values).map { (key: $0, value: $1) }))
    case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
      return .array(try objectIndexes(members["NS.objects"]))
    case "NSNull": return .null
    default: return .instance(ArchivedInstance(className: name, members: members))
    }
  }

  /// Returns the value of a wrapper object: a string, a number or data, which is inline or a reference.
  private mutating func wrapped(_ members: [String: Int]) throws(LegacyCacheError) -> ArchivedValue
  {
    let names = [
      "NS.string", "NS.bytes", "NS.data", "NS.time", "NS.relative", "NS.boolval", "NS.dblval",
      "NS.intval",
    ]
    for name in names {
      guard let number = members[name], case .leaf(var value) = try list.node(number) else {
        continue
      }
      if case .uid(let objectIndex) = value {
        guard objects.indices.contains(objectIndex), objectIndex != 0,
          case .leaf(let other) = try list.node(objects[objectIndex])
        else { return .unknown }
        value = other
      }
      switch (name, value) {
      case ("NS.bytes", .data(let bytes)):
        return String(validating: bytes, as: UTF8.self).map(ArchivedValue.string) ?? .unknown
      case ("NS.time", .real(let seconds)), ("NS.time", .date(let seconds)): return .date(seconds)
      case ("NS.time", .integer(let seconds)): return .date(Double(seconds))
      default: return KeyedArchive.inline(value)
      }
    }
    return .unknown
  }

  private mutating func className(_ number: Int?) throws(LegacyCacheError) -> String? {
    guard let number, case .leaf(.uid(let objectIndex)) = try list.node(number) else { return nil }
    if let name = classNames[objectIndex] { return name }
    guard objects.indices.contains(objectIndex),
      case .dictionary = try list.node(objects[objectIndex]),
      let member = try list.members(objects[objectIndex])["$classname"],
      case .leaf(.string(let name)) = try list.node(member)
    else { return nil }
    classNames[objectIndex] = name
    return name
  }

  /// Returns the indexes of the elements of an array.
  private mutating func objectIndexes(_ number: Int?) throws(LegacyCacheError) -> [Int] {
    guard let number, case .array(let elements) = try list.node(number) else {
      throw LegacyCacheError("archive_invalid", "A container of the keyed archive has no elements.")
    }
    guard elements.count <= LegacyLimits.entries else {
      throw LegacyCacheError(
        "archive_too_large",
        "A container of the keyed archive has more than \(LegacyLimits.entries) elements.")
    }
    var objectIndexes: [Int] = []
    objectIndexes.reserveCapacity(elements.count)
    for element in elements {
      guard case .leaf(.uid(let objectIndex)) = try list.node(element) else {
        throw LegacyCacheError(
          "archive_invalid", "A container of the keyed archive has an invalid reference.")
      }
      objectIndexes.append(objectIndex)
    }
    return objectIndexes
  }
}

extension BinaryPropertyList {
  /// Returns the members of a dictionary, or none for any other object.
  ///
  /// If a name occurs twice, the last value counts.
  fileprivate mutating func members(_ number: Int) throws(LegacyCacheError) -> [String: Int] {
    guard case .dictionary(let names, let values) = try node(number) else { return [:] }
    guard names.count <= LegacyLimits.members else { throw BinaryPropertyList.invalid }
    var members: [String: Int] = [:]
    for (name, value) in zip(names, values) {
      guard case .leaf(.string(let name)) = try node(name) else {
        throw BinaryPropertyList.invalid
      }
      members[name] = value
    }
    return members
  }
}
