// SPDX-License-Identifier: MIT
package tessera;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A strict reader and a writer of JSON (RFC 8259). Objects are maps, and integers are of type Long. */
final class Json {
  private static final int MAXIMUM_DEPTH = 100;
  private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

  private final String text;
  private int position;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Parses an object. Throws IllegalArgumentException if the text is not one, or has a member twice. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> parse(String text) {
    Json reader = new Json(text);
    reader.skipSpace();
    reader.check(reader.peek() == '{');
    Object value = reader.value();
    reader.check(reader.position == text.length());
    return (Map<String, Object>) value;
  }

  private void check(boolean condition) {
    if (!condition) {
      // Without the text, which may have secrets.
      throw new IllegalArgumentException("invalid JSON at character " + position);
    }
  }

  private char peek() {
    check(position < text.length());
    return text.charAt(position);
  }

  private char next() {
    char found = peek();
    position++;
    return found;
  }

  private void skipSpace() {
    while (position < text.length() && " \t\n\r".indexOf(text.charAt(position)) >= 0) {
      position++;
    }
  }

  /** Skips space and returns whether a character follows, which it skips too. */
  private boolean skip(char character) {
    skipSpace();
    boolean follows = peek() == character;
    position += follows ? 1 : 0;
    return follows;
  }

  private Object value() {
    skipSpace();
    check(depth++ < MAXIMUM_DEPTH);
    Object found;
    switch (peek()) {
      case '{':
        found = object();
        break;
      case '[':
        found = array();
        break;
      case '"':
        found = string();
        break;
      case 't':
        found = literal("true", Boolean.TRUE);
        break;
      case 'f':
        found = literal("false", Boolean.FALSE);
        break;
      case 'n':
        found = literal("null", null);
        break;
      default:
        found = number();
    }
    depth--;
    skipSpace();
    return found;
  }

  private Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    position++;
    if (!skip('}')) {
      do {
        skipSpace();
        check(peek() == '"');
        String name = string();
        check(skip(':') && !members.containsKey(name));
        members.put(name, value());
      } while (skip(','));
      check(skip('}'));
    }
    return Collections.unmodifiableMap(members);
  }

  private List<Object> array() {
    List<Object> elements = new ArrayList<>();
    position++;
    if (!skip(']')) {
      do {
        elements.add(value());
      } while (skip(','));
      check(skip(']'));
    }
    return Collections.unmodifiableList(elements);
  }

  private Object literal(String word, Object value) {
    check(text.startsWith(word, position));
    position += word.length();
    return value;
  }

  private Object number() {
    Matcher found = NUMBER.matcher(text).region(position, text.length());
    check(found.lookingAt());
    position = found.end();
    // 18 digits always fit.
    boolean isInteger = found.end() == found.end(1) && found.group(1).length() <= 18;
    return isInteger ? (Object) Long.valueOf(found.group()) : (Object) Double.valueOf(found.group());
  }

  private String string() {
    int start = ++position;
    while (peek() != '"' && peek() != '\\') {
      check(next() >= 0x20);
    }
    if (peek() == '"') {
      return text.substring(start, position++);
    }
    StringBuilder out = new StringBuilder(text.substring(start, position));
    for (char each = next(); each != '"'; each = next()) {
      check(each >= 0x20);
      out.append(each == '\\' ? escaped() : each);
    }
    return out.toString();
  }

  private char escaped() {
    char kind = next();
    if (kind == 'u') {
      int code = 0;
      for (int index = 0; index < 4; index++) {
        int digit = Character.digit(next(), 16);
        check(digit >= 0 && text.charAt(position - 1) < 0x80);
        code = code * 16 + digit;
      }
      return (char) code;
    }
    int index = "\"\\/bfnrt".indexOf(kind);
    check(index >= 0);
    return "\"\\/\b\f\n\r\t".charAt(index);
  }

  /** Writes a map, a list, a text, a number, a boolean value, or null. */
  static void write(StringBuilder out, Object value) {
    if (value instanceof String) {
      quote(out, (String) value);
    } else if (value instanceof Map) {
      char separator = '{';
      for (Map.Entry<?, ?> each : ((Map<?, ?>) value).entrySet()) {
        quote(out.append(separator), (String) each.getKey());
        write(out.append(':'), each.getValue());
        separator = ',';
      }
      out.append(separator == '{' ? "{}" : "}");
    } else if (value instanceof List) {
      char separator = '[';
      for (Object each : (List<?>) value) {
        write(out.append(separator), each);
        separator = ',';
      }
      out.append(separator == '[' ? "[]" : "]");
    } else if (value == null || value instanceof Boolean || value instanceof Number) {
      out.append(value);
    } else {
      throw new IllegalArgumentException("JSON has no values of " + value.getClass());
    }
  }

  private static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int index = 0; index < text.length(); index++) {
      char each = text.charAt(index);
      if (each == '"' || each == '\\') {
        out.append('\\').append(each);
      } else if (each < 0x20 || isUnpaired(text, index)) {
        // The library rejects half a character; UTF-8 would silently have another one.
        out.append(String.format("\\u%04x", (int) each));
      } else {
        out.append(each);
      }
    }
    out.append('"');
  }

  private static boolean isUnpaired(String text, int index) {
    char each = text.charAt(index);
    if (Character.isHighSurrogate(each)) {
      return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
    }
    return Character.isLowSurrogate(each) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
  }
}
