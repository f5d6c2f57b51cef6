import { useMemo } from 'react';
import { audienceOfApi } from '../../control/names.ts';
import { usePage } from '../connection/state.ts';

interface AudienceOption {
  readonly value: string;
  readonly label: string;
}

/** The audiences besides the issuer as the options of a select: those registered, and those of the protected APIs. */
export function useAudienceOptions(): readonly AudienceOption[] {
  const audiences = usePage((state) => state.audiences);
  const apis = usePage((state) => state.apis);
  const issuer = usePage((state) => state.server?.issuer);
  return useMemo(() => {
    const served =
      issuer === undefined
        ? []
        : apis.map((api) => ({ uri: audienceOfApi(api, issuer), name: api.name }));
    const named = new Map([...served, ...audiences].map(({ uri, name }) => [uri, name]));
    if (issuer !== undefined) named.delete(issuer);
    return [...named].map(([value, name]) => ({
      value,
      label: name === '' ? value : `${name} (${value})`,
    }));
  }, [audiences, apis, issuer]);
}
