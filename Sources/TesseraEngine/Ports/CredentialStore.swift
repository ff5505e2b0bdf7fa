// placeholder, written below
package protocol CredentialStore: Sendable {}
