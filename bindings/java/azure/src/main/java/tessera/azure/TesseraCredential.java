// SPDX-License-Identifier: MIT
package tessera.azure;

import com.azure.core.credential.AccessToken;
import com.azure.core.credential.TokenCredential;
import com.azure.core.credential.TokenRequestContext;
import java.net.URI;
import java.time.ZoneOffset;
import reactor.core.publisher.Mono;
import tessera.Application;
import tessera.SilentRequest;
import tessera.TokenResult;

/**
 * The tokens of an account, for the clients of the Azure SDK for Java. The credential never signs in: if that is
 * necessary, its error is {@link tessera.SignInRequiredException}.
 */
public final class TesseraCredential implements TokenCredential {
  private final Application application;
  private final SilentRequest request;

  /** Creates a credential for the only account. */
  public TesseraCredential(Application application) {
    this(application, SilentRequest.builder().build());
  }

  /**
   * Creates a credential. The request selects the account. Clients that request the token of another tenant get it from
   * the cloud of the request's authority; by default, from the public cloud.
   */
  public TesseraCredential(Application application, SilentRequest request) {
    this.application = application;
    this.request = request;
  }

  /** Returns a cached or refreshed token. The end of the subscription cancels the call. */
  @Override
  public Mono<AccessToken> getToken(TokenRequestContext context) {
    return Mono.fromFuture(() -> application.acquireTokenSilentAsync(requestOf(context)))
        .map(TesseraCredential::converted);
  }

  /** Returns a cached or refreshed token. */
  @Override
  public AccessToken getTokenSync(TokenRequestContext context) {
    return converted(application.acquireTokenSilent(requestOf(context)));
  }

  private SilentRequest requestOf(TokenRequestContext context) {
    SilentRequest.Builder made = request.toBuilder().scopes(context.getScopes());
    if (context.getClaims() != null) {
      made.claims(context.getClaims());
    }
    if (context.getTenantId() != null && !context.getTenantId().isEmpty()) {
      made.authority(authorityHost() + context.getTenantId());
    }
    return made.build();
  }

  /** Returns the address of the authority, up to the tenant. */
  private String authorityHost() {
    URI given = URI.create(request.authority().orElse("https://login.microsoftonline.com/"));
    return given.getScheme() + "://" + given.getRawAuthority() + "/";
  }

  private static AccessToken converted(TokenResult token) {
    return new AccessToken(token.accessToken(), token.expiresOn().atOffset(ZoneOffset.UTC));
  }
}
