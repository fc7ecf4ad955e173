import { useContext, useId, useState } from 'preact/hooks';
import { FormFaults } from './form.js';

export interface FieldProps {
  readonly label: string;
  /** Its name in the form, which is its name in the API's body, so that a refusal finds it. */
  readonly name: string;
  readonly type?: 'text' | 'email' | 'password' | 'search' | 'number';
  readonly hint?: string;
  /** The fault of this field alone, shown below it. */
  readonly error?: string | undefined;
  readonly defaultValue?: string;
  /** What a password manager needs to know (`username`, `current-password`, `new-password` …). */
  readonly autocomplete?: string;
  readonly minLength?: number;
  readonly isOptional?: boolean;
  onInput?(value: string): void;
}

/** A labelled input. Passwords can be made visible. It is marked when the form's refusal names it. */
export function Field(props: FieldProps) {
  const id = useId();
  const faults = useContext(FormFaults);
  const [isVisible, setVisible] = useState(false);
  const isAtFault = props.error !== undefined || faults.fields.includes(props.name);
  const describedBy = [
    props.hint !== undefined && `${id}-hint`,
    props.error !== undefined && `${id}-error`,
    isAtFault && props.error === undefined && faults.alertId,
  ].filter(Boolean);
  const isPassword = props.type === 'password';
  return (
    <div class="field">
      <label for={id}>
        {props.label}
        {props.isOptional && <span class="field-optional"> (optional)</span>}
      </label>
      <div class={isPassword ? 'field-box has-toggle' : 'field-box'}>
        <input
          id={id}
          name={props.name}
          // The types of JSX want one kind of input at a time.
          type={(isPassword && isVisible ? 'text' : (props.type ?? 'text')) as 'text'}
          defaultValue={props.defaultValue}
          autoComplete={props.autocomplete}
          {...(isPassword || props.type === 'email' ? { autoCapitalize: 'none', spellcheck: false } : {})}
          required={!props.isOptional}
          minLength={props.minLength}
          aria-invalid={isAtFault || undefined}
          aria-describedby={describedBy.join(' ') || undefined}
          onInput={(event) => props.onInput?.(event.currentTarget.value)}
        />
        {isPassword && (
          <button type="button" class="field-toggle" aria-pressed={isVisible} onClick={() => setVisible(!isVisible)}>
            {isVisible ? 'Hide' : 'Show'}
            <span class="visually-hidden"> what is typed</span>
          </button>
        )}
      </div>
      {props.hint !== undefined && (
        <p class="field-hint" id={`${id}-hint`}>
          {props.hint}
        </p>
      )}
      {props.error !== undefined && (
        <p class="field-error" id={`${id}-error`}>
          {props.error}
        </p>
      )}
    </div>
  );
}

/** A labelled choice among a few. */
export function SelectField(props: {
  label: string;
  name: string;
  options: Readonly<Record<string, string>>;
  defaultValue?: string;
  onChange?(value: string): void;
}) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      <div class="field-box">
        <select
          id={id}
          name={props.name}
          defaultValue={props.defaultValue}
          onChange={(event) => props.onChange?.(event.currentTarget.value)}
        >
          {Object.entries(props.options).map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
