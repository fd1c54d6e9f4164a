import type { AnswerTo } from '#lib/client';
import { Button } from '../components/button.js';
import { Field } from '../components/field.js';
import { TextField } from '../components/text-field.js';
import { RolePicker } from './role-picker.js';
import { wordsOf } from './words-of.js';

/** An issuer as it is put. */
export type Issuer = Omit<AnswerTo<'get', '/v1/issuers'>['issuers'][number], 'id' | 'standing'>;
type RoleMapping = Issuer['role_mappings'][number];

/** An issuer as it is being edited: lists are text, and the secret is typed beside its reference. */
export interface IssuerDraft extends Omit<Issuer, 'algorithms' | 'extra_scopes' | 'bearer_scopes' | 'role_mappings'> {
  readonly key: string;
  readonly algorithms: string;
  readonly extra_scopes: string;
  readonly bearer_scopes: string;
  readonly role_mappings: readonly (RoleMapping & { readonly key: string })[];
  readonly typed_secret: string;
}

const NEW: Issuer = {
  name: '',
  display_name: '',
  issuer_url: '',
  client_id: '',
  client_secret: null,
  algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'],
  extra_scopes: [],
  roles_claim: 'groups',
  role_mappings: [],
  provision: 'mapped',
  link_by_verified_email: false,
  bearer_scopes: ['read', 'submit', 'run'],
};

/** The draft of an issuer, or of a new one. */
export function draftOf(issuer: Issuer = NEW): IssuerDraft {
  const { name, display_name, issuer_url, client_id, client_secret, roles_claim, provision } = issuer;
  return {
    ...{ name, display_name, issuer_url, client_id, client_secret, roles_claim, provision },
    link_by_verified_email: issuer.link_by_verified_email,
    key: crypto.randomUUID(),
    algorithms: issuer.algorithms.join(' '),
    extra_scopes: issuer.extra_scopes.join(' '),
    bearer_scopes: issuer.bearer_scopes.join(' '),
    role_mappings: issuer.role_mappings.map((each) => ({ ...each, key: crypto.randomUUID() })),
    typed_secret: '',
  };
}

/** The issuer that a draft makes, with the reference of its secret. */
export function issuerOf(draft: IssuerDraft, clientSecret: string | null): Issuer {
  const { key: _key, typed_secret: _typed, ...rest } = draft;
  return {
    ...rest,
    client_secret: clientSecret,
    extra_scopes: wordsOf(draft.extra_scopes),
    // The API refuses a name that it does not know.
    // The server checks the words, and the form shows its refusal.
    algorithms: wordsOf(draft.algorithms) as Issuer['algorithms'],
    // The server checks the words, and the form shows its refusal.
    bearer_scopes: wordsOf(draft.bearer_scopes) as Issuer['bearer_scopes'],
    role_mappings: draft.role_mappings.map(({ value, role }) => ({ value: value.trim(), role: role.trim() })),
  };
}

interface IssuerFieldsProps {
  readonly draft: IssuerDraft;
  readonly onChange: (changed: Partial<IssuerDraft>) => void;
  readonly onRemove: () => void;
}

/** One issuer, field by field. */
export function IssuerFields({ draft, onChange, onRemove }: IssuerFieldsProps) {
  const secretHint =
    draft.client_secret === null
      ? 'Empty for a public client, which has PKCE alone. Kept encrypted, never shown again.'
      : `Kept as ${draft.client_secret}. Left empty, it stays.`;
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 rounded-lg border border-line p-4">
      <legend className="px-1 text-sm font-semibold">{draft.display_name || 'New issuer'}</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label="Shown as"
          hint="On the button to sign in."
          required
          value={draft.display_name}
          onChange={(value) => onChange({ display_name: value })}
        />
        <TextField
          label="Short name"
          hint="For addresses: small letters, digits and hyphens."
          required
          pattern="[a-z0-9]([a-z0-9\-]*[a-z0-9])?"
          value={draft.name}
          onChange={(value) => onChange({ name: value })}
        />
        <TextField
          label="Issuer address"
          hint="Exactly as its tokens spell it, with or without a slash at the end."
          type="url"
          required
          placeholder="https://login.example.com"
          value={draft.issuer_url}
          onChange={(value) => onChange({ issuer_url: value })}
        />
        <TextField
          label="Client id"
          required
          value={draft.client_id}
          onChange={(value) => onChange({ client_id: value })}
        />
        <TextField
          label="Client secret"
          hint={secretHint}
          type="password"
          autoComplete="off"
          value={draft.typed_secret}
          onChange={(value) => onChange({ typed_secret: value })}
        />
        <Field label="Who comes in" hint="Who becomes a person here at their first sign-in.">
          {(control) => (
            <select
              {...control}
              value={draft.provision}
              // The options of the field are the values of the setting.
              onChange={(event) => onChange({ provision: event.target.value as Issuer['provision'] })}
            >
              <option value="mapped">people who get a role by the mapping below</option>
              <option value="anybody">anybody the issuer knows</option>
              <option value="nobody">nobody: only people who are here already</option>
            </select>
          )}
        </Field>
      </div>
      <label className="inline-flex items-center gap-2 text-sm">
        <input
          type="checkbox"
          checked={draft.link_by_verified_email}
          onChange={(event) => onChange({ link_by_verified_email: event.target.checked })}
        />
        Match first sign-ins to the people here by verified e-mail address
      </label>
      <Mappings draft={draft} onChange={onChange} />
      <details className="text-sm">
        <summary className="cursor-pointer text-muted">More: scopes, tokens, algorithms</summary>
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          <TextField
            label="Further scopes"
            hint="Asked for besides openid, profile and email."
            value={draft.extra_scopes}
            onChange={(value) => onChange({ extra_scopes: value })}
          />
          <TextField
            label="Access tokens may"
            hint="read, submit, run, review, halt, audit, admin, within the roles of their holder; empty refuses such tokens."
            value={draft.bearer_scopes}
            onChange={(value) => onChange({ bearer_scopes: value })}
          />
          <TextField
            label="Signature algorithms"
            required
            value={draft.algorithms}
            onChange={(value) => onChange({ algorithms: value })}
          />
        </div>
      </details>
      <div>
        <Button look="danger-outline" size="sm" onClick={onRemove}>
          Remove this issuer
        </Button>
      </div>
    </fieldset>
  );
}

function Mappings({ draft, onChange }: Pick<IssuerFieldsProps, 'draft' | 'onChange'>) {
  const { role_mappings: mappings } = draft;
  const change = (key: string, changed: Partial<RoleMapping>) =>
    onChange({ role_mappings: mappings.map((each) => (each.key === key ? { ...each, ...changed } : each)) });
  return (
    <div className="flex flex-col gap-4">
      <TextField
        label="Claim of the roles"
        hint="The claim of the ID token to read. A value on the left gives the role on the right."
        required
        value={draft.roles_claim}
        onChange={(value) => onChange({ roles_claim: value })}
      />
      <ul className="flex flex-col gap-2">
        {mappings.map(({ key, value, role }, index) => (
          <li key={key} className="grid items-end gap-2 sm:grid-cols-[1fr_1fr_auto]">
            <TextField
              label={`Value ${String(index + 1)}`}
              required
              placeholder="sre-leads"
              value={value}
              onChange={(changed) => change(key, { value: changed })}
            />
            <Field label={`Role ${String(index + 1)}`}>
              {({ id }) => <RolePicker id={id} value={role} onChange={(changed) => change(key, { role: changed })} />}
            </Field>
            <Button
              look="danger-outline"
              aria-label={`Remove mapping ${String(index + 1)}`}
              onClick={() => onChange({ role_mappings: mappings.filter((each) => each.key !== key) })}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      <div>
        <Button
          size="sm"
          onClick={() => onChange({ role_mappings: [...mappings, { key: crypto.randomUUID(), value: '', role: '' }] })}
        >
          Map a value to a role
        </Button>
      </div>
    </div>
  );
}
