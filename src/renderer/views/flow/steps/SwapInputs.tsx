import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { AudienceSelect } from './AudienceSelect.tsx';
import { FollowedInput } from './FollowedInput.tsx';
import classes from './Steps.module.css';

/** What is exchanged, and for which API the new token is (RFC 8693 2.1). */
export function SwapInputs() {
  const { swap } = useChoice();
  const typed = useFlow((state) => state.inputs.subject_token !== null);
  return (
    <div className={classes.fields}>
      <FollowedInput
        label="Subject token"
        value={swap.subject_token}
        typed={typed}
        placeholder="Issued when the step runs"
        onChange={(subject_token) => setInputs({ subject_token })}
      />
      <AudienceSelect none="None: that of the subject token" />
    </div>
  );
}
