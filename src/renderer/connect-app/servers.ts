// Settings for libraries and modules in other languages, which the tests run from Debian's packages.

import { go, python } from '../snippets/literals.ts';
import { type Snippet, originOf, pathOf } from './library-input.ts';

/** A Ruby literal without interpolation. */
const ruby = (text: string): string => `'${text.replace(/['\\]/g, String.raw`\$&`)}'`;

/** A quoted argument of an Apache directive. */
const apache = (text: string): string => `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;

export const SERVERS: readonly Snippet[] = [
  {
    id: 'authlib',
    name: 'Authlib',
    group: 'Python',
    about: 'Version 1, with requests.',
    interop: true,
    clients: 'confidential',
    text: (input) => `from authlib.integrations.requests_client import OAuth2Session

session = OAuth2Session(
    ${python(input.client_id)},
    ${python(input.client_secret ?? '')},
    token_endpoint_auth_method="client_secret_post",
    redirect_uri=${python(input.redirect_uri)},
    scope="openid profile email",
)
url, state = session.create_authorization_url(${python(input.endpoints.authorization)})


def sign_in(callback_url):
    return session.fetch_token(
        ${python(input.endpoints.token)}, authorization_response=callback_url
    )


def refresh():
    return session.refresh_token(${python(input.endpoints.token)})


def user():
    return session.get(${python(input.endpoints.userinfo)}).json()`,
  },
  {
    id: 'ruby-oauth2',
    name: 'oauth2',
    group: 'Ruby',
    about: 'The gem oauth2, versions 1 and 2. Tested with version 1.4.',
    interop: true,
    clients: 'confidential',
    text: (input) => `require 'oauth2'

client = OAuth2::Client.new(
  ${ruby(input.client_id)},
  ${ruby(input.client_secret ?? '')},
  site: ${ruby(originOf(input.issuer))},
  authorize_url: ${ruby(pathOf(input.endpoints.authorization))},
  token_url: ${ruby(pathOf(input.endpoints.token))},
  auth_scheme: :request_body
)
redirect_uri = ${ruby(input.redirect_uri)}
url = client.auth_code.authorize_url(redirect_uri: redirect_uri, scope: 'openid profile email')

sign_in = ->(code) { client.auth_code.get_token(code, redirect_uri: redirect_uri) }
user = ->(tokens) { tokens.get(${ruby(input.endpoints.userinfo)}).parsed }
refresh = ->(tokens) { tokens.refresh! }`,
  },
  {
    id: 'go-oauth2',
    name: 'golang.org/x/oauth2',
    group: 'Go',
    about: 'As a package-level variable.',
    interop: true,
    clients: 'confidential',
    text: (input) => `import "golang.org/x/oauth2"

var config = oauth2.Config{
	ClientID:     ${go(input.client_id)},
	ClientSecret: ${go(input.client_secret ?? '')},
	RedirectURL:  ${go(input.redirect_uri)},
	Scopes:       []string{"openid", "profile", "email"},
	Endpoint: oauth2.Endpoint{
		AuthURL:   ${go(input.endpoints.authorization)},
		TokenURL:  ${go(input.endpoints.token)},
		AuthStyle: oauth2.AuthStyleInParams,
	},
}`,
  },
  {
    id: 'mod-auth-openidc',
    name: 'mod_auth_openidc',
    group: 'Apache',
    about: 'Version 2.4, in the server or virtual host configuration.',
    interop: true,
    clients: 'confidential',
    text: (input) => `OIDCProviderMetadataURL ${apache(input.endpoints.openid_configuration)}
OIDCClientID ${apache(input.client_id)}
OIDCClientSecret ${apache(input.client_secret ?? '')}
OIDCProviderTokenEndpointAuth client_secret_post
OIDCRedirectURI ${apache(input.redirect_uri)}
OIDCCryptoPassphrase "exec:/usr/bin/openssl rand -hex 32"
OIDCScope "openid profile email"
OIDCRemoteUserClaim sub

<Location "/">
  AuthType openid-connect
  Require valid-user
</Location>`,
  },
];
