import { UsageError } from '../base/index.ts';

/** No model was chosen, in any of the ways there are. One message, three ways on. */
export function noneConfigured(): UsageError {
  return new UsageError(
    'model/none-configured',
    `no model is configured. Three ways on:
  a key       export OPENAI_API_KEY=… (or another provider's), then: rein -p "…" --model openai/MODEL
  a base URL  any Chat Completions server: rein -p "…" --base-url http://127.0.0.1:8080/v1 --wire chat --model NAME
  the demo    a scripted model over the real program, no key, no network: rein demo`,
  );
}
