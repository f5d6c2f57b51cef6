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

/** Offers to switch the client to the profile that accepts its request, or says that it already uses it. */
export function ProfileOffer({ profile, client_id }: ProfileOfferProps) {
  const client = usePage(({ clients }) => clients.find((one) => one.client_id === client_id));
  const ofWorkspace = usePage((state) => state.settings?.profile);
  const needs = useNeed('connection');
  const whose = client === undefined ? 'The workspace' : 'This client';
  if (ofWorkspace === undefined) return null;
  if ((client?.profile ?? ofWorkspace) === profile) {
    return (
      <p className={classes.advice}>
        {whose} now uses the {profile} profile. Send the request again.
      </p>
    );
  }
  const choose = () =>
    void (client === undefined ? setProfile(profile) : setClientProfile(client, profile));
  return (
    <div>
      <Button {...needs} onClick={choose}>
        Use {profile} for {whose.toLowerCase()}
      </Button>
    </div>
  );
}
