// SPDX-License-Identifier: MIT
//! The interface of azure_core that the adapter uses, for tests without the crate.

/// Errors.
pub mod error {
    use std::fmt;

    /// The kind of an error.
    #[derive(Debug)]
    pub enum ErrorKind {
        /// A credential has no token.
        Credential,
    }

    /// An error with its source.
    #[derive(Debug)]
    pub struct Error {
        kind: ErrorKind,
        source: Box<dyn std::error::Error + Send + Sync>,
    }

    impl Error {
        /// Creates an error.
        pub fn new<Source: Into<Box<dyn std::error::Error + Send + Sync>>>(kind: ErrorKind, source: Source) -> Self {
            Error { kind, source: source.into() }
        }
    }

    impl fmt::Display for Error {
        fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(formatter, "{:?}: {}", self.kind, self.source)
        }
    }

    impl std::error::Error for Error {
        fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
            Some(&*self.source)
        }
    }
}

/// The result of a function.
pub type Result<Value> = std::result::Result<Value, error::Error>;

/// Times.
pub mod time {
    use std::time::SystemTime;

    /// A point in time.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub struct OffsetDateTime(SystemTime);

    impl From<SystemTime> for OffsetDateTime {
        fn from(time: SystemTime) -> Self {
            OffsetDateTime(time)
        }
    }
}

/// Credentials.
pub mod credentials {
    use std::fmt::Debug;
    use std::future::Future;
    use std::marker::PhantomData;
    use std::pin::Pin;

    use crate::time::OffsetDateTime;

    /// A secret.
    pub struct Secret(String);

    impl Secret {
        /// Returns the text.
        pub fn secret(&self) -> &str {
            &self.0
        }
    }

    impl From<String> for Secret {
        fn from(text: String) -> Self {
            Secret(text)
        }
    }

    /// An access token.
    pub struct AccessToken {
        /// The text.
        pub token: Secret,
        /// The time at which it expires.
        pub expires_on: OffsetDateTime,
    }

    impl AccessToken {
        /// Creates a token.
        pub fn new<Text: Into<Secret>>(token: Text, expires_on: OffsetDateTime) -> Self {
            AccessToken { token: token.into(), expires_on }
        }
    }

    /// The options of a request.
    #[derive(Default)]
    pub struct TokenRequestOptions<'a> {
        options: PhantomData<&'a ()>,
    }

    /// Returns tokens.
    pub trait TokenCredential: Send + Sync + Debug {
        /// Returns a token for scopes.
        fn get_token<'life0, 'life1, 'life2, 'life3, 'async_trait>(
            &'life0 self,
            scopes: &'life1 [&'life2 str],
            options: Option<TokenRequestOptions<'life3>>,
        ) -> Pin<Box<dyn Future<Output = crate::Result<AccessToken>> + Send + 'async_trait>>
        where
            'life0: 'async_trait,
            'life1: 'async_trait,
            'life2: 'async_trait,
            'life3: 'async_trait,
            Self: 'async_trait;
    }
}
