import { ScopeInput } from './ScopeInput.tsx';
import classes from './Steps.module.css';
import { UserSelect } from './UserSelect.tsx';

/** Whose token is to be exchanged, and what it may be used for. */
export function SubjectInputs() {
  return (
    <div className={classes.fields}>
      <UserSelect />
      <ScopeInput />
    </div>
  );
}
