import { useMemo } from 'react';
import { audienceOfApi } from '../../control/names.ts';
import { useIssuer, usePage } from '../connection/state.ts';
import { choiceOf } from './short-forms.ts';

/** The audiences besides the issuer as the options of a select: those registered, and those of the protected APIs. */
export function useAudienceOptions(): readonly ReturnType<typeof choiceOf>[] {
  const audiences = usePage((state) => state.audiences);
  const apis = usePage((state) => state.apis);
  const issuer = useIssuer();
  return useMemo(() => {
    const served = apis.map((api) => ({ uri: audienceOfApi(api, issuer), name: api.name }));
    const named = new Map([...served, ...audiences].map(({ uri, name }) => [uri, name]));
    named.delete(issuer);
    return [...named].map(([uri, name]) => choiceOf(uri, name));
  }, [audiences, apis, issuer]);
}
