// The fields of a form as an app wrote it: how it encodes them is its own affair, as long as they are well-formed.

const isEncoded = (text: string): boolean => {
  try {
    decodeURIComponent(text.replaceAll('+', ' '));
    return !/[\s\u0000-\u001f]/.test(text);
  } catch {
    return false;
  }
};

/** By name; null when one is repeated or cannot be read. */
export function formFields(body: string): Readonly<Record<string, string>> | null {
  const parts = body.split('&');
  if (!parts.every((part) => part.includes('=') && isEncoded(part))) return null;
  const pairs = [...new URLSearchParams(body)];
  const fields = Object.fromEntries(pairs);
  return Object.keys(fields).length === pairs.length ? fields : null;
}
