import { Button, Popover } from '@mantine/core';
import { page } from '../../../connection/state.ts';
import { requestShelf } from '../../../saved/requests.ts';
import { SaveForm } from '../../../saved/SaveForm.tsx';
import { titleOf } from '../draft-words.ts';
import { changeRequests, requests, useRequests } from '../requests-store.ts';
import { savedRequestOf } from './saved-request.ts';

const setSaving = (saving: boolean) => changeRequests((state) => ({ ...state, saving }));

const make = (name: string) => {
  const { clients } = page.getState();
  const { draft } = requests.getState();
  return Promise.resolve(savedRequestOf(name, draft, clients, new Date().toISOString()));
};

const done = (saved_as: string) =>
  changeRequests((state) => ({ ...state, saved_as, typed: false, saving: false }));

function initialName(): string {
  const { saved_as, draft } = requests.getState();
  return saved_as ?? titleOf(draft);
}

/** Saves the request at hand under a name. */
export function SaveRequest() {
  const opened = useRequests((state) => state.saving);
  return (
    <Popover
      opened={opened}
      onChange={setSaving}
      position="bottom-end"
      width="20rem"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button size="sm" onClick={() => setSaving(!opened)}>
          Save
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <SaveForm
          shelf={requestShelf}
          label="Save this request as"
          placeholder="Refresh, expired token"
          description="Credentials are left out, and put in again when you open it."
          initial={initialName()}
          make={make}
          onSaved={done}
        />
      </Popover.Dropdown>
    </Popover>
  );
}
