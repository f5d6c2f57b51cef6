import { Select } from '@mantine/core';
import { usePage } from '../../../connection/state.ts';
import { useChoice } from '../choice.ts';
import { setInputs } from '../flow-store.ts';

/** Who signs in, and decides. */
export function UserSelect() {
  const { user } = useChoice();
  const users = usePage((state) => state.users);
  return (
    <Select
      label="User"
      allowDeselect={false}
      value={user?.sub ?? null}
      onChange={(sub) => setInputs({ sub })}
      data={users.map(({ sub, name }) => ({
        value: sub,
        label: name === '' ? sub : `${name} (${sub})`,
      }))}
    />
  );
}
