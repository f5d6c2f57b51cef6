// Settings for frameworks and tools that the tests do not run. They follow the documentation of each.

import { csharp } from '../snippets/literals.ts';
import { type Snippet, type SnippetInput, needsSecret, pathOf } from './snippet.ts';

/** A JSON string is a YAML scalar. */
const yaml = (text: string): string => JSON.stringify(text);

const NOT_RUN = 'Based on its documentation; not covered by Grantbench’s tests.';

const spring = (input: SnippetInput) => `spring.security.oauth2.client:
  registration.grantbench:
    client-id: ${yaml(input.client_id)}
    client-secret: ${yaml(input.client_secret ?? '')}
    client-authentication-method: client_secret_post
    authorization-grant-type: authorization_code
    redirect-uri: ${yaml(input.redirect_uri)} # its default: {baseUrl}/login/oauth2/code/grantbench
    scope: openid, profile, email
  provider.grantbench:
    issuer-uri: ${yaml(input.issuer)}`;

const aspNet = (
  input: SnippetInput,
) => `builder.Services.AddAuthentication("oidc").AddCookie("cookies").AddOpenIdConnect("oidc", options =>
{
    options.SignInScheme = "cookies";
    options.Authority = ${csharp(input.issuer)};
    options.RequireHttpsMetadata = ${String(input.issuer.startsWith('https:'))};
    options.ClientId = ${csharp(input.client_id)};
    options.ClientSecret = ${csharp(input.client_secret ?? '')};
    options.ResponseType = "code";
    options.CallbackPath = ${csharp(pathOf(input.redirect_uri))};
});`;

/** The members of Postman's collection format 2.1, under `auth`. */
function postman(input: SnippetInput): string {
  const values = {
    grant_type: 'authorization_code',
    authUrl: input.endpoints.authorization,
    accessTokenUrl: input.endpoints.token,
    clientId: input.client_id,
    clientSecret: input.client_secret ?? '',
    redirect_uri: input.redirect_uri,
    scope: 'openid profile email',
    client_authentication: 'body',
    addTokenTo: 'header',
  };
  const oauth2 = Object.entries(values).map(([key, value]) => ({ key, value, type: 'string' }));
  return JSON.stringify({ auth: { type: 'oauth2', oauth2 } }, null, 2);
}

export const UNTESTED: readonly Snippet[] = [
  {
    id: 'spring',
    name: 'Spring Security',
    group: 'Java',
    about: `application.yaml of Spring Boot. ${NOT_RUN}`,
    interop: true,
    unfit: needsSecret('Spring Security'),
    text: spring,
  },
  {
    id: 'asp-net',
    name: 'ASP.NET Core',
    group: 'C#',
    about: `Program.cs. ${NOT_RUN}`,
    interop: true,
    unfit: needsSecret('ASP.NET Core'),
    text: aspNet,
  },
  {
    id: 'postman',
    name: 'Postman',
    group: 'Tools',
    about: `The authorization of a collection, format 2.1. ${NOT_RUN}`,
    interop: true,
    unfit: needsSecret('Postman'),
    text: postman,
  },
];
