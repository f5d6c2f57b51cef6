// HTML as text: whatever is put into a template is escaped, unless it is HTML itself.

export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[] | null;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters that no HTML may have (HTML 13.2.3.5) become the sign for what is unknown. */
const escape = (text: string): string =>
  text
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign)
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');

function textOf(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escape(String(value));
  return 'html' in value ? value.html : value.map(({ html }) => html).join('');
}

/** A piece of HTML; null leaves nothing. */
export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: String.raw({ raw: strings }, ...values.map(textOf)),
});

/** Text that is HTML already, such as a style sheet. */
export const raw = (text: string): Html => ({ html: text });
