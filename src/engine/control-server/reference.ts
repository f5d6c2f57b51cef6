// Renders the OpenAPI document as a page without scripts, network access or control token. It only shows the document
// and knows nothing of the operations.

import { html, raw } from 'hono/html';
import { type Content, STYLE } from '../../server/pages/layout.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}
interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response>>;
}
export interface Reference {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

const LAYOUT = `
body{display:block;padding:0}
main{max-width:960px;margin:0 auto;border-width:0 1px;border-radius:0;padding:32px}
h2{margin:40px 0 4px;font-size:16px}h2+p{margin-bottom:8px}h3{margin:0;font-size:14px;font-weight:600}
nav{display:flex;flex-wrap:wrap;gap:4px 14px;margin:16px 0}
details{border-top:1px solid var(--line)}
details:last-child{border-bottom:1px solid var(--line)}
summary{display:grid;grid-template-columns:64px minmax(0,1fr) minmax(0,1.2fr);gap:12px;padding:9px 4px;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:hover{background:var(--raised)}
summary code{font-size:13px;color:var(--text)}summary span{color:var(--muted)}
summary b{font:600 12px/1.7 var(--mono);color:var(--accent)}
.body{padding:4px 4px 20px;scroll-margin-top:56px}.body h3{margin:16px 0 6px}
table{width:100%;border-collapse:collapse}
td{padding:5px 16px 5px 0;border-top:1px solid var(--line);vertical-align:top}
td:first-child{width:30%}td:nth-child(2){width:24%;color:var(--muted)}
table+pre{margin-top:8px}pre{margin:0;padding:12px 14px;overflow-x:auto;border:1px solid var(--line);border-radius:8px;background:var(--raised)}
pre code{overflow-wrap:normal;white-space:pre}
@media (max-width:560px){summary{grid-template-columns:56px 1fr}summary span{grid-column:2}td{display:block;width:auto!important;padding-right:0}td+td{border:0;padding-top:0}}
`;

const nameOf = ({ $ref = '' }: { readonly $ref?: string }) => $ref.split('/').at(-1) ?? '';

/** Returns the type in a few words; a named record links to its description. */
function typeOf(schema: Schema): Content {
  const name = nameOf(schema);
  if (name !== '') return html`<a href="#${name}">${name}</a>`;
  if (schema.const !== undefined) return html`${JSON.stringify(schema.const)}`;
  if (schema.enum !== undefined) return html`${schema.enum.join(' | ')}`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) {
    return html`${options.map((option, at) => [at > 0 ? ' or ' : '', typeOf(option)])}`;
  }
  if (schema.items !== undefined) return html`list of ${typeOf(schema.items)}`;
  return html`${schema.type ?? 'any'}`;
}

/** Formats text in backticks as code. */
const prose = (text = '') =>
  text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`));

const row = (name: string, schema: Schema, words = schema.description) =>
  html`<tr>
    <td><code>${name}</code></td>
    <td>${typeOf(schema)}</td>
    <td>${prose(words)}</td>
  </tr>`;

/** Nested members are listed with their path. */
function rows({ properties = {} }: Schema, above = ''): Content[] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    row(`${above}${name}`, schema),
    ...rows(schema, `${above}${name}.`),
  ]);
}

function table(rowsOfIt: readonly Content[]): Content {
  return html`<table>
    <tbody>
      ${rowsOfIt}
    </tbody>
  </table>`;
}

const json = (value: unknown) =>
  html`<pre><code>${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</code></pre>`;

const titled = (title: string, shown: Content | '') =>
  html`<h3>${title}</h3>
    ${shown}`;

function mediaView(title: string, { schema, example }: Media): Content {
  const name = schema === undefined ? '' : nameOf(schema);
  const members = schema?.properties === undefined ? '' : table(rows(schema));
  const kind = name === '' ? members : html`<p><a href="#${name}">${name}</a></p>`;
  return html`${titled(title, kind)} ${example === undefined ? '' : json(example)}`;
}

const firstOf = (content: Readonly<Record<string, Media>> = {}) => Object.values(content)[0];

function answers({ responses }: Operation, shared: Reference['components']['responses']): Content {
  const lines = Object.entries(responses).map(([status, response]) => {
    const { description = '' } = shared[nameOf(response)] ?? response;
    return html`<tr>
      <td><code>${status}</code></td>
      <td>${Number(status) < 400 ? '' : html`<a href="#Error">Error</a>`}</td>
      <td>${description}</td>
    </tr>`;
  });
  const good = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const media = firstOf(good?.[1].content);
  return html`${media === undefined ? '' : mediaView('Response', media)}
  ${titled('Statuses', table(lines))}`;
}

function operationView(
  path: string,
  method: string,
  operation: Operation,
  { components }: Reference,
): Content {
  const { parameters, requestBody, operationId, summary, description } = operation;
  const body = firstOf(requestBody?.content);
  const given = parameters?.map(({ name, schema, description: words }) => row(name, schema, words));
  return html`<details>
    <summary><b>${method.toUpperCase()}</b><code>/api${path}</code><span>${summary}</span></summary>
    <div class="body" id="${operationId}">
      <p>${prose(description)}</p>
      ${given === undefined ? '' : titled('Parameters', table(given))}
      ${body === undefined ? '' : mediaView('Body', body)}
      ${answers(operation, components.responses)}
    </div>
  </details>`;
}

function section(tag: Reference['tags'][number], reference: Reference): Content {
  const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { tags }]) => tags.includes(tag.name))
      .map(([method, operation]) => operationView(path, method, operation, reference)),
  );
  return html`<h2 id="${tag.name}">${tag.name}</h2>
    <p>${tag.description}</p>
    ${operations}`;
}

function recordView(name: string, schema: Schema): Content {
  return html`<details>
    <summary>
      <b>record</b><code>${name}</code>
      <span>${Object.keys(schema.properties ?? {}).length} members</span>
    </summary>
    <div class="body" id="${name}">${table(rows(schema))}</div>
  </details>`;
}

/** @param nonce the nonce with which the policy allows the style */
export async function referencePage(reference: Reference, nonce: string): Promise<string> {
  const { info, tags, components } = reference;
  return String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width,initial-scale=1" />
          <title>Control API - Grantbench</title>
          <style nonce="${nonce}">
            ${raw(STYLE + LAYOUT)}
          </style>
        </head>
        <body>
          <main>
            <div class="brand">
              <i aria-hidden="true">g</i><b>Grantbench</b> control API
              <span>${info.version}</span>
            </div>
            <h1>Control API</h1>
            <p>${prose(info.description)}</p>
            <p>
              Every operation needs <code>Authorization: Bearer</code> and the control token. This
              page is also available as an <a href="/openapi.json">OpenAPI 3.1 document</a>.
            </p>
            <nav aria-label="Parts">
              ${tags.map(({ name }) => html`<a href="#${name}">${name}</a>`)}
              <a href="#records">records</a>
            </nav>
            ${tags.map((tag) => section(tag, reference))}
            <h2 id="records">records</h2>
            <p>The schemas of request and response bodies.</p>
            ${Object.entries(components.schemas).map(([name, schema]) => recordView(name, schema))}
          </main>
        </body>
      </html>`,
  );
}
