// A user with a browser without scripts: keeps cookies, follows no redirects, and fills in forms.

import { expect } from 'vitest';

export interface PageSeen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The target of a redirect; null without one. */
  readonly location: URL | null;
}

/** Field names and values, in their order. */
export type Fields = readonly (readonly [string, string])[];

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

export const unescapeHtml = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** The tags with this name and their attributes; an attribute without a value is empty. */
function tags(html: string, name: string): Record<string, string>[] {
  return [...html.matchAll(new RegExp(`<${name}\\b([^>]*)>`, 'g'))].map(([, inside = '']) =>
    Object.fromEntries(
      [...inside.matchAll(/([\w-]+)(?:="([^"]*)")?/g)].map(([, attribute = '', value = '']) => [
        attribute,
        unescapeHtml(value),
      ]),
    ),
  );
}

export interface PageForm {
  readonly action: string;
  /** The fields that the form would send, without its buttons. */
  readonly fields: Fields;
}

/** The form of a page. */
export function formOf({ text }: PageSeen): PageForm {
  const [form] = tags(text, 'form');
  expect(form).toMatchObject({ method: 'post' });
  const fields = tags(text, 'input')
    .filter(({ type, ...input }) => type === 'hidden' || 'checked' in input)
    .map(({ name = '', value = '' }) => [name, value] as const);
  return { action: form?.['action'] ?? '', fields };
}

/** The request of a browser that submits the form of a page. */
export function postedBy(page: PageSeen): Request {
  const { action, fields } = formOf(page);
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
  return new Request(action, { method: 'POST', body });
}

export function createPerson(origin: string) {
  const cookies = new Map<string, string>();

  const keep = (headers: Headers) => {
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/; Max-Age=0\b/.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const visit = async (target: string, init: RequestInit = {}): Promise<PageSeen> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = new Headers(init.headers);
    if (cookie !== '') headers.set('cookie', cookie);
    const url = new URL(target, origin);
    const answer = await fetch(url, { redirect: 'manual', ...init, headers });
    keep(answer.headers);
    const location = answer.headers.get('location');
    return {
      status: answer.status,
      headers: answer.headers,
      text: await answer.text(),
      location: location === null ? null : new URL(location, url),
    };
  };
  const post = (target: string, fields: Fields) =>
    visit(target, {
      method: 'POST',
      body: new URLSearchParams(fields.map(([name, value]) => [name, value])),
    });
  /** Presses a button of the consent page; the given fields replace those with the same name. */
  const decide = (page: PageSeen, decision: string, changed?: Fields) => {
    const { action, fields } = formOf(page);
    const names = new Set(changed?.map(([name]) => name));
    const kept = fields.filter(([name]) => !names.has(name));
    return post(`/${action}`, [...kept, ...(changed ?? []), ['decision', decision]]);
  };
  return { cookies, visit, post, decide };
}

export type Person = ReturnType<typeof createPerson>;
