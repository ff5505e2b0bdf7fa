// SPDX-License-Identifier: MIT

package tessera

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestTokensWithDeclinedScopesHaveAnErrorForOtherInterfaces(t *testing.T) {
	token := &TokenResult{Scopes: []string{"openid", "read"}, DeclinedScopes: []string{"write"}}
	var found *Error
	if err := token.RequireAllScopes(); !errors.As(err, &found) || !errors.Is(err, ErrSignIn) {
		t.Fatal(err)
	}
	if found.Code != CodeServerDeclinedScopes || len(found.GrantedScopes) != 1 || found.GrantedScopes[0] != "read" {
		t.Error(found.Code, found.GrantedScopes)
	}
	if err := (&TokenResult{Scopes: []string{"read"}}).RequireAllScopes(); err != nil {
		t.Error(err)
	}
}

func TestRequestsHaveTheAssignedMembers(t *testing.T) {
	request := SilentRequest{
		HomeAccountID: Ptr(""), Scopes: []string{"User.Read", "a\"b\\c\n\x00"}, ForceRefresh: Ptr(false),
		Timeout: Ptr(2 * time.Second), ExtraQueryParameters: map[string]string{"b": "", "a\"": "1"},
	}
	expected := `{"home_account_id":"","scopes":["User.Read","a\"b\\c\u000a\u0000"],"force_refresh":false,` +
		`"extra_query_parameters":{"a\"":"1","b":""},"timeout_milliseconds":2000}` + "\x00"
	if text := string(encode(&request)); text != expected {
		t.Errorf("%q", text)
	}
	configuration := Configuration{ClientID: "client", Store: &StoreOptions{KeySources: []string{}}}
	if text := string(encode(&configuration)); text != `{"client_id":"client","store":{"key_sources":[]}}`+"\x00" {
		t.Errorf("%q", text)
	}
}

func TestSecretsAreNotPrinted(t *testing.T) {
	token := &TokenResult{AccessToken: "a.b.c", Account: &Account{}}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d", "%t", "%5.2f"} {
		text := fmt.Sprintf(verb, *token) + fmt.Sprintf(verb, token.AccessToken)
		if strings.Contains(text, "a.b.c") || strings.Contains(text, "612e622e63") {
			t.Errorf("%s prints %s", verb, text)
		}
	}
}

func TestErrorsHaveARemedyAndACode(t *testing.T) {
	_, err := NewApplication(Configuration{ClientID: "client", Authority: Ptr("http://login.example")}, nil)
	var found *Error
	if !errors.Is(err, ErrFixConfiguration) || errors.Is(err, ErrSignIn) || !errors.As(err, &found) {
		t.Fatal(err)
	}
	if found.Code != CodeInvalidAuthority || !errors.Is(err, &Error{Remedy: found.Remedy, Code: found.Code}) {
		t.Error(found.Code)
	}
}

func TestTheContextEndsACall(t *testing.T) {
	application := created(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := application.AcquireTokenSilent(ctx, SilentRequest{Scopes: []string{"x"}}); err != context.Canceled {
		t.Error(err)
	}
}

func TestAClosedApplicationFails(t *testing.T) {
	application := created(t)
	application.Close()
	application.Close()
	if _, err := application.AcquireTokenSilent(context.Background(), SilentRequest{}); !errors.Is(err, ErrFixRequest) {
		t.Error(err)
	}
	if _, err := application.Accounts(context.Background(), AccountsRequest{}); !errors.Is(err, ErrFixRequest) {
		t.Error(err)
	}
}

func TestTheHostStoresTheKey(t *testing.T) {
	asked := 0
	application, err := NewApplication(configuration(t), &Host{StoreKey: func() ([]byte, error) {
		asked++
		panic("no key")
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = application.RotateStoreKey(context.Background(), RotateKeyRequest{})
	if err == nil && asked > 0 {
		t.Error("the key was rotated")
	}
}

// stalled is a transport that ignores its context.
type stalled chan struct{}

func (s stalled) RoundTrip(*http.Request) (*http.Response, error) {
	<-s
	return nil, errors.New("closed")
}

func TestATransportThatIgnoresItsContextDoesNotKeepACall(t *testing.T) {
	transport := make(stalled)
	defer close(transport)
	application, err := NewApplication(configuration(t), &Host{Transport: transport})
	if err != nil {
		t.Fatal(err)
	}
	defer application.Close()
	begun := time.Now()
	request := DeviceCodeRequest{Scopes: []string{"x"}, Timeout: Ptr(300 * time.Millisecond)}
	_, err = application.AcquireTokenByDeviceCode(context.Background(), request, nil)
	if !errors.Is(err, ErrCancelled) || time.Since(begun) > 2*time.Second {
		t.Error(err, time.Since(begun))
	}
}

func TestACopyLocksItsApplicationsInOneOrder(t *testing.T) {
	one, other := created(t), created(t)
	defer one.Close()
	defer other.Close()
	locked := make(map[*Application]bool)
	for _, each := range [][2]*Application{{one, other}, {other, one}} {
		for _, held := range each {
			held.mutex.Lock()
			ended := make(chan error)
			go func() {
				_, err := each[0].CopySignIns(context.Background(), each[1], CopyRequest{})
				ended <- err
			}()
			free := one
			if held == one {
				free = other
			}
			// The copy waits for one application: it has locked the other one, or has not yet.
			for begun := time.Now(); time.Since(begun) < 200*time.Millisecond && !locked[free]; time.Sleep(time.Millisecond) {
				if !free.mutex.TryLock() {
					locked[free] = true
				} else {
					free.mutex.Unlock()
				}
			}
			held.mutex.Unlock()
			<-ended
		}
	}
	if len(locked) != 1 {
		t.Error("two opposite copies can wait for each other")
	}
}

func TestTheLibraryDescribesItself(t *testing.T) {
	features, err := Features()
	if err != nil || len(features.Features) == 0 {
		t.Error(features, err)
	}
	description, err := DescribeToken("opaque")
	if err != nil || description.Kind != "opaque" {
		t.Error(description, err)
	}
	if err := HandOverURL(context.Background(), "no URL"); !errors.Is(err, ErrFixRequest) {
		t.Error(err)
	}
}

func configuration(t *testing.T) Configuration {
	return Configuration{ClientID: "client", Store: &StoreOptions{Directory: Ptr(t.TempDir()), KeySources: []string{"key_file"}}}
}

func created(t *testing.T) *Application {
	application, err := NewApplication(configuration(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	return application
}
