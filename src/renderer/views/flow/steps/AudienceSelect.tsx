import { Select } from '@mantine/core';
import { usePage } from '../../../connection/state.ts';
import { useChoice } from '../choice.ts';
import { setInputs } from '../flow-store.ts';

const NO_AUDIENCE = 'none';

interface AudienceSelectProps {
  /** What becomes of a request that names none. */
  readonly none: string;
}

/** The API that the access token is for. */
export function AudienceSelect({ none }: AudienceSelectProps) {
  const { audience } = useChoice();
  const audiences = usePage((state) => state.audiences);
  const issuer = usePage((state) => state.server?.issuer ?? '');
  const others = audiences.filter(({ uri }) => uri !== issuer);
  return (
    <Select
      label="Audience"
      allowDeselect={false}
      value={audience === '' ? NO_AUDIENCE : audience}
      onChange={(uri) => setInputs({ audience: uri === NO_AUDIENCE ? '' : uri })}
      data={[
        { value: issuer, label: `${issuer} (this server)` },
        ...others.map(({ uri, name }) => ({
          value: uri,
          label: name === '' ? uri : `${name} (${uri})`,
        })),
        { value: NO_AUDIENCE, label: none },
      ]}
    />
  );
}
