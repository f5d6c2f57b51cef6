import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { FollowedInput } from './FollowedInput.tsx';
import classes from './Steps.module.css';

/** The device code that is polled with (RFC 8628 3.4). */
export function PollInputs() {
  const { poll } = useChoice();
  const typed = useFlow((state) => state.inputs.poll_code !== null);
  return (
    <div className={classes.fields}>
      <FollowedInput
        label="Device code"
        value={poll.device_code}
        typed={typed}
        placeholder="Requested when the step runs"
        onChange={(poll_code) => setInputs({ poll_code })}
      />
    </div>
  );
}
