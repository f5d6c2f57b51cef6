// An MCP client that finds the authorization server, registers itself, signs a user in, calls a tool, and steps up for
// another one. Prints what it did as JSON. SDK: v1 (`initialize`) or v2 (`server/discover`).

const { MCP_URL: url = '', SDK: sdk = '', CLIENT_ID_URL: metadata } = process.env;
const names = {
  v1: [
    '@modelcontextprotocol/sdk/client/index.js',
    '@modelcontextprotocol/sdk/client/streamableHttp.js',
  ],
  v2: ['@modelcontextprotocol/client', '@modelcontextprotocol/client'],
}[sdk];
const { Client } = await import(names[0]);
const { StreamableHTTPClientTransport } = await import(names[1]);

const seen = { authorizations: [], registered: null, tokens: [] };
const state = {};
let callback;

const provider = {
  redirectUrl: 'http://localhost:33418/callback',
  clientMetadata: {
    client_name: 'An MCP client',
    application_type: 'native',
    redirect_uris: ['http://localhost:33418/callback'],
    // With a refresh token, v1 refreshes instead of asking for more scopes.
    grant_types: ['authorization_code', ...(sdk === 'v1' ? [] : ['refresh_token'])],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  },
  ...(metadata === undefined ? {} : { clientMetadataUrl: metadata }),
  clientInformation: () => state.client,
  saveClientInformation: (client) => {
    state.client = client;
    seen.registered = client;
  },
  tokens: () => state.tokens,
  saveTokens: (tokens) => {
    state.tokens = tokens;
    seen.tokens.push(tokens.scope ?? null);
  },
  codeVerifier: () => state.verifier,
  saveCodeVerifier: (verifier) => {
    state.verifier = verifier;
  },
  saveDiscoveryState: (found) => {
    state.discovery = found;
  },
  discoveryState: () => state.discovery,
  redirectToAuthorization: async (to) => {
    seen.authorizations.push(Object.fromEntries(to.searchParams));
    const answer = await fetch(to, { redirect: 'manual' });
    callback = new URL(answer.headers.get('location') ?? '').searchParams;
  },
};

/** Sends; if the user has to sign in first, redeems the code that the callback received, and sends once more. */
async function authorized(send) {
  let transport;
  try {
    return await send(
      (transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider })),
    );
  } catch (error) {
    if (callback === undefined) throw error;
    const given = callback;
    callback = undefined;
    await transport.finishAuth(sdk === 'v1' ? given.get('code') : given);
    return send(new StreamableHTTPClientTransport(new URL(url), { authProvider: provider }));
  }
}

const options = sdk === 'v1' ? {} : { versionNegotiation: { mode: 'auto' } };
async function callTool(name) {
  return authorized(async (transport) => {
    const client = new Client({ name: 'a-client', version: '1.0.0' }, options);
    await client.connect(transport);
    const { tools } = await client.listTools();
    const { structuredContent } = await client.callTool({ name, arguments: {} });
    const version = client.getNegotiatedProtocolVersion?.() ?? null;
    await client.close();
    return { tools: tools.map((tool) => tool.name), result: structuredContent, version };
  });
}

const first = await callTool('whoami');
const second = await callTool('step_up');
process.stdout.write(`${JSON.stringify({ ...seen, first, second })}\n`);
