import { useChoice } from '../choice.ts';
import { setInputs, useFlow } from '../flow-store.ts';
import { FollowedInput } from './FollowedInput.tsx';
import { FormatSwitch } from './FormatSwitch.tsx';
import { SecretInput } from './SecretInput.tsx';
import classes from './Steps.module.css';

/** The fields of the authorization_code request (spec 4.1.1). */
export function ExchangeInputs() {
  const { exchange } = useChoice();
  const inputs = useFlow((state) => state.inputs);
  return (
    <div className={classes.fields}>
      <FormatSwitch
        value={inputs.exchange_format}
        documented="json"
        onChange={(exchange_format) => setInputs({ exchange_format })}
      />
      <FollowedInput
        label="Code"
        value={exchange.code}
        typed={inputs.exchange_code !== null}
        placeholder="Issued when the step runs"
        onChange={(exchange_code) => setInputs({ exchange_code })}
      />
      <FollowedInput
        label="Redirect URI"
        value={exchange.redirect_uri}
        typed={inputs.exchange_redirect_uri !== null}
        onChange={(exchange_redirect_uri) => setInputs({ exchange_redirect_uri })}
      />
      <FollowedInput
        label="Audience"
        value={exchange.audience}
        typed={inputs.exchange_audience !== null}
        onChange={(exchange_audience) => setInputs({ exchange_audience })}
      />
      <SecretInput
        value={exchange.client_secret ?? ''}
        onChange={(exchange_secret) => setInputs({ exchange_secret })}
      />
    </div>
  );
}
