// The target of a request: a path with a query.

/** `Path?query`, also of the absolute form that proxies send (RFC 9112 3.2.2). */
export function splitTarget(target: string): [path: string, query: string] {
  const local = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const mark = local.indexOf('?');
  return mark < 0 ? [local || '/', ''] : [local.slice(0, mark) || '/', local.slice(mark + 1)];
}
