import { Checkbox, PasswordInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { fieldAt } from '../../../control/fields.ts';
import { userSchema } from '../../../control/schemas.ts';
import classes from '../../ui/form.module.css';
import type { UserDraft } from './user-draft.ts';

interface PasswordFieldProps {
  readonly form: UseFormReturnType<UserDraft>;
  /** Whether the user has one; which one, nobody is told. */
  readonly has_password: boolean;
}

/** Sets a password, or takes it away. One that was saved is not shown again. */
export function PasswordField({ form, has_password }: PasswordFieldProps) {
  const removed = form.getValues().without_password;
  return (
    <>
      <PasswordInput
        label={fieldAt(userSchema, 'password').label}
        description={
          has_password
            ? 'A password is set and not shown. Enter another one to replace it.'
            : 'For the password grant, which accepts any password of a user who has none.'
        }
        placeholder={has_password ? 'Set' : 'None'}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        classNames={{ innerInput: classes.mono }}
        visibilityToggleButtonProps={{ 'aria-label': 'Reveal password', tabIndex: 0 }}
        autoComplete="new-password"
        disabled={removed}
        {...form.getInputProps('password')}
      />
      {has_password && (
        <Checkbox
          label="Remove the password"
          {...form.getInputProps('without_password', { type: 'checkbox' })}
        />
      )}
    </>
  );
}
