// SPDX-License-Identifier: MIT

package tessera

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"
)

// The errors for each remedy, for errors.Is. Every application must handle ErrSignIn: the user must sign in. For all
// other errors it is sufficient to show the message, and to try again later if Retryable is true.
var (
	// ErrSignIn requires an interactive flow; pass on Claims.
	ErrSignIn = &Error{Remedy: "sign_in"}
	// ErrRetryLater reports that the network, the server or the store is unavailable; see RetryAfter.
	ErrRetryLater = &Error{Remedy: "retry_later"}
	// ErrFixRequest reports an invalid request.
	ErrFixRequest = &Error{Remedy: "fix_request"}
	// ErrFixConfiguration reports an error in the configuration or the registration of the application.
	ErrFixConfiguration = &Error{Remedy: "fix_configuration"}
	// ErrFixStorage reports that the token store cannot be used.
	ErrFixStorage = &Error{Remedy: "fix_storage"}
	// ErrCancelled reports that the user cancelled the call, or that Timeout of the request has passed.
	ErrCancelled = &Error{Remedy: "cancelled"}
	// ErrReportBug reports an internal error.
	ErrReportBug = &Error{Remedy: "report_bug"}
)

// Error returns the message with the code.
func (e *Error) Error() string {
	if e.Message == "" {
		return "tessera: " + e.Remedy
	}
	return "tessera: " + e.Message + " (" + e.Code + ")"
}

// Is reports whether the target has the same remedy, and the same code if it has one.
func (e *Error) Is(target error) bool {
	other, ok := target.(*Error)
	return ok && e.Remedy == other.Remedy && (other.Code == "" || e.Code == other.Code)
}

// RequireAllScopes returns nil if the token covers all requested scopes, and otherwise an error with
// CodeServerDeclinedScopes. It is for interfaces whose tokens have no list of scopes.
func (r *TokenResult) RequireAllScopes() error {
	if len(r.DeclinedScopes) == 0 {
		return nil
	}
	missing := &Error{
		Remedy: ErrSignIn.Remedy, Code: CodeServerDeclinedScopes, DeclinedScopes: r.DeclinedScopes,
		Message: "The server granted fewer scopes than requested; it declined: " +
			strings.Join(r.DeclinedScopes, " ") + ". Sign in and consent.",
	}
	for _, each := range r.Scopes {
		if each != "openid" && each != "profile" && each != "offline_access" {
			missing.GrantedScopes = append(missing.GrantedScopes, each)
		}
	}
	return missing
}

// Secret is a text that the verbs of package fmt do not print. Convert it to a string to use it. Package encoding/json
// writes the text.
type Secret string

// Format writes a placeholder for every verb.
func (s Secret) Format(state fmt.State, _ rune) { _, _ = io.WriteString(state, s.String()) }

// String returns a placeholder.
func (s Secret) String() string { return "[secret]" }

// GoString returns a placeholder.
func (s Secret) GoString() string { return "[secret]" }

// UnixTime is a time in seconds since 1970; 0 if the result has none.
type UnixTime int64

// Time returns the time; the zero time if there is none.
func (t UnixTime) Time() time.Time {
	if t == 0 {
		return time.Time{}
	}
	return time.Unix(int64(t), 0)
}

// Ptr returns a pointer to a value, for the members of a request.
func Ptr[Value any](value Value) *Value { return &value }

// remedies has the names of the statuses.
var remedies = []string{
	"ok", "sign_in", "retry_later", "fix_request", "fix_configuration", "fix_storage", "cancelled", "report_bug",
}

// decode returns the result of a call. A token that covers only some of the scopes is a result with the status 1.
func decode[Result any](status int, response []byte) (*Result, error) {
	if status != 0 {
		var failed struct{ Error *Error }
		if err := json.Unmarshal(response, &failed); err != nil || failed.Error != nil {
			return nil, errorOf(status, failed.Error)
		}
	}
	result := new(Result)
	if err := json.Unmarshal(response, result); err != nil {
		return nil, errorOf(len(remedies), nil)
	}
	return result, nil
}

// errorOf returns the error of a status. An unknown status is an internal error.
func errorOf(status int, found *Error) error {
	if found == nil {
		found = &Error{Code: CodeInternalError, Message: "The response of the library cannot be read."}
	}
	found.Remedy = remedies[len(remedies)-1]
	if status < len(remedies) {
		found.Remedy = remedies[status]
	}
	return found
}
