import { Group, Stack, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import {
  IconAlertTriangle,
  IconLoader2,
  IconShieldCheck,
  IconShieldX,
  IconCircleX,
} from '@tabler/icons-react';
import { type Life, expInWords, lifeOf } from '../../oauth/claims.ts';
import type { DecodedJwt } from '../../oauth/jwt.ts';
import { type Finding, findingsOn } from '../../oauth/findings.ts';
import { usePage } from '../connection/state.ts';
import { Cited } from '../ui/links.tsx';
import { Meter } from '../ui/progress.tsx';
import { ToneLine } from '../ui/status.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { useSandboxNow } from '../connection/clock.ts';
import {
  keysOfServer,
  verifySignature,
  type SignatureVerdict,
  type VerificationKeys,
} from './signature.ts';
import { ClaimTable, EXPLAIN, LongText, type Part, useClaimContext } from './ClaimTable.tsx';
import classes from './Inspector.module.css';

interface LifeMeterProps {
  readonly life: Life;
  /** The remaining lifetime in words. */
  readonly words: string;
}

/** A bar of the remaining lifetime. */
export function LifeMeter({ life, words }: LifeMeterProps) {
  const left = Math.max(0, Math.min(life.whole, life.left));
  return (
    <Meter
      label="Remaining lifetime"
      value={left}
      max={life.whole}
      words={words}
      color={left / life.whole < 0.1 ? 'var(--warn)' : undefined}
    />
  );
}

/** The remaining lifetime of a token, by its exp claim and the sandbox clock. */
function LifeBar({ jwt, ended }: Required<Pick<TokenInspectorProps, 'jwt' | 'ended'>>) {
  const now = useSandboxNow();
  const frozen = usePage((state) => state.clock?.frozen ?? false);
  const life = lifeOf(jwt.payload, now);
  if (life === null) return null;
  const words = expInWords(life, now, ended);
  return (
    <Stack gap={4}>
      {!ended && <LifeMeter life={life} words={words} />}
      <Text size="xs" c={life.left <= 0 ? 'var(--bad)' : 'dimmed'}>
        {words}
        {frozen && ' · clock frozen'}
      </Text>
    </Stack>
  );
}

const CHECKING: SignatureVerdict = { state: 'checking', text: '' };

/**
 * The verdict on the token's signature, renewed when the keys change.
 * @param given the keys to verify it with; null: those of the server
 */
function useSignature(
  token: string,
  jwt: DecodedJwt,
  given: VerificationKeys | null,
): SignatureVerdict {
  const own = usePage((state) => state.keys);
  const keys = useMemo(() => given ?? keysOfServer(own), [given, own]);
  const verify = useCallback(() => verifySignature(token, jwt, keys), [token, jwt, keys]);
  return useLoaded(verify, 0, token).known ?? CHECKING;
}

const LOOKS = {
  checking: { Icon: IconLoader2, tone: 'muted', word: 'Checking' },
  verified: { Icon: IconShieldCheck, tone: 'ok', word: 'Signature verified' },
  broken: { Icon: IconShieldX, tone: 'bad', word: 'Signature invalid' },
  unknown_key: { Icon: IconShieldX, tone: 'bad', word: 'Unknown key' },
  unsigned: { Icon: IconShieldX, tone: 'bad', word: 'Unsigned' },
  unpublished: { Icon: IconAlertTriangle, tone: 'warn', word: 'Not checked' },
  unable: { Icon: IconAlertTriangle, tone: 'warn', word: 'Not checked' },
} as const;

function SignatureLine({ verdict }: { readonly verdict: SignatureVerdict }) {
  const { Icon, tone, word } = LOOKS[verdict.state];
  return (
    <ToneLine tone={tone} icon={Icon} role="status">
      <b>{word}</b> <Cited text={verdict.text} />
    </ToneLine>
  );
}

const NAMES = ['header', 'payload', 'signature'] as const;

/** The encoded token, with its three parts in three colours, and a legend. */
function Encoded({ parts }: { readonly parts: readonly string[] }) {
  return (
    <section className={classes.part} data-part="whole" aria-label="Encoded">
      <h3>Encoded</h3>
      <Group className={classes.legend} gap="sm" py={4} fz="var(--fs-xs)" aria-hidden="true">
        {NAMES.map((name) => (
          <span key={name} data-part={name}>
            {name}
          </span>
        ))}
      </Group>
      <p className={classes.encoded}>
        {NAMES.map((name, index) => (
          <span key={name}>
            {index > 0 && '.'}
            <span data-part={name}>
              <LongText text={parts[index] ?? ''} label={`encoded ${name}`} />
            </span>
          </span>
        ))}
      </p>
    </section>
  );
}

const ICONS = { bad: IconCircleX, warn: IconAlertTriangle } as const;

/** The problems of the token as a whole. */
export function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  return (
    <Stack component="ul" role="list" gap="xs" aria-label="Findings">
      {findings.map(({ tone, title, text }) => (
        <li key={title}>
          <ToneLine tone={tone} icon={ICONS[tone]}>
            <b>{title}</b> <Cited text={text} />
          </ToneLine>
        </li>
      ))}
    </Stack>
  );
}

/** The members that deliberate mistakes change, each with the title of its mistake. */
export type WrongMembers = Readonly<Record<Part, ReadonlyMap<string, string>>>;

interface TokenInspectorProps {
  readonly token: string;
  readonly jwt: DecodedJwt;
  /** The problems of its parts, even if they can be decoded. */
  readonly problems?: Readonly<Record<Part, readonly string[]>>;
  /** The keys to verify its signature with; without any, those of the server. */
  readonly keys?: VerificationKeys | null;
  readonly wrong?: WrongMembers;
  /** Whether the sandbox has ended it, whatever its exp claim says. */
  readonly ended?: boolean;
}

/** A decoded JWT: its signature, its remaining lifetime, its claims with explanations, and the encoded text. */
export function TokenInspector(props: TokenInspectorProps) {
  const { token, jwt, problems, keys = null, wrong, ended = false } = props;
  const now = useSandboxNow();
  const context = useClaimContext(now);
  const verdict = useSignature(token, jwt, keys);
  return (
    <>
      <SignatureLine verdict={verdict} />
      <Findings findings={findingsOn(jwt, now)} />
      <LifeBar jwt={jwt} ended={ended} />
      {(['header', 'payload'] as const).map((part) => (
        <ClaimTable
          key={part}
          part={part}
          members={jwt[part]}
          explain={EXPLAIN[part](jwt[part], context)}
          problems={problems?.[part] ?? []}
          wrong={wrong?.[part]}
        />
      ))}
      <Encoded parts={jwt.parts} />
    </>
  );
}
