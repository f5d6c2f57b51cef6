import { SaveForm } from '../../../saved/SaveForm.tsx';
import { flowShelf } from '../../../saved/flows.ts';
import { recorded } from '../exports.ts';
import { changeFlow, flow } from '../flow-store.ts';

const make = async (name: string) => ({
  saved_at: new Date().toISOString(),
  scenario: await recorded(name),
});

/** Saves the walk as it stands. */
export function SaveFlow({ onSaved }: { readonly onSaved: () => void }) {
  return (
    <SaveForm
      shelf={flowShelf}
      label="Save this flow as"
      placeholder="Checkout, happy path"
      description="Every request and its response, as a scenario without secrets."
      initial={flow.getState().name ?? ''}
      make={make}
      onSaved={(name) => {
        changeFlow((state) => ({ ...state, name }));
        onSaved();
      }}
    />
  );
}
