import { Button } from '@mantine/core';
import { IconArrowLeft, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import { useState } from 'react';
import { ExchangeDetail } from '../../exchange/ExchangeDetail.tsx';
import type { DetailTab } from '../../exchange/tabs.ts';
import { ExchangeLink } from '../../exchange/ExchangeLink.tsx';
import { forecastInWords, isAsForetold } from './replay.ts';
import type { Replay } from './token-actions.ts';
import classes from './Tokens.module.css';
import { Cited } from '../../ui/links.tsx';

interface ReplayAnswerProps {
  readonly replay: Replay;
  readonly onBack: () => void;
}

/** The result of replaying a credential, explained like every exchange. */
export function ReplayAnswer({ replay, onBack }: ReplayAnswerProps) {
  const { exchange, forecast } = replay;
  const came = isAsForetold(exchange, forecast);
  const Icon = came ? IconCircleCheck : IconCircleX;
  const [tab, setTab] = useState<DetailTab>('why');
  const [revealed, onReveal] = useState(false);
  return (
    <ExchangeDetail
      exchange={exchange}
      tab={tab}
      onTab={setTab}
      secrets={{ revealed, onReveal }}
      facts={
        <p className={classes.forecast} data-came={came}>
          <Icon aria-hidden="true" />
          <span>
            Replayed over real HTTP as <ExchangeLink number={exchange.number} />. Expected{' '}
            <Cited text={forecastInWords(forecast)} />{' '}
            <b>
              {came
                ? 'Matched.'
                : `Actual: ${exchange.status}${exchange.error === null ? '' : ` ${exchange.error}`}.`}
            </b>
          </span>
        </p>
      }
      actions={
        <Button
          variant="subtle"
          leftSection={<IconArrowLeft size="1.1em" aria-hidden="true" />}
          onClick={onBack}
        >
          Back to the token
        </Button>
      }
    />
  );
}
