import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { AudienceSelect } from './AudienceSelect.tsx';
import { FollowedInput } from './FollowedInput.tsx';
import { ScopeInput } from './ScopeInput.tsx';
import classes from './Steps.module.css';

/** The assertion, and what the token is for (RFC 7521 4.1). */
export function BearerInputs() {
  const { bearer } = useChoice();
  const typed = useFlow((state) => state.inputs.assertion !== null);
  return (
    <div className={classes.fields}>
      <FollowedInput
        label="Assertion"
        value={bearer.assertion}
        typed={typed}
        placeholder="Signed when the step runs"
        onChange={(assertion) => setInputs({ assertion })}
      />
      <AudienceSelect none="None: the client’s default" />
      <ScopeInput />
    </div>
  );
}
