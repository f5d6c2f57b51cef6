import { TextInput } from '@mantine/core';
import { setInputs, useFlow } from '../flow-store.ts';

export function ScopeInput() {
  const scope = useFlow((state) => state.inputs.scope);
  return (
    <TextInput
      label="Scope"
      placeholder="openid profile"
      value={scope}
      spellCheck={false}
      onChange={(event) => setInputs({ scope: event.currentTarget.value })}
    />
  );
}
