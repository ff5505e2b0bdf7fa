// SPDX-License-Identifier: MIT
//! The JSON of requests and results.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A text that `Debug` does not show.
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub struct Secret(String);

impl Secret {
    /// Creates a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Secret(text.into())
    }

    /// Returns the text. Do not log it.
    pub fn secret(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[secret]")
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Secret(text.to_owned())
    }
}

/// The text of a JSON value, for a member of any type, such as the claims of a token.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Json(pub String);

impl fmt::Debug for Json {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[JSON]")
    }
}

/// A value of a request.
pub trait Write {
    /// Appends the JSON text.
    fn write(&self, out: &mut String);
    /// Whether the member is left out.
    fn is_absent(&self) -> bool {
        false
    }
}

/// Appends a member. The name has a comma before it, quotation marks and a colon.
pub(crate) fn member(out: &mut String, name: &str, value: &impl Write) {
    if !value.is_absent() {
        out.push_str(name);
        value.write(out);
    }
}

/// Appends an object whose members a function writes.
pub(crate) fn object(out: &mut String, write: impl FnOnce(&mut String)) {
    let start = out.len();
    write(out);
    // The first comma becomes the brace.
    if out.len() == start {
        out.push('{');
    } else {
        out.replace_range(start..start + 1, "{");
    }
    out.push('}');
}

impl Write for str {
    fn write(&self, out: &mut String) {
        out.push('"');
        let mut start = 0;
        for (at, byte) in self.bytes().enumerate() {
            if byte >= 0x20 && byte != b'"' && byte != b'\\' {
                continue;
            }
            out.push_str(&self[start..at]);
            start = at + 1;
            if byte < 0x20 {
                out.push_str(&format!("\\u{byte:04x}"));
            } else {
                out.push('\\');
                out.push(char::from(byte));
            }
        }
        out.push_str(&self[start..]);
        out.push('"');
    }
}

impl Write for String {
    fn write(&self, out: &mut String) {
        self.as_str().write(out);
    }
}

impl Write for Secret {
    fn write(&self, out: &mut String) {
        self.0.write(out);
    }
}

impl Write for Json {
    fn write(&self, out: &mut String) {
        out.push_str(&self.0);
    }
}

impl Write for bool {
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }
}

impl Write for i64 {
    fn write(&self, out: &mut String) {
        out.push_str(&self.to_string());
    }
}

impl<Value: Write> Write for Option<Value> {
    fn write(&self, out: &mut String) {
        if let Some(value) = self {
            value.write(out);
        }
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}

impl<Value: Write> Write for Vec<Value> {
    fn write(&self, out: &mut String) {
        out.push('[');
        for (index, each) in self.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            each.write(out);
        }
        out.push(']');
    }
}

impl<Value: Write> Write for BTreeMap<String, Value> {
    fn write(&self, out: &mut String) {
        object(out, |out| {
            for (name, value) in self {
                out.push(',');
                name.write(out);
                out.push(':');
                value.write(out);
            }
        });
    }
}

/// A value of a result.
pub trait Read: Sized {
    /// Reads the JSON text. A value of another type is an empty one.
    fn read(text: &str) -> Self;
}

/// Returns the length of a string, with its quotation marks.
fn string_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Returns the length of a value of a valid document.
fn value_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => at += string_length(&text[at..]),
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                if depth == 0 {
                    return at;
                }
                depth -= 1;
                at += 1;
            }
            b',' if depth == 0 => return at,
            _ => {
                at += 1;
                if depth == 0 {
                    continue;
                }
            }
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the members of an object.
fn members(object: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = object.strip_prefix('{').unwrap_or("");
    std::iter::from_fn(move || {
        if !rest.starts_with('"') {
            return None;
        }
        let (name, after) = rest.split_at(string_length(rest));
        let name = name.strip_prefix('"')?.strip_suffix('"')?;
        let after = after.strip_prefix(':')?;
        let (value, after) = after.split_at(value_length(after));
        rest = after.strip_prefix(',').unwrap_or("");
        Some((name, value))
    })
}

/// Returns a member of an object; None if there is none, or it is null.
pub fn find<Value: Read>(object: &str, name: &str) -> Option<Value> {
    let (_, value) = members(object).find(|(each, _)| *each == name)?;
    (value != "null").then(|| Value::read(value))
}

/// Returns a member of an object, or an empty value.
pub fn get<Value: Read + Default>(object: &str, name: &str) -> Value {
    find(object, name).unwrap_or_default()
}

fn unescaped(text: &str) -> String {
    let mut decoded = String::with_capacity(text.len());
    let mut units: Vec<u16> = Vec::new();
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        if char == '\\' {
            match chars.next() {
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).collect();
                    units.push(u16::from_str_radix(&digits, 16).unwrap_or(0xFFFD));
                    continue;
                }
                escape => {
                    flush(&mut decoded, &mut units);
                    decoded.push(match escape {
                        Some('b') => '\u{8}',
                        Some('f') => '\u{c}',
                        Some('n') => '\n',
                        Some('r') => '\r',
                        Some('t') => '\t',
                        other => other.unwrap_or('\\'),
                    });
                }
            }
        } else {
            flush(&mut decoded, &mut units);
            decoded.push(char);
        }
    }
    flush(&mut decoded, &mut units);
    decoded
}

/// Appends UTF-16 code units.
fn flush(decoded: &mut String, units: &mut Vec<u16>) {
    decoded.extend(char::decode_utf16(units.drain(..)).map(|each| each.unwrap_or('\u{FFFD}')));
}

impl Read for String {
    fn read(text: &str) -> Self {
        let inner = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or("");
        if inner.contains('\\') {
            unescaped(inner)
        } else {
            inner.to_owned()
        }
    }
}

impl Read for Secret {
    fn read(text: &str) -> Self {
        Secret(String::read(text))
    }
}

impl Read for Json {
    fn read(text: &str) -> Self {
        Json(text.to_owned())
    }
}

impl Read for bool {
    fn read(text: &str) -> Self {
        text == "true"
    }
}

impl Read for i64 {
    fn read(text: &str) -> Self {
        text.parse().unwrap_or(0)
    }
}

impl Read for SystemTime {
    fn read(text: &str) -> Self {
        UNIX_EPOCH.checked_add(Duration::from_secs(text.parse().unwrap_or(0))).unwrap_or(UNIX_EPOCH)
    }
}

impl<Value: Read> Read for Vec<Value> {
    fn read(text: &str) -> Self {
        let mut rest = text.strip_prefix('[').unwrap_or("");
        let mut found = Vec::new();
        while !rest.is_empty() && !rest.starts_with(']') {
            let (value, after) = rest.split_at(value_length(rest));
            found.push(Value::read(value));
            rest = after.strip_prefix(',').unwrap_or("");
        }
        found
    }
}

impl<Value: Read> Read for BTreeMap<String, Value> {
    fn read(text: &str) -> Self {
        members(text).map(|(name, value)| (unescaped(name), Value::read(value))).collect()
    }
}
