// Shared by all attacks on a server: the known secrets, the findings, and the rules for every response: no 5xx except
// from fault rules, and no unexpected secret.

import { readJson } from './http.mjs';
import { createSecrets } from './secrets.mjs';

/** Marks scripted responses of the harness's fault rules, to distinguish them from failures of the service. */
export const ORDERED = 'x-ordered-fault';

const SECRET_MEMBERS = ['access_token', 'refresh_token', 'id_token', 'code', 'client_secret'];
const SLICE = 512 * 1024;
/** Overlap of slices, because a secret may span two. */
const OVERLAP = 64;
const MOST_REFRESH_TOKENS = 200;

function issuedIn({ headers, text, status }) {
  const issued = [];
  const { location } = headers;
  const code = location === undefined ? null : /[?&#]code=([\w-]+)/.exec(location)?.[1];
  if (code) issued.push(['code', code]);
  for (const cookie of headers['set-cookie'] ?? []) {
    issued.push(['cookie', cookie.slice(cookie.indexOf('=') + 1).split(';')[0]]);
  }
  if (status !== 200 && status !== 201) return issued;
  const members = readJson({ text }) ?? {};
  for (const name of SECRET_MEMBERS) {
    if (typeof members[name] === 'string') issued.push([name, members[name]]);
  }
  return issued;
}

/** @param report adds a finding */
export function createWorld(instance, report, figures) {
  const secrets = createSecrets();
  const refreshTokens = [];
  let disturbances = 0;
  let disturbing = 0;

  secrets.add(instance.control.token, 'control token');
  if (instance.registrationToken) secrets.add(instance.registrationToken, 'registration token');
  for (const { client_id, client_secret } of instance.clients.values()) {
    if (client_secret) secrets.addConfigured(client_secret, `secret of ${client_id}`, client_id);
  }

  const learn = (answer) => {
    for (const [name, value] of issuedIn(answer)) {
      secrets.add(value, name);
      if (name !== 'refresh_token') continue;
      figures.count('lineages');
      refreshTokens.push(value);
      if (refreshTokens.length > MOST_REFRESH_TOKENS) refreshTokens.shift();
    }
  };
  /** Checks output that must not contain a secret. */
  const show = async (where, text, details = []) => {
    for (let at = 0; at < text.length; at += SLICE) {
      const found = secrets.find(text.slice(at, at + SLICE + OVERLAP));
      if (found === null) {
        if (text.length > SLICE) await new Promise(setImmediate);
        continue;
      }
      report(`a secret seen in ${where}`, [
        `${found.name}: …${JSON.stringify(found.around)}`,
        ...details,
      ]);
      return;
    }
  };
  return {
    instance,
    secrets,
    show,
    learn,
    /** Refresh tokens that are probably live, newest last. */
    refreshTokens,
    /** Counts clock changes and key retirements, which end other credentials; an unchanged count means no disturbance. */
    disturb: async (step) => {
      disturbances += 1;
      disturbing += 1;
      try {
        return await step();
      } finally {
        disturbing -= 1;
      }
    },
    disturbances: () => disturbances,
    isDisturbed: () => disturbing > 0,
    /** @param origin `oauth` or `control` */
    examine: async (origin, answer, details) => {
      const { status, headers, text } = answer;
      figures.count(`${Math.floor(status / 100)}xx`);
      if (status >= 500 && headers[ORDERED] === undefined) {
        report(`an unordered ${status} from ${origin}`, [text.slice(0, 300), ...details]);
      }
      if (origin === 'oauth') learn(answer);
      if (status >= 400) await show(`an error body of ${origin}`, text, details);
    },
  };
}
