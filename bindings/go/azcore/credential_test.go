// SPDX-License-Identifier: MIT

package azcore

import (
	"testing"

	tessera "example.com/tessera/bindings/go"
)

func TestAnotherTenantIsInTheCloudOfTheAuthority(t *testing.T) {
	for authority, expected := range map[string]string{
		"https://login.microsoftonline.us/contoso.com": "https://login.microsoftonline.us/",
		"https://localhost:8443/contoso.com":           "https://localhost:8443/",
	} {
		credential := NewCredential(nil, tessera.SilentRequest{Authority: &authority})
		if host := credential.authorityHost(); host != expected {
			t.Error(host)
		}
	}
	if host := NewCredential(nil, tessera.SilentRequest{}).authorityHost(); host != "https://login.microsoftonline.com/" {
		t.Error(host)
	}
}
