import { Button } from '@mantine/core';
import type { Profile } from '../../control/schemas.ts';
import { setClientProfile, setProfile } from '../actions/sandbox.ts';
import { usePage } from '../connection/state.ts';
import { useNeed } from '../ui/use-need.ts';
import classes from './Why.module.css';

interface ProfileOfferProps {
  /** The profile that accepts such a request. */
  readonly profile: Profile;
  /** null when the request names no registered client. */
  readonly client_id: string | null;
}

/** Switches the client to the profile that accepts its request, or says that it has it now. */
export function ProfileOffer({ profile, client_id }: ProfileOfferProps) {
  const client = usePage(({ clients }) => clients.find((one) => one.client_id === client_id));
  const ofWorkspace = usePage((state) => state.settings?.profile);
  const needs = useNeed('connection');
  const whose = client === undefined ? 'the workspace' : 'this client';
  if (ofWorkspace === undefined) return null;
  if ((client?.profile ?? ofWorkspace) === profile) {
    return (
      <p className={classes.advice}>
        Now {whose} uses the {profile} profile: send the request again.
      </p>
    );
  }
  const choose = () =>
    void (client === undefined ? setProfile(profile) : setClientProfile(client, profile));
  return (
    <div>
      <Button {...needs} onClick={choose}>
        Use {profile} for {whose}
      </Button>
    </div>
  );
}
