import { SegmentedControl } from '@mantine/core';
import { setInputs, useFlow } from '../flow-store.ts';
import { UserSelect } from './UserSelect.tsx';
import classes from './Steps.module.css';

const DECISIONS = [
  { value: 'approve', label: 'Approve' },
  { value: 'deny', label: 'Deny' },
] as const;

/** What the user decides, in whose place the control API is called. */
export function DecideInputs() {
  const decision = useFlow((state) => state.inputs.decision);
  return (
    <div className={classes.fields}>
      <div>
        <SegmentedControl
          fullWidth
          aria-label="Decision"
          value={decision}
          onChange={(chosen) => setInputs({ decision: chosen })}
          data={[...DECISIONS]}
        />
        <p className={classes.remark}>
          Over the control API, without a sign-in. To decide as a user does, open the page before
          you run this step.
        </p>
      </div>
      {decision === 'approve' && <UserSelect />}
    </div>
  );
}
