// Reading an authorization response that came by redirect (RFC 6749 4.1.2).

/** The parameters in the query of a redirect's Location, and in its fragment; none where there are none. */
export function redirectParameters(location: string): URLSearchParams {
  const [, parameters = ''] = /[?#](.*)$/s.exec(location) ?? [];
  return new URLSearchParams(parameters.replace('#', '&'));
}
