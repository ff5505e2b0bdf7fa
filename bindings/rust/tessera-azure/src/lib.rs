// SPDX-License-Identifier: MIT
//! Provides the tokens of Tessera to the clients of the Azure SDK for Rust.

#![warn(missing_docs)]

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use azure_core::credentials::{AccessToken, TokenCredential, TokenRequestOptions};
use azure_core::error::{Error, ErrorKind};
use azure_core::time::OffsetDateTime;
use tessera::{Application, SilentRequest};

/// A credential with the tokens of an account. It never signs in: if that is necessary, the source of its error is a
/// [`tessera::Error::SignIn`].
#[derive(Debug)]
pub struct Credential {
    application: Arc<Application>,
    account: SilentRequest,
}

impl Credential {
    /// Creates a credential. `account` has the members of a silent request that select the account.
    pub fn new(application: Arc<Application>, account: SilentRequest) -> Self {
        Credential { application, account }
    }

    async fn token(&self, request: SilentRequest) -> tessera::Result<AccessToken> {
        let token = self.application.acquire_token_silent_async(&request)?.await?.require_all_scopes()?;
        Ok(AccessToken::new(token.access_token.secret().to_owned(), OffsetDateTime::from(token.expires_on)))
    }
}

impl TokenCredential for Credential {
    // The signature that the macro async_trait gives to the function.
    fn get_token<'life0, 'life1, 'life2, 'life3, 'async_trait>(
        &'life0 self,
        scopes: &'life1 [&'life2 str],
        _options: Option<TokenRequestOptions<'life3>>,
    ) -> Pin<Box<dyn Future<Output = azure_core::Result<AccessToken>> + Send + 'async_trait>>
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        'life2: 'async_trait,
        'life3: 'async_trait,
        Self: 'async_trait,
    {
        let scopes = scopes.iter().map(|each| (*each).to_owned()).collect();
        let request = SilentRequest { scopes: Some(scopes), ..self.account.clone() };
        Box::pin(async move { self.token(request).await.map_err(|error| Error::new(ErrorKind::Credential, error)) })
    }
}
