// SPDX-License-Identifier: MIT

package tessera

import (
	"encoding/json"
	"sort"
	"strconv"
	"time"
)

// encoder is the text of a JSON object. Members that are nil are not written.
type encoder []byte

// requests have an encoder that docs/documents.toml generates.
type request interface {
	appendTo(out encoder) encoder
}

// encode returns the NUL-terminated text of a request. Every NUL in a string is escaped.
func encode(r request) []byte {
	out := r.appendTo(append(make(encoder, 0, 256), '{'))
	return append(out, '}', 0)
}

func (out encoder) name(name string) encoder {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	out = append(out, '"')
	out = append(out, name...)
	return append(out, '"', ':')
}

func (out encoder) open(name string) encoder { return append(out.name(name), '{') }

func (out encoder) close() encoder { return append(out, '}') }

func (out encoder) quoted(text string) encoder {
	const digits = "0123456789abcdef"
	out = append(out, '"')
	for index := 0; index < len(text); index++ {
		switch char := text[index]; {
		case char == '"' || char == '\\':
			out = append(out, '\\', char)
		case char < 0x20:
			out = append(out, '\\', 'u', '0', '0', digits[char>>4], digits[char&15])
		default:
			out = append(out, char)
		}
	}
	return append(out, '"')
}

func (out encoder) requiredString(name, value string) encoder {
	return out.name(name).quoted(value)
}

func (out encoder) requiredSecret(name string, value Secret) encoder {
	return out.requiredString(name, string(value))
}

func (out encoder) string(name string, value *string) encoder {
	if value == nil {
		return out
	}
	return out.name(name).quoted(*value)
}

func (out encoder) secret(name string, value *Secret) encoder {
	if value == nil {
		return out
	}
	return out.name(name).quoted(string(*value))
}

func (out encoder) bool(name string, value *bool) encoder {
	if value == nil {
		return out
	}
	return strconv.AppendBool(out.name(name), *value)
}

func (out encoder) int(name string, value *int64) encoder {
	if value == nil {
		return out
	}
	return strconv.AppendInt(out.name(name), *value, 10)
}

func (out encoder) milliseconds(name string, value *time.Duration) encoder {
	if value == nil {
		return out
	}
	return strconv.AppendInt(out.name(name), value.Milliseconds(), 10)
}

func (out encoder) seconds(name string, value *time.Duration) encoder {
	if value == nil {
		return out
	}
	return strconv.AppendInt(out.name(name), int64(*value/time.Second), 10)
}

func (out encoder) raw(name string, value json.RawMessage) encoder {
	if value == nil {
		return out
	}
	return append(out.name(name), value...)
}

func (out encoder) strings(name string, values []string) encoder {
	if values == nil {
		return out
	}
	out = append(out.name(name), '[')
	for index, each := range values {
		if index > 0 {
			out = append(out, ',')
		}
		out = out.quoted(each)
	}
	return append(out, ']')
}

func (out encoder) dictionary(name string, values map[string]string) encoder {
	if values == nil {
		return out
	}
	names := make([]string, 0, len(values))
	for each := range values {
		names = append(names, each)
	}
	sort.Strings(names)
	out = out.open(name)
	for index, each := range names {
		if index > 0 {
			out = append(out, ',')
		}
		out = append(out.quoted(each), ':').quoted(values[each])
	}
	return out.close()
}
