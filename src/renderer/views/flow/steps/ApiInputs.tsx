import { SegmentedControl } from '@mantine/core';
import { useChoice } from '../choice.ts';
import type { TokenPlace } from '../flow-inputs.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { FollowedInput } from './FollowedInput.tsx';
import classes from './Steps.module.css';

const PLACES: { value: TokenPlace; label: string }[] = [
  { value: 'header', label: 'In the header' },
  { value: 'body', label: 'In a form' },
];

/** The call to /userinfo with the access token (RFC 6750 2.1, 2.2). */
export function ApiInputs() {
  const { access_token } = useChoice();
  const inputs = useFlow((state) => state.inputs);
  return (
    <div className={classes.fields}>
      <SegmentedControl
        fullWidth
        aria-label="Token"
        value={inputs.api_token_in}
        onChange={(api_token_in) => setInputs({ api_token_in })}
        data={PLACES}
      />
      <FollowedInput
        label="Access token"
        value={access_token}
        typed={inputs.api_token !== null}
        placeholder="From the newest response"
        onChange={(api_token) => setInputs({ api_token })}
      />
    </div>
  );
}
