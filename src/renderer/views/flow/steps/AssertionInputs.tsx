import form from '../../../ui/form.module.css';
import { UserSelect } from './UserSelect.tsx';
import classes from './Steps.module.css';

/** For whom the client vouches. */
export function AssertionInputs() {
  return (
    <div className={classes.fields}>
      <UserSelect />
      <p className={form.note}>
        Signed with ES256 and valid for 5 minutes. The key is kept while this page is open.
      </p>
    </div>
  );
}
