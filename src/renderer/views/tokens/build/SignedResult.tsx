import { TextInput } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useEffect, useMemo, useRef } from 'react';
import type { SignedToken } from '../../../../control/schemas.ts';
import { TOKEN_MISTAKES } from '../../../../control/names.ts';
import { jwtOf, readToken } from '../../../../oauth/jwt.ts';
import inspector from '../../../inspector/Inspector.module.css';
import { TokenInspector } from '../../../inspector/TokenInspector.tsx';
import { curlCommand } from '../../../snippets/curl.ts';
import { Cited } from '../../../ui/links.tsx';
import { CodeBlock } from '../../../ui/CodeBlock.tsx';
import { CopyButton } from '../../../ui/CopyButton.tsx';
import classes from '../Tokens.module.css';
import { edit, useBuilt } from './build-store.ts';
import { wrongMembers } from './wrong-members.ts';

const EXPECTED = {
  accepted: { Icon: IconCircleCheck, tone: 'ok', word: 'Nothing is wrong with it.' },
  rejected: { Icon: IconCircleX, tone: 'bad', word: 'An API must reject it.' },
  either: { Icon: IconAlertTriangle, tone: 'warn', word: 'An API may reject it.' },
} as const;

/** What an API should make of the token, and why. */
function Expectation({ result }: { readonly result: SignedToken }) {
  const { Icon, tone, word } = EXPECTED[result.expected];
  return (
    <>
      <p className={inspector.signature} data-tone={tone}>
        <Icon aria-hidden="true" />
        <span>
          <b>{word}</b> Expected response: <Cited text={result.answer} />
        </span>
      </p>
      <ul className={inspector.findings} aria-label="Mistakes made">
        {result.mistakes.map(({ name, text, rule }) => {
          const { title, optional } = TOKEN_MISTAKES[name];
          const MistakeIcon = optional === true ? IconAlertTriangle : IconCircleX;
          return (
            <li
              key={name}
              className={inspector.signature}
              data-tone={optional === true ? 'warn' : 'bad'}
            >
              <MistakeIcon aria-hidden="true" />
              <span>
                <b>{title}.</b> {text} <Cited text={rule} />
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Command({ token }: { readonly token: string }) {
  const { url } = useBuilt();
  const known = URL.canParse(url) && /^https?:/i.test(url);
  const command = (bearer: string) =>
    curlCommand({
      method: 'GET',
      url: known ? url : 'http://localhost:3000/',
      headers: [['Authorization', `Bearer ${bearer}`]],
      body: '',
    });
  return (
    <div className={classes.command}>
      <TextInput
        label="URL of your API"
        value={url}
        error={known ? null : 'It must be an http or https URL.'}
        onChange={(event) => edit({ url: event.currentTarget.value })}
      />
      {known && (
        <CodeBlock
          text={command(`${token.slice(0, 24)}…`)}
          copies={command(token)}
          label="curl command"
        />
      )}
    </div>
  );
}

/** The token that was signed: what it is for, how to send it, and what it says. */
export function SignedResult({ result }: { readonly result: SignedToken }) {
  const { token, mistakes } = result;
  const jwt = useMemo(() => jwtOf(readToken(token)), [token]);
  const wrong = useMemo(() => wrongMembers(mistakes.map(({ name }) => name)), [mistakes]);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    top.current?.scrollIntoView({ block: 'start' });
  }, [token]);
  return (
    <div
      ref={top}
      className={`${inspector.inspector} ${classes.signed}`}
      role="region"
      aria-label="Signed token"
    >
      <div className={inspector.bar}>
        <span className={inspector.name} role="status">
          Signed, not issued
        </span>
        <CopyButton value={token} label="Copy the token" text="Copy token" />
      </div>
      <Expectation result={result} />
      <Command token={token} />
      {jwt !== null && <TokenInspector token={token} jwt={jwt} wrong={wrong} />}
    </div>
  );
}
