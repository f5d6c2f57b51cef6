import { Button } from '@mantine/core';
import type { Exchange } from '../../control/schemas.ts';
import { registerClient } from '../actions/delete-record.ts';
import { addRedirectUri, allowGrant, grantName } from '../actions/sandbox.ts';
import { control } from '../connection/control.ts';
import { usePage } from '../connection/state.ts';
import { useNeed } from '../ui/use-need.ts';
import { fixOf, registrationOf, type Fix } from './fix.ts';
import classes from './Why.module.css';

/** Reads the request again with its secrets, which the page does not have. */
const register = (client_id: string, number: number) =>
  registerClient(client_id, async () =>
    registrationOf(await control.exchanges.get({ number, secrets: true })),
  );

function make(fix: Fix, { number }: Exchange): Promise<boolean> {
  switch (fix.what) {
    case 'redirect_uri':
      return addRedirectUri(fix.client, fix.uri);
    case 'grant':
      return allowGrant(fix.client, fix.grant);
    case 'client':
      return register(fix.client_id, number);
  }
}

function offerInWords(fix: Fix): string {
  switch (fix.what) {
    case 'redirect_uri':
      return 'Add this redirect URI to the client';
    case 'grant':
      return `Allow ${grantName(fix.grant)} for this client`;
    case 'client':
      return 'Register this client';
  }
}

function doneInWords(fix: Fix): string {
  switch (fix.what) {
    case 'redirect_uri':
      return 'This redirect URI is now registered';
    case 'grant':
      return `This client may now use ${grantName(fix.grant)}`;
    case 'client':
      return 'This client is now registered';
  }
}

/** Offers to change the sandbox so that it accepts a rejected request, or says that this has been done. */
export function FixOffer({ exchange }: { readonly exchange: Exchange }) {
  const clients = usePage((state) => state.clients);
  const profile = usePage((state) => state.settings?.profile);
  const needs = useNeed('connection');
  if (profile === undefined) return null;
  const fix = fixOf(exchange, { clients, profile });
  if (fix === null) return null;
  if (fix.made)
    return <p className={classes.advice}>{doneInWords(fix)}. Send the request again.</p>;
  return (
    <div>
      <Button {...needs} onClick={() => void make(fix, exchange)}>
        {offerInWords(fix)}
      </Button>
    </div>
  );
}
