// What each operation does, for whoever reads the OpenAPI document, with the body one would send. Keyed
// by the operation's place in the contract, which is also what the library and the page call it.

interface Words {
  readonly description: string;
  /** A body to send. */
  readonly request?: object;
  /** When it is 409, as a sentence. */
  readonly conflict?: string;
}

const FULL = 'There can be no more of these.';

export const OPERATIONS: Readonly<Record<string, Words>> = {
  'clients.list': { description: 'All registered clients, newest first, with their secrets.' },
  'clients.create': {
    description:
      'Members left out take their defaults; `client_id` and, where one is needed, `client_secret` are made.',
    request: { client_name: 'Checkout', redirect_uris: ['http://localhost:5000/callback'] },
    conflict: `There is a client with this client_id already. ${FULL}`,
  },
  'clients.get': { description: 'One client with its secret.' },
  'clients.update': {
    description:
      'A merge patch (RFC 7396): members given replace those there are, null puts one back to its default.',
    request: { access_token_expires_in: 300, profile: 'interop' },
  },
  'clients.remove': {
    description: 'Its codes and tokens stay, but nobody can authenticate to redeem them.',
  },
  'users.list': { description: 'All people who can sign in at /authorize, newest first.' },
  'users.create': {
    description: 'Adds a person who can sign in at /authorize.',
    request: { sub: 'grace', name: 'Grace Example', email: 'grace@example.test' },
    conflict: `There is a user with this sub already. ${FULL}`,
  },
  'users.get': { description: 'One user.' },
  'users.update': {
    description: 'A merge patch (RFC 7396); null puts a member back to its default.',
    request: { claims: { role: 'admin' } },
  },
  'users.remove': { description: 'The user can no longer sign in; tokens already issued stay.' },
  'audiences.list': {
    description: 'All registered APIs, newest first. The issuer is one without being listed.',
  },
  'audiences.create': {
    description: 'Registers an API that access tokens can be issued for.',
    request: { uri: 'https://orders.example/api', name: 'Orders', scopes: ['orders:read'] },
    conflict: `There is an audience with this uri already. ${FULL}`,
  },
  'audiences.get': { description: 'One audience. Percent-encode its URI in the path.' },
  'audiences.update': {
    description: 'A merge patch (RFC 7396); `uri` is the key and cannot be changed.',
    request: { scopes: ['orders:read', 'orders:write'] },
  },
  'audiences.remove': {
    description: 'Tokens for it can no longer be asked for.',
    conflict: 'It is the default audience of a client.',
  },
  'codes.create': {
    description:
      'As if a user had just agreed at /authorize: redeem the code at the token endpoint, or send the app to `redirect_to`.',
    request: { client_id: 'demo-app', redirect_uri: 'http://localhost:3000/callback' },
  },
  'tokens.list': {
    description:
      'Codes, access tokens and refresh tokens with their states. Values need `secrets`.',
  },
  'tokens.mint': {
    description: 'An access token and a refresh token, without an exchange or a code.',
    request: { client_id: 'demo-app', scope: 'openid' },
  },
  'tokens.get': { description: 'One credential with its state. Its value needs `secrets`.' },
  'tokens.revoke': {
    description: 'Ends this credential; a refresh token takes its lineage along.',
  },
  'tokens.expire': {
    description:
      'Introspection and userinfo refuse the token at once. Whoever verifies it offline cannot know.',
  },
  'lineages.get': {
    description: 'One authorization as a tree: what was issued, what was presented for it.',
  },
  'lineages.revoke': {
    description: 'No code and no token of this authorization is good any more.',
  },
  'requests.send': {
    description:
      'Sends the request to this token service from where it runs, and answers with the exchange it became.',
    request: {
      method: 'POST',
      path: '/oauth/token',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&client_id=demo-app&client_secret=demo-secret&refresh_token=x',
    },
    conflict: 'The token service does not run, closed the connection, or kept no exchange of it.',
  },
  'exchanges.list': {
    description:
      'What happened, newest first. With `wait_seconds` it waits for the first one that fits, so that a test needs no loop.',
  },
  'exchanges.export': {
    description: 'Exchanges as one document to take away; secrets are left out unless asked for.',
  },
  'exchanges.get': {
    description:
      'One exchange with request, answer, every check that was made, and why it was refused.',
  },
  'advisories.list': {
    description: 'Tokens that were fetched while a good one was at hand; counts per client.',
  },
  'throttle.list': { description: 'Who was counted, how often, and when the window turns over.' },
  'throttle.get': { description: 'One counter with the newest requests it refused.' },
  'throttle.releaseAll': { description: 'Every window begins anew with the next request.' },
  'throttle.release': { description: 'Its window begins anew with the next request.' },
  'faults.list': { description: 'Fault rules in the order in which they are tried.' },
  'faults.create': {
    description: 'Adds a rule after the others: of a preset, or with `when` and `effect`.',
    request: { preset: 'throttled_twice' },
    conflict: `There is a fault rule with this id already. ${FULL}`,
  },
  'faults.get': { description: 'One fault rule with what became of it in this run.' },
  'faults.update': {
    description: 'A merge patch (RFC 7396); a changed rule counts its `times` anew.',
    request: { enabled: false },
  },
  'faults.remove': { description: 'The service answers truthfully again where only it fitted.' },
  'faults.move': {
    description: 'The first rule that fits decides, so their order matters.',
    request: { position: 0 },
  },
  'faults.removeAll': { description: 'The service answers truthfully again.' },
  'faults.presets': { description: 'Bad days that come up most, each as a rule to start from.' },
  'settings.get': { description: 'How the service behaves.' },
  'settings.update': {
    description:
      'A merge patch (RFC 7396), in force from the next request on; null puts a member back to its default.',
    request: { throttle: { limit: 2, window_seconds: 10 } },
    conflict: 'The former issuer is the default audience of a client.',
  },
  'workspace.get': { description: 'Everything registered and set, as a workspace file has it.' },
  'workspace.put': {
    description:
      'Takes the place of all that is registered and set; members left out take their defaults. Everything wrong with it is told at once.',
    request: { version: 1, clients: [{ client_id: 'shop', client_secret: 'shop-secret' }] },
  },
  'clock.get': { description: 'The clock that codes, tokens and throttle windows live by.' },
  'clock.update': {
    description: 'Exactly one member: advance, freeze or run, set, or reset the clock.',
    request: { advance_seconds: 86_400 },
  },
  'keys.list': { description: 'Signing keys, newest first; no private part is shown.' },
  'keys.create': {
    description: 'The new key signs; former ones stay published until they are retired.',
    request: { alg: 'ES256' },
    conflict: FULL,
  },
  'keys.retire': { description: 'It leaves the JWK Set, and tokens signed with it are inactive.' },
  'server.get': { description: 'Where the token service listens, and what it runs.' },
  'server.start': {
    description: 'Starts the token service, on another port if one is given.',
    request: { port: 4280 },
    conflict: 'The port is in use, or cannot be had.',
  },
  'server.stop': { description: 'Stops the token service; control goes on.' },
  reset: {
    description:
      'Empties codes, tokens, exchanges, counters, hit counts and the denial list, and resets the clock.',
    request: { workspace: true },
    conflict: 'The workspace file cannot be read; nothing was reset.',
  },
  events: {
    description:
      'Server-sent events, one batch each, at most 20 a second. A subscriber that is slow loses events; a jump from `last` to the next `first` shows it.',
  },
};
