import { Button } from '@mantine/core';
import { usePage } from '../connection/state.ts';
import { pluralize } from '../ui/short-forms.ts';
import { HERE, placeOf } from './place.ts';
import type { Shelf } from './shelf.ts';
import classes from './Saved.module.css';

/** Offers to move what this browser kept, once there is a workspace that is saved. */
export function MoveButton<T extends { readonly saved_at: string }>({
  shelf,
}: {
  readonly shelf: Shelf<T>;
}) {
  const place = usePage((state) => placeOf(state.server));
  const count = shelf.use().filter((entry) => entry.place === 'browser').length;
  if (place !== 'workspace' || count === 0) return null;
  return (
    <div className={classes.move}>
      <p>
        {pluralize(count, shelf.one)} {count === 1 ? 'is' : 'are'} kept in {HERE} only.
      </p>
      <Button onClick={() => void shelf.move()}>
        Move {pluralize(count, shelf.one)} to the workspace
      </Button>
    </div>
  );
}
