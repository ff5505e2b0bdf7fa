// SPDX-License-Identifier: MIT
//! The JSON of requests and results, errors and callbacks, without a network.

use std::collections::BTreeMap;
use std::time::Duration;

use tessera::*;

fn text_of(request: &impl Write) -> String {
    let mut text = String::new();
    request.write(&mut text);
    text
}

#[test]
fn requests_have_the_assigned_members() {
    assert_eq!(text_of(&SilentRequest::default()), "{}");
    let request = SilentRequest {
        home_account_id: Some(String::new()),
        scopes: Some(vec!["User.Read".into(), "a\"b\\c\n\0".into()]),
        force_refresh: Some(false),
        timeout: Some(Duration::from_secs(2)),
        extra_query_parameters: Some(BTreeMap::from([("a\"".into(), "1".into())])),
        ..Default::default()
    };
    assert_eq!(
        text_of(&request),
        "{\"home_account_id\":\"\",\"scopes\":[\"User.Read\",\"a\\\"b\\\\c\\u000a\\u0000\"],\"force_refresh\":false,\
         \"extra_query_parameters\":{\"a\\\"\":\"1\"},\"timeout_milliseconds\":2000}"
    );
}

#[test]
fn results_decode_their_members() {
    let token = TokenResult::read(concat!(
        r#"{"access_token":"a.b.c","expires_on":4102444800,"scopes":["x","y \u00e9\ud83d\ude00\t\/"],"id_token":null,"#,
        r#""id_token_claims":{"a":[1,{"b":"]}"}],"c":"\\"},"persisted":true,"account":{"username":"\"alice\\","#,
        r#""tenant_profiles":[{"tenant_id":"one"},{"tenant_id":"two","is_home_tenant":true}]},"source":"cache"}"#
    ));
    assert_eq!(token.access_token.secret(), "a.b.c");
    assert_eq!(token.scopes, ["x", "y \u{e9}\u{1f600}\t/"]);
    assert!(token.id_token.is_none() && token.refresh_on.is_none() && token.persisted);
    assert_eq!(token.id_token_claims.unwrap().0, r#"{"a":[1,{"b":"]}"}],"c":"\\"}"#);
    assert_eq!(token.account.username.as_deref(), Some("\"alice\\"));
    assert!(token.account.tenant_profiles[1].is_home_tenant);
    assert_eq!(token.source, "cache");
}

#[test]
fn texts_that_are_no_documents_have_no_members() {
    let valid = r#"{"expires_on":4102444800,"scopes":["x\"","\u00e9é"],"account":{"tenant_profiles":[{}]}}"#;
    for end in (0..valid.len()).filter(|end| valid.is_char_boundary(*end)) {
        TokenResult::read(&valid[..end]);
        TokenResult::read(&valid[end..]);
    }
    assert!(find::<String>("{\"", "").is_none());
    assert_eq!(std::time::SystemTime::read("18446744073709551615"), std::time::UNIX_EPOCH);
}

#[test]
fn secrets_are_not_shown() {
    let token = TokenResult::read(r#"{"access_token":"a.b.c","id_token":"d.e.f"}"#);
    let text = format!("{token:?} {token:#?}");
    assert!(!text.contains("a.b.c") && !text.contains("d.e.f"), "{text}");
}

#[test]
fn errors_have_a_variant_for_each_remedy() {
    let configuration = Configuration {
        client_id: "client".into(),
        authority: Some("http://login.example".into()),
        ..Default::default()
    };
    let error = Application::new(&configuration, Host::default()).unwrap_err();
    assert!(matches!(error, Error::FixConfiguration(_)), "{error}");
    assert_eq!(error.code(), codes::INVALID_AUTHORITY);
}

#[test]
fn the_library_describes_itself() {
    assert!(is_compatible());
    assert!(!library_features().unwrap().features.is_empty());
    assert_eq!(describe_token("opaque").unwrap().kind, "opaque");
    assert!(matches!(hand_over_url("no URL", None), Err(Error::FixRequest(_))));
}

#[test]
fn applications_are_shared_by_threads() {
    fn check<Value: Send + Sync>() {}
    check::<Application>();
    check::<Cancellation>();
    check::<Error>();
}
