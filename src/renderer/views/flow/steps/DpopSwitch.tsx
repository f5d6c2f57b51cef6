import { Switch } from '@mantine/core';
import { ProfileOffer } from '../../../exchange/ProfileOffer.tsx';
import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import classes from './Steps.module.css';

const WORDS =
  'Token requests prove a key that this page holds; tokens are then of no use without it (RFC 9449).';
const REQUIRED = 'Always on: the client must send a proof with every token request (RFC 9449 5.2).';

/** Whether tokens are bound to a key; only the interop profile does so. */
export function DpopSwitch() {
  const { client, profile, dpop } = useChoice();
  const wanted = useFlow((state) => state.inputs.dpop);
  const required = client?.dpop_bound_access_tokens === true;
  return (
    <>
      <Switch
        label="Bind tokens with DPoP"
        checked={wanted || required}
        disabled={required}
        description={required ? REQUIRED : WORDS}
        onChange={(event) => setInputs({ dpop: event.currentTarget.checked })}
      />
      {dpop && client !== null && profile !== 'interop' && (
        <div>
          <p className={classes.remark}>
            The {profile} profile of this client ignores proofs: its tokens are not bound.
          </p>
          <ProfileOffer profile="interop" client_id={client.client_id} />
        </div>
      )}
    </>
  );
}
