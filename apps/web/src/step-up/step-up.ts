/** What a second factor is asked for; the proof holds for exactly this. */
export type Operation =
  | { readonly kind: 'review'; readonly request_id: string; readonly verdict: string; readonly plan_digest: string }
  | {
      readonly kind: 'break_glass';
      readonly plan_id: string;
      readonly plan_digest: string;
      readonly justification: string;
    }
  | { readonly kind: 'change_confirm'; readonly change_id: string; readonly change_digest: string }
  | { readonly kind: 'factor_change'; readonly [name: string]: string };

export type Method = 'passkey' | 'totp' | 'recovery_code';

/** A proof that is being asked for. */
export interface StepUp {
  readonly id: string;
  readonly operation_digest: string;
  readonly methods: readonly Method[];
  /** What the browser is asked to sign, where a passkey is enrolled. */
  readonly passkey_options: unknown;
  readonly expires_at: string;
}
