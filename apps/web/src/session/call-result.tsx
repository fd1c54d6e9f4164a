import { InertText } from '../components/agent-text.js';
import { Badge } from '../components/badge.js';
import { Facts } from '../components/facts.js';
import { JsonValue } from '../components/json-value.js';
import { CallOutput } from './call-output.js';
import { isObject, resultFacts } from './result-facts.js';

interface CallResultProps {
  readonly id: string;
  /** Whether the call left, so that it may have output. */
  readonly made: boolean;
  /** Whether its output is to be read; one that was read before is shown in any case. */
  readonly near: boolean;
  readonly result: unknown;
  /** The reason why it is not made, failed, or cannot be known. */
  readonly fault: { readonly code: string; readonly message: string } | null;
}

/** The exit status of a call and its checks, and the reason of its failure. Then its output, and the whole answer of the tool. */
export function CallResult({ id, made, near, result, fault }: CallResultProps) {
  const facts = resultFacts(result);
  return (
    <>
      {facts.length > 0 && (
        <p className="flex flex-wrap gap-2">
          {facts.map(({ words, good }) => (
            <Badge key={words} tone={good ? 'good' : 'bad'}>
              <InertText text={words} />
            </Badge>
          ))}
        </p>
      )}
      {fault !== null && (
        <p className="text-sm text-bad">
          <InertText text={fault.message} />{' '}
          <span className="font-mono text-xs text-muted">
            <InertText text={fault.code} />
          </span>
        </p>
      )}
      {made && <CallOutput id={id} near={near} />}
      {result !== null && (
        <details className="text-sm">
          <summary className="cursor-pointer font-medium text-muted">Answer of the tool</summary>
          <div className="mt-2 rounded-lg bg-sunken p-3">
            {isObject(result) && Object.keys(result).length > 0 ? (
              <Facts
                facts={Object.entries(result).map(([name, value]) => [name, <JsonValue value={value} />] as const)}
              />
            ) : (
              <JsonValue value={result} />
            )}
          </div>
        </details>
      )}
    </>
  );
}
