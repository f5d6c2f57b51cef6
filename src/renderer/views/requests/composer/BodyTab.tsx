import { Button, SegmentedControl, Textarea } from '@mantine/core';
import { withBodyRows, withBodyText, withBodyView, withFormat, type DraftBody } from '../draft.ts';
import { editDraft, useRequests } from '../requests-store.ts';
import classes from './Composer.module.css';
import { FieldRows } from './FieldRows.tsx';

const FORMATS = [
  { value: 'form', label: 'Form' },
  { value: 'json', label: 'JSON' },
] as const;

const VIEWS = [
  { value: 'fields', label: 'Fields' },
  { value: 'raw', label: 'Raw' },
] as const;

const NAMES = { form: 'a form', json: 'a JSON object' } as const;

const show = (view: DraftBody['view']) => editDraft((draft) => withBodyView(draft, view));

function Raw({ body }: { readonly body: DraftBody }) {
  return (
    <>
      <Textarea
        aria-label="Raw body"
        className={classes.raw}
        classNames={{ input: classes.text }}
        spellCheck={false}
        value={body.text}
        onChange={({ currentTarget: { value } }) =>
          editDraft((draft) => withBodyText(draft, value))
        }
      />
      {body.rows === null && (
        <p className={classes.remark} role="status">
          {`This is not ${NAMES[body.format]}; it is sent as is.`}
        </p>
      )}
    </>
  );
}

function Fields({ body }: { readonly body: DraftBody }) {
  if (body.rows === null) {
    return (
      <>
        <p className={classes.remark} data-warn>
          {`The body cannot be shown as fields: it is not ${NAMES[body.format]}. It is sent as is.`}
        </p>
        <Button className={classes.add} onClick={() => show('raw')}>
          Edit the raw body
        </Button>
      </>
    );
  }
  return (
    <FieldRows
      rows={body.rows}
      kind="field"
      literals={body.format === 'json'}
      onChange={(rows) => editDraft((draft) => withBodyRows(draft, rows))}
    />
  );
}

/** The body as fields or as the text that is sent: two views of the same. */
export function BodyTab() {
  const body = useRequests((state) => state.draft.body);
  return (
    <>
      <div className={classes.options}>
        <SegmentedControl
          aria-label="Format of the body"
          value={body.format}
          onChange={(format) => editDraft((draft) => withFormat(draft, format))}
          data={[...FORMATS]}
        />
        <SegmentedControl
          aria-label="Show the body as"
          value={body.view}
          onChange={show}
          data={[...VIEWS]}
        />
      </div>
      {body.view === 'raw' ? <Raw body={body} /> : <Fields body={body} />}
    </>
  );
}
