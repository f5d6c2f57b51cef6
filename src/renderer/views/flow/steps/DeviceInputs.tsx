import { AudienceSelect } from './AudienceSelect.tsx';
import { ScopeInput } from './ScopeInput.tsx';
import classes from './Steps.module.css';

/** What the device asks for (RFC 8628 3.1). */
export function DeviceInputs() {
  return (
    <div className={classes.fields}>
      <AudienceSelect none="None: the client’s default" />
      <ScopeInput />
    </div>
  );
}
