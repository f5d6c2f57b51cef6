import { PasswordInput } from '@mantine/core';
import { useChoice } from '../choice.ts';
import { setInputs } from '../flow-store.ts';
import { AudienceSelect } from './AudienceSelect.tsx';
import { ScopeInput } from './ScopeInput.tsx';
import { UserSelect } from './UserSelect.tsx';
import classes from './Steps.module.css';

/** The fields of the password request (RFC 6749 4.3.2). */
export function PasswordInputs() {
  const { user, password } = useChoice();
  const has = user?.has_password === true;
  return (
    <div className={classes.fields}>
      <UserSelect />
      <PasswordInput
        label="Password"
        value={password.password}
        autoComplete="off"
        description={has ? null : 'This user has no password: any is accepted.'}
        visibilityToggleButtonProps={{ 'aria-label': 'Reveal password', tabIndex: 0 }}
        onChange={(event) => setInputs({ password: event.currentTarget.value })}
      />
      <AudienceSelect none="None: the client’s default" />
      <ScopeInput />
    </div>
  );
}
