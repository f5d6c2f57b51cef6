// Text that is difficult for parsers and patterns: spaces, quotes, backslashes, separators, nesting, repetition, in
// sizes that reveal more than linear time.

const PIECES = [
  ' ', '\t', '"', "'", '\\', '\\\\', '\\u0000', '&', '=', ';', ',', ':', '%', '%2', '%00', '%ff', '+', '/',
  '.', '..', '-', '_', '~', '<', '>', '{', '}', '[', ']', '\u00e9', '\u2028', '\ud83d\ude00', '\r\n', '\0', 'a',
  'eyJ', '__proto__', 'null', '0', '1e999', 'openid', 'openid profile',
]; // prettier-ignore

const NAMES = [
  'grant_type', 'client_id', 'client_secret', 'code', 'refresh_token', 'redirect_uri', 'audience', 'scope',
  'token', 'token_type_hint', 'code_verifier', 'client_assertion', 'client_assertion_type', 'assertion', 'username', 'password', 'access_token',
  'response_type', 'response_mode', 'state', 'nonce', 'prompt', 'login_hint', 'max_age', 'acr_values', 'claims', 'id_token_hint',
  'subject_token', 'subject_token_type', 'actor_token', 'actor_token_type', 'requested_token_type',
  'device_code', 'user_code',
  'resource', 'code_challenge', 'code_challenge_method', '__proto__', 'constructor', '', 'x',
]; // prettier-ignore

const VALUES = [
  'authorization_code', 'refresh_token', 'client_credentials', 'normal-app', 'busy-app', 'faulty-app', 'code',
  'urn:ietf:params:oauth:grant-type:device_code', 'urn:ietf:params:oauth:grant-type:token-exchange',
  'urn:ietf:params:oauth:grant-type:jwt-bearer', 'password', 'urn:ietf:params:oauth:token-type:access_token',
  'urn:ietf:params:oauth:token-type:refresh_token', 'urn:ietf:params:oauth:token-type:id_token',
  'code id_token', 'id_token', 'token', 'mfa', '{"id_token":{"acr":{"essential":true,"values":["mfa"]}}}',
  `{"userinfo":${'['.repeat(2000)}`, '{"id_token":{"__proto__":null,"sub":{"value":"ada"}}}',
  'S256', 'plain', 'query', 'fragment', 'form_post', 'web_message', 'none', 'login consent', 'ada',
  'http://localhost:3000/callback', 'https://orders.example/api', 'openid orders:read',
]; // prettier-ignore

/** The same few pieces over and over, mostly with another end. @param most characters, nearly */
export function shapedText(random, most = 20_000) {
  const unit = Array.from({ length: random.between(1, 3) }, () => random.pick(PIECES)).join('');
  const count = Math.ceil(random.size(most) / unit.length);
  const end = random.chance(0.5) ? random.pick(PIECES) : '';
  return unit.repeat(count) + end;
}

export const parameterName = (random) =>
  random.chance(0.9) ? random.pick(NAMES) : shapedText(random, 500);

export function parameterValue(random, most) {
  if (random.chance(0.5)) return random.pick(VALUES);
  return random.chance(0.7) ? shapedText(random, most) : random.text(random.size(most ?? 20_000));
}

/** Mostly meaningful names and values; sometimes hundreds of them. */
export function parameters(random, most) {
  const count = random.chance(0.1) ? random.size(2000) : random.between(1, 10);
  const length = count > 10 ? 200 : most;
  return Array.from({ length: count }, () => [
    parameterName(random),
    parameterValue(random, length),
  ]);
}

/** A form with incomplete escaping. */
export function formText(random, pairs) {
  const raw = random.chance(0.5);
  const write = (text) => (raw ? text : encodeURIComponent(text.toWellFormed()));
  const text = pairs.map(([name, value]) => `${write(name)}=${write(value)}`).join('&');
  return random.chance(0.3) ? `${text}&scope=openid profile` : text;
}

/** Valid or nearly valid JSON: deep, wide, repeated, truncated. */
export function jsonText(random, pairs) {
  const shape = random.below(8);
  if (shape === 0) return '['.repeat(random.size(30_000));
  if (shape === 1) return '{"a":'.repeat(random.size(6000)) + '1';
  if (shape === 2) return `{"grant_type":"${'\\'.repeat(random.size(30_000))}`;
  if (shape === 3) return `{${Array(random.size(3000)).fill('"code":"x"').join(',')}}`;
  const members = pairs.map(([name, value]) => {
    const odd = random.pick([1e999, null, true, [value], { [name]: value }, -0, 2 ** 53]);
    return [name, random.chance(0.1) ? odd : value];
  });
  const text = JSON.stringify(Object.fromEntries(members));
  return shape === 4 ? text.slice(0, random.below(text.length)) : text;
}

/** A JSON value of any type. */
export function anyValue(random, depth = 0) {
  const kind = random.below(depth > 3 ? 6 : 9);
  if (kind === 0) return null;
  if (kind === 1) return random.chance(0.5);
  if (kind === 2) return random.pick([0, -1, 1.5, 1e308, 2 ** 53, -(2 ** 31)]);
  if (kind < 6) return shapedText(random, 2000);
  const length = random.below(5);
  const values = Array.from({ length }, () => anyValue(random, depth + 1));
  if (kind === 6) return values;
  return Object.fromEntries(values.map((value) => [parameterName(random), value]));
}
