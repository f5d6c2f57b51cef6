// Path patterns of fault rules: `*` stands for any characters, slashes too (docs/faults.md).

/** Whether a path is one the pattern means; in time that grows with their lengths alone. */
export function fitsPattern(pattern: string, path: string): boolean {
  const [head = '', ...parts] = pattern.split('*');
  const tail = parts.pop();
  if (tail === undefined) return path === pattern;
  const end = path.length - tail.length;
  if (end < head.length || !path.startsWith(head) || !path.endsWith(tail)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}
