import { opensAddresses } from '../../../ui/citation/opens-addresses.ts';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import { useFlow } from '../flow-store.ts';
import classes from './Steps.module.css';

/** What the device shows to its user, and the page where it is entered. */
export function UserCodeLine() {
  const device = useFlow((state) => state.device);
  if (device === null || device.spent) return null;
  const { user_code, verification_uri_complete: page } = device;
  return (
    <div className={`${classes.row} ${classes.userCode}`}>
      <code>{user_code}</code>
      {opensAddresses() && (
        <a href={page} target="_blank" rel="noreferrer">
          Open the page
        </a>
      )}
      <CopyButton value={page} label="Copy the address of the page" />
    </div>
  );
}
