// The sign-in page of /authorize, submitted as a browser does: its form, with a decision, and its cookies.

import { FORM_TYPE, type HttpRequest } from '../../oauth/fields.ts';
import type { HttpAnswer } from './sandbox.ts';

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

/** Reads a page of our own, whose attributes are all quoted. */
function inputsOf(page: string): readonly Input[] {
  return [...page.matchAll(/<input\s([^<>]*)>/g)].map(([, attributes = '']) => {
    const of = (name: string) =>
      decoded(new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '');
    return { type: of('type'), name: of('name'), value: of('value') };
  });
}

const headerOf = ({ headers }: HttpAnswer, name: string): readonly string[] =>
  [headers[name] ?? []].flat();

const isPage = (answer: HttpAnswer) =>
  answer.status === 200 &&
  headerOf(answer, 'content-type').some((type) => type.startsWith('text/html')) &&
  answer.text.includes('<form method="post"');

/** The form as the browser sends it; null when the answer is no sign-in page. @param sub the first one when null */
export function decisionOn(
  page: HttpAnswer,
  decision: 'approve' | 'deny',
  sub: string | null,
): HttpRequest | null {
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
  const cookies = headerOf(page, 'set-cookie').map((cookie) => cookie.split(';', 1)[0]);
  return {
    method: 'POST',
    path: '/authorize',
    headers: { 'Content-Type': FORM_TYPE, Cookie: cookies.join('; ') },
    body: fields.toString(),
  };
}
