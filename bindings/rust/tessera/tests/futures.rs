// SPDX-License-Identifier: MIT
//! Futures of sign-ins and of silent requests, without a network.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{mpsc, Arc};
use std::task::{Context, Poll, Wake};
use std::thread;
use std::time::Duration;

use tessera::*;

struct Unpark(thread::Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn wait<Output>(mut future: impl Future<Output = Output> + Unpin) -> Output {
    let waker = Arc::new(Unpark(thread::current())).into();
    loop {
        match Pin::new(&mut future).poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

fn application(
    transport: impl Fn(&TransportRequest, &Exchange) -> TransportResponse + Send + Sync + 'static,
) -> Application {
    let configuration = Configuration {
        client_id: "client".into(),
        redirect_uri: Some("http://localhost".into()),
        store: Some(StoreOptions { kind: Some("memory".into()), ..Default::default() }),
        ..Default::default()
    };
    Application::new(&configuration, Host { transport: Some(Box::new(transport)), ..Default::default() }).unwrap()
}

fn scopes() -> Option<Vec<String>> {
    Some(vec!["User.Read".into()])
}

#[test]
fn a_sign_in_ends_with_the_error_of_the_transport() {
    let application = application(|_, _| TransportResponse {
        error: Some("unplugged".into()),
        sent: Some(false),
        ..Default::default()
    });
    let request = DeviceCodeRequest { scopes: scopes(), ..Default::default() };
    let call = application.acquire_token_by_device_code_async(&request, |_| panic!("there is no code")).unwrap();
    assert_eq!(wait(call).unwrap_err().code(), codes::NETWORK_FAILED);
    let request = InteractiveCallRequest { scopes: scopes(), ..Default::default() };
    let call = application.acquire_token_interactive_async(&request, |_| panic!("there is no address")).unwrap();
    assert_eq!(wait(call).unwrap_err().code(), codes::NETWORK_FAILED);
}

#[test]
fn an_invalid_sign_in_does_not_start() {
    let application = application(|_, _| panic!("there is no request"));
    let request = DeviceCodeRequest::default();
    let result = application.acquire_token_by_device_code_async(&request, |_| panic!("there is no code"));
    assert!(matches!(result, Err(Error::FixRequest(_))));
}

#[test]
fn a_dropped_future_cancels_its_request() {
    let (started, starts) = mpsc::channel();
    let is_cancelled = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&is_cancelled);
    let application = application(move |_, exchange| {
        started.send(()).unwrap();
        while !exchange.is_cancelled() {
            thread::sleep(Duration::from_millis(1));
        }
        seen.store(true, Ordering::SeqCst);
        TransportResponse { error: Some("cancelled".into()), ..Default::default() }
    });
    let request = DeviceCodeRequest { scopes: scopes(), ..Default::default() };
    let call = application.acquire_token_by_device_code_async(&request, |_| panic!("there is no code")).unwrap();
    starts.recv().unwrap();
    drop(call);
    while !is_cancelled.load(Ordering::SeqCst) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_token_with_declined_scopes_has_an_error_for_other_interfaces() {
    let token = TokenResult::read(r#"{"access_token":"a","scopes":["openid","read"],"declined_scopes":["write"]}"#);
    let error = token.require_all_scopes().unwrap_err();
    assert!(matches!(error, Error::SignIn(_)) && error.code() == codes::SERVER_DECLINED_SCOPES);
    assert_eq!(
        (&error.details().granted_scopes[..], &error.details().declined_scopes[..]),
        (&["read".into()][..], &["write".into()][..])
    );
    assert!(TokenResult::read(r#"{"access_token":"a"}"#).require_all_scopes().is_ok());
}
