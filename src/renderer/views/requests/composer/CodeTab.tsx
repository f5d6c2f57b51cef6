import { Select } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { usePage } from '../../../connection/state.ts';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { maskedText, requestTextOf } from '../request-text.ts';
import { useRequests } from '../requests-store.ts';
import { LANGUAGES } from '../../../snippets/languages.ts';
import classes from './Composer.module.css';

/** The request at hand as code that sends it. */
export function CodeTab() {
  const draft = useRequests((state) => state.draft);
  const issuer = usePage((state) => state.server?.issuer ?? location.origin);
  const [id, setId] = useLocalStorage({ key: 'grantbench.snippet', defaultValue: 'curl' });
  const language = LANGUAGES.find((one) => one.id === id) ?? LANGUAGES[0];
  const request = requestTextOf(draft, new URL(issuer).origin);
  const shown = maskedText(request);
  const hides = JSON.stringify(shown) !== JSON.stringify(request);
  const { text, notes } = language.write(shown);
  return (
    <>
      <Select
        label="Copy as"
        description={language.about}
        allowDeselect={false}
        value={language.id}
        onChange={(value) => setId(value ?? 'curl')}
        data={LANGUAGES.map(({ id: value, name }) => ({ value, label: name }))}
      />
      {notes.map((note) => (
        <p key={note} className={classes.remark} data-warn>
          {note}
        </p>
      ))}
      <CodeBlock
        text={text}
        copies={language.write(request).text}
        label={`request as ${language.name}`}
      />
      {hides && (
        <p className={classes.remark}>The secret is masked here, but included when you copy.</p>
      )}
    </>
  );
}
