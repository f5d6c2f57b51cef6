import type { Profile } from '../../control/schemas.ts';
import { setClientProfile, setProfile } from '../actions/sandbox.ts';
import { usePage } from '../connection/state.ts';
import { ActionButton } from '../ui/buttons.tsx';
import classes from './Why.module.css';

export interface OfferProps {
  readonly title: string;
  /** Said once the change has been made. */
  readonly done: string;
  readonly made: boolean;
  readonly make: () => Promise<unknown>;
}

/** Offers to change the sandbox so that it accepts the request, or says that this has been done. */
export function Offer({ title, done, made, make }: OfferProps) {
  if (made) return <p className={classes.advice}>{done}. Send the request again.</p>;
  return (
    <div>
      <ActionButton needs="connection" onClick={() => void make()}>
        {title}
      </ActionButton>
    </div>
  );
}

interface ProfileOfferProps {
  /** The profile that accepts such a request. */
  readonly profile: Profile;
  /** null when the request names no registered client. */
  readonly client_id: string | null;
}

/** Offers to switch the client to the profile that accepts its request. */
export function ProfileOffer({ profile, client_id }: ProfileOfferProps) {
  const client = usePage(({ clients }) => clients.find((one) => one.client_id === client_id));
  const ofWorkspace = usePage((state) => state.settings?.profile);
  const whose = client === undefined ? 'The workspace' : 'This client';
  if (ofWorkspace === undefined) return null;
  return (
    <Offer
      title={`Use ${profile} for ${whose.toLowerCase()}`}
      done={`${whose} now uses the ${profile} profile`}
      made={(client?.profile ?? ofWorkspace) === profile}
      make={() => (client === undefined ? setProfile(profile) : setClientProfile(client, profile))}
    />
  );
}
