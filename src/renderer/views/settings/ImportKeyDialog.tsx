import { control } from '../../connection/control.ts';
import { JsonField } from '../../ui/JsonField.tsx';
import { notify } from '../../ui/notify.tsx';
import { RecordDialog, useRecordForm } from '../../ui/record-form.tsx';
import { readPrivateKey } from './key-text.ts';

interface KeyDraft extends Record<string, unknown> {
  jwk: string;
}

const problemsOf = ({ jwk }: KeyDraft) => {
  const read = readPrivateKey(jwk);
  return read.ok ? {} : { jwk: read.problem };
};

async function save({ jwk }: KeyDraft): Promise<void> {
  const read = readPrivateKey(jwk);
  if (!read.ok) throw new Error(read.problem);
  const key = await control.keys.create({ jwk: read.jwk });
  notify(key.signing ? `${key.kid} signs from now on` : `${key.kid} is imported`);
}

/** Takes a private key of one's own, which then signs for its algorithm. */
export function ImportKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const state = useRecordForm<KeyDraft>({
    initial: { jwk: '' },
    validate: problemsOf,
    save,
    failure: 'The key was not imported.',
    onSaved: onClose,
  });
  const { form } = state;
  return (
    <RecordDialog title="Import key" state={state} onClose={onClose}>
      <JsonField
        label="Private key"
        description="One JWK with its alg. It signs from now on. Existing keys stay in the list."
        placeholder={
          '{\n  "kty": "EC", "crv": "P-256", "alg": "ES256",\n  "x": "…", "y": "…", "d": "…"\n}'
        }
        minRows={7}
        data-autofocus
        {...form.getInputProps('jwk')}
      />
    </RecordDialog>
  );
}
