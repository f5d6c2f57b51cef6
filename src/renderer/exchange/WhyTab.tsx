import { use, type ReactNode } from 'react';
import {
  IconBolt,
  IconAlertTriangle,
  IconInfoCircle,
  IconCheck,
  IconHandStop,
  IconMinus,
  IconX,
} from '@tabler/icons-react';
import { causeEntry, withoutChecks } from '../../control/names.ts';
import type { Exchange, Deviation, Check } from '../../control/schemas.ts';
import { Timed, ViewLink, Cited, StandsAlone } from '../ui/links.tsx';
import { usePage } from '../connection/state.ts';
import { hrefOf } from '../navigation/route.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { pluralize } from '../../words.ts';
import { ProfileOffer } from './ProfileOffer.tsx';
import classes from './Why.module.css';

// Finds the exchanges that a sentence mentions: "used at 2026-11-21T10:02:11Z by exchange 41". Pure.

const MENTION = /\b(exchange \d{1,15})\b/;

/** Every other piece of the split text is a mention; those of plain text have no number. */
export const piecesOf = (sentence: string) =>
  sentence
    .split(MENTION)
    .map((text, index) => ({
      text,
      number: index % 2 === 0 ? null : Number(text.slice('exchange '.length)),
    }))
    .filter(({ text }) => text !== '');

/** A sentence that links every exchange it mentions and shows every instant in local time. */
function Linked({ sentence }: { readonly sentence: string }) {
  return piecesOf(sentence).map(({ text, number }, index) =>
    number === null ? (
      <Timed key={index} text={text} />
    ) : (
      <ViewLink key={index} view="traffic" item={String(number)}>
        {text}
      </ViewLink>
    ),
  );
}

interface MarkedTextProps {
  readonly expected: string | null;
  readonly got: string;
  readonly differs_at: number;
}

/** The actual text, with the part that differs marked visually and for screen readers. */
function MarkedText({ expected, got, differs_at }: MarkedTextProps) {
  const want = expected?.slice(differs_at) ?? '';
  const have = got.slice(differs_at);
  // How many characters both texts end with.
  let same = 0;
  const most = Math.min(want.length, have.length);
  while (same < most && want.at(-1 - same) === have.at(-1 - same)) same += 1;
  const wrong = have.slice(0, have.length - same);
  return (
    <>
      {got.slice(0, differs_at)}
      {wrong === '' ? (
        <mark className={classes.gap}>
          <span className="visually-hidden">missing here: </span>
          {want.slice(0, want.length - same)}
        </mark>
      ) : (
        <mark className={classes.wrong}>
          <span className="visually-hidden">differs from here: </span>
          {wrong}
        </mark>
      )}
      {have.slice(have.length - same)}
    </>
  );
}

/** What was done to this exchange while it was held, or why it was not. */
export function HoldBox({ exchange: { held } }: { readonly exchange: Exchange }) {
  if (held === null) return null;
  return (
    <section className={classes.cause} data-tone="fault" aria-label="Hold">
      <h3 className={classes.summary}>
        <IconHandStop className={classes.bolt} size="1.1em" aria-hidden="true" /> Hold
      </h3>
      <p className={classes.advice}>{held.what}</p>
    </section>
  );
}

/** The fault that a rule injected into this exchange. */
export function FaultBox({ exchange: { fault } }: { readonly exchange: Exchange }) {
  const known = usePage((state) => state.faults.some(({ id }) => id === fault?.id));
  if (fault === null) return null;
  const name = fault.name === '' ? fault.id : fault.name;
  return (
    <section className={classes.cause} data-tone="fault" aria-label="Fault">
      <h3 className={classes.summary}>
        <IconBolt className={classes.bolt} size="1.1em" aria-hidden="true" /> Injected fault
      </h3>
      <p className={classes.advice}>{fault.what}</p>
      <p>
        Rule:{' '}
        {known ? (
          <ViewLink view="faults" item={fault.id}>
            {name}
          </ViewLink>
        ) : (
          name
        )}
        .
      </p>
    </section>
  );
}

const FixOffer = lazyPart(async () => (await import('./FixOffer.tsx')).FixOffer);

/** Why the request was rejected, how, and what to change. */
export function CauseBox({ exchange }: { readonly exchange: Exchange }) {
  const alone = use(StandsAlone);
  const { why, trace, throttled } = exchange;
  if (why === null) return null;
  const check = trace.find(({ id }) => id === why.check);
  const got = check?.got ?? null;
  return (
    <section
      className={classes.cause}
      data-tone={throttled ? 'warn' : 'bad'}
      aria-label={alone ? `Cause of #${exchange.number}` : 'Cause'}
    >
      <h3 className={classes.summary}>{why.summary}</h3>
      {why.differs_at !== null && got !== null && (
        <p className={classes.got}>
          <MarkedText expected={check?.expected ?? null} got={got} differs_at={why.differs_at} />
        </p>
      )}
      {why.detail !== null && (
        <p>
          <Linked sentence={why.detail} />
        </p>
      )}
      {why.advice !== null && (
        <p className={classes.advice}>
          <Cited text={why.advice} />
        </p>
      )}
      {!alone && (
        <p>
          <a href={hrefOf('help', causeEntry(why.reason))}>About this cause</a>
        </p>
      )}
      {exchange.sent_by === 'app' && !alone && <FixOffer exchange={exchange} />}
      {why.accepted_by !== null && !alone && (
        <ProfileOffer profile={why.accepted_by} client_id={exchange.client_id} />
      )}
    </section>
  );
}

const strictAnswer = ({ strict_status, strict_error }: Deviation): string =>
  strict_status === null
    ? 'also noted in strict'
    : `strict: ${strict_status} ${strict_error ?? ''}`.trim();

/** Deviations and advisories, which do not change the response. */
function Notes({ exchange }: { readonly exchange: Exchange }) {
  const { deviation_notes: deviations, advisory_notes: advisories, sent_by } = exchange;
  if (deviations.length === 0 && advisories.length === 0) return null;
  return (
    <ul role="list" className={classes.notes} aria-label="Notes">
      {deviations.map((deviation) => (
        <li key={deviation.id} data-tone="warn">
          <IconAlertTriangle aria-label="Deviation" />
          <span>{deviation.text}</span>
          <small>
            {strictAnswer(deviation)} · <Cited text={deviation.section} />
          </small>
        </li>
      ))}
      {advisories.map((advisory) => (
        <li key={advisory.kind} data-tone="info">
          <IconInfoCircle aria-label="Advice" />
          <span>
            {sent_by !== 'app' && 'Grantbench sent this deliberately. The advice for apps: '}
            {advisory.text}
          </span>
          <small>
            <Cited text={advisory.section} />
          </small>
        </li>
      ))}
    </ul>
  );
}

const VERDICTS = {
  passed: { Icon: IconCheck, tone: 'ok', word: 'passed' },
  tolerated: { Icon: IconAlertTriangle, tone: 'warn', word: 'tolerated' },
  failed: { Icon: IconX, tone: 'bad', word: 'failed' },
  not_reached: { Icon: IconMinus, tone: 'faint', word: 'not reached' },
} as const;

interface TraceRowProps {
  readonly check: Check;
  /** Where the actual text begins to differ; null except for the check that failed. */
  readonly differs_at: number | null;
}

/** One check: its verdict, rule and section, and the expected and actual text if it failed. */
function TraceRow({ check, differs_at }: TraceRowProps) {
  const verdict = check.tolerated ? 'tolerated' : check.verdict;
  const { Icon, tone, word } = VERDICTS[verdict];
  const { expected, got } = check;
  const compared = check.verdict === 'failed' && (expected !== null || got !== null);
  return (
    <li className={classes.check} data-verdict={verdict} data-tone={tone}>
      <Icon className={classes.verdict} aria-hidden="true" stroke={2} />
      <span className={classes.rule}>
        <span className="visually-hidden">{word}: </span>
        {check.rule}
        {check.tolerated && <span className={classes.note}> tolerated; strict rejects this</span>}
        {check.note !== null && (
          <span className={classes.note}>
            {' '}
            <Linked sentence={check.note} />
          </span>
        )}
      </span>
      <span className={classes.section}>
        {check.verdict === 'not_reached' ? 'not reached' : <Cited text={check.section} />}
      </span>
      {compared && (
        <dl className={classes.compared}>
          {expected !== null && (
            <>
              <dt>expected</dt>
              <dd>{expected}</dd>
            </>
          )}
          {got !== null && (
            <>
              <dt>actual</dt>
              <dd>
                {differs_at === null ? (
                  <Linked sentence={got} />
                ) : (
                  <MarkedText expected={expected} got={got} differs_at={differs_at} />
                )}
              </dd>
            </>
          )}
        </dl>
      )}
    </li>
  );
}

function headline(exchange: Exchange): string {
  const passed = exchange.trace.filter(({ verdict }) => verdict === 'passed').length;
  if (exchange.trace.length === 0) return withoutChecks(exchange);
  const tolerated = exchange.trace.filter((check) => check.tolerated).length;
  const failed = exchange.trace.some(({ verdict }) => verdict === 'failed');
  return failed
    ? `${pluralize(passed, 'check')} passed before one failed`
    : `All ${pluralize(passed, 'check')} passed${tolerated === 0 ? '' : `, ${tolerated} of them tolerated`}`;
}

interface WhyTabProps {
  readonly exchange: Exchange;
  /** Shown before the cause. */
  readonly lead?: ReactNode;
}

/** Explains the response: the cause, then every check in the order of evaluation. */
export function WhyTab({ exchange, lead }: WhyTabProps) {
  const { trace, why } = exchange;
  return (
    <div className={classes.why}>
      {lead}
      <HoldBox exchange={exchange} />
      <FaultBox exchange={exchange} />
      <CauseBox exchange={exchange} />
      <Notes exchange={exchange} />
      <p className={classes.headline}>
        {headline(exchange)}
        {exchange.profile !== null && trace.length > 0 && (
          <span> · profile {exchange.profile}</span>
        )}
      </p>
      {trace.length > 0 && (
        <ol role="list" className={classes.trace} aria-label="Checks, in the order of evaluation">
          {trace.map((check) => (
            <TraceRow
              key={check.id}
              check={check}
              differs_at={check.id === why?.check ? why.differs_at : null}
            />
          ))}
        </ol>
      )}
    </div>
  );
}
