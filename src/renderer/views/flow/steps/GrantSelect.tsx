import { Select } from '@mantine/core';
import { page } from '../../../connection/state.ts';
import { mayUse } from '../choice.ts';
import { withGrant } from '../flow-state.ts';
import { changeFlow, useFlow } from '../flow-store.ts';
import { FLOW_GRANTS, type FlowGrant } from '../flow-steps.ts';
import { GRANT_TITLES } from '../step-words.ts';
import classes from './Steps.module.css';

function choose(grant: FlowGrant): void {
  const { clients } = page.getState();
  changeFlow((state) => {
    if (grant === state.inputs.grant) return state;
    const picked = clients.find(({ client_id }) => client_id === state.inputs.client_id);
    return withGrant(state, grant, picked && mayUse(grant)(picked) ? picked.client_id : null);
  });
}

/** Which grant is walked through. */
export function GrantSelect({ busy }: { readonly busy: boolean }) {
  const grant = useFlow((state) => state.inputs.grant);
  return (
    <Select
      className={classes.grant}
      aria-label="Grant"
      allowDeselect={false}
      disabled={busy}
      value={grant}
      onChange={(chosen) => choose(chosen ?? grant)}
      data={FLOW_GRANTS.map((value) => ({ value, label: GRANT_TITLES[value] }))}
    />
  );
}
