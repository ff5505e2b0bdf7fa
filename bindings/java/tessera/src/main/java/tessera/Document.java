// SPDX-License-Identifier: MIT
package tessera;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** A request or a result: an immutable JSON object. Its {@code toString} shows no secrets. */
public abstract class Document {
  private final Map<String, Object> members;
  // Written by several threads with the same value.
  private volatile String json;
  private volatile byte[] bytes;

  Document(Map<String, Object> members) {
    this.members = members;
  }

  /** Returns the document as JSON, with its secrets. */
  public final String toJson() {
    String text = json;
    if (text == null) {
      StringBuilder out = new StringBuilder();
      Json.write(out, members);
      json = text = out.toString();
    }
    return text;
  }

  /** Returns the document in UTF-8 and with a NUL, for the C interface. */
  final byte[] toBytes() {
    byte[] found = bytes;
    if (found == null) {
      bytes = found = Library.terminated(toJson());
    }
    return found;
  }

  final Map<String, Object> members() {
    return members;
  }

  @Override
  public final boolean equals(Object other) {
    return other != null && getClass() == other.getClass() && members.equals(((Document) other).members);
  }

  @Override
  public final int hashCode() {
    return members.hashCode();
  }

  /** Returns the members without secrets and without nested documents. */
  @Override
  public final String toString() {
    StringBuilder out = new StringBuilder(getClass().getSimpleName());
    String separator = "[";
    for (Map.Entry<String, Object> each : members.entrySet()) {
      Object value = each.getValue();
      boolean isNested =
          value instanceof Map || value instanceof List && ((List<?>) value).stream().anyMatch(Map.class::isInstance);
      if (SecretMembers.NAMES.contains(each.getKey())) {
        value = "[secret]";
      }
      out.append(separator).append(each.getKey()).append('=').append(isNested ? "{...}" : value);
      separator = ", ";
    }
    return out.append(separator.equals("[") ? "[]" : "]").toString();
  }

  // The members of a generated class. A library of a later version may have null in place of a value.

  final <T> Optional<T> find(String name, Class<T> type) {
    Object value = members.get(name);
    return type.isInstance(value) ? Optional.of(type.cast(value)) : Optional.empty();
  }

  final OptionalLong findNumber(String name) {
    return find(name, Long.class).map(OptionalLong::of).orElse(OptionalLong.empty());
  }

  @SuppressWarnings("unchecked")
  final <T> Map<String, T> map(String name) {
    return find(name, Map.class).orElse(Map.of());
  }

  final <T> Optional<T> findDocument(String name, Function<Map<String, Object>, T> make) {
    return members.get(name) instanceof Map ? Optional.of(make.apply(map(name))) : Optional.empty();
  }

  @SuppressWarnings("unchecked")
  final <T> List<T> list(String name) {
    return find(name, List.class).orElse(List.of());
  }

  final <T> List<T> list(String name, Function<Map<String, Object>, T> make) {
    List<T> found = new ArrayList<>();
    this.<Map<String, Object>>list(name).forEach(each -> found.add(make.apply(each)));
    return Collections.unmodifiableList(found);
  }

  /** The members of a document under construction. A member that is null is not in the document. */
  abstract static class DocumentBuilder {
    private final Map<String, Object> members;

    DocumentBuilder(Map<String, Object> members) {
      this.members = new LinkedHashMap<>(members);
    }

    final void put(String name, Object value) {
      if (value == null) {
        members.remove(name);
      } else {
        members.put(name, value instanceof Document ? ((Document) value).members : copied(value));
      }
    }

    private static Object copied(Object value) {
      if (value instanceof List) {
        return List.copyOf((List<?>) value);
      }
      return value instanceof Map ? Collections.unmodifiableMap(new LinkedHashMap<>((Map<?, ?>) value)) : value;
    }

    final Map<String, Object> copy() {
      return Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }
  }
}
