// The sign-in page of /authorize, answered as a browser does: its form, with a decision, and its cookies.

import type { Incoming, Outgoing } from './send.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const decoded = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => ENTITIES[sign] ?? sign);

interface Input {
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** Of a page of our own, whose attributes are all quoted. */
function inputsOf(page: string): readonly Input[] {
  return [...page.matchAll(/<input\s([^<>]*)>/g)].map(([, attributes = '']) => {
    const of = (name: string) =>
      decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
    return { type: of('type'), name: of('name'), value: of('value') };
  });
}

const isPage = ({ status, headers, text }: Incoming) =>
  status === 200 &&
  headers['content-type']?.startsWith('text/html') === true &&
  text.includes('<form method="post"');

/** The form as sent by who signs in; null when the answer asks nobody. @param sub the first one when null */
export function decisionOn(
  page: Incoming,
  decision: 'approve' | 'deny',
  sub: string | null,
): Outgoing | null {
  if (!isPage(page)) return null;
  const inputs = inputsOf(page.text);
  const hidden = inputs.filter(({ type }) => type === 'hidden');
  const scopes = inputs.filter(({ name }) => name === 'scope');
  const person = sub ?? inputs.find(({ name }) => name === 'sub')?.value ?? '';
  const fields = new URLSearchParams(
    hidden.map(({ name, value }): [string, string] => [name, value]),
  );
  if (decision === 'approve') {
    fields.set('sub', person);
    for (const { name, value } of scopes) fields.append(name, value);
  }
  fields.set('decision', decision);
  const cookies = (page.headers['set-cookie'] ?? []).map((cookie) => cookie.split(';', 1)[0]);
  return {
    method: 'POST',
    path: '/authorize',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Cookie: cookies.join('; ') },
    body: fields.toString(),
  };
}
