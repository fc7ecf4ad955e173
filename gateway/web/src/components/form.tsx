import { type ComponentChildren, createContext } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Refusal } from '../api/refusal.js';
import { useAction } from '../api/use-action.js';
import { Button, type ButtonProps } from './button.js';
import { RefusalAlert } from './refusal-alert.js';

/** Which fields the form's refusal names, and where its words stand. */
export const FormFaults = createContext<{ fields: readonly string[]; alertId: string }>({ fields: [], alertId: '' });

export type FormValues = Readonly<Record<string, string>>;

/**
 * A form whose one button performs `onSubmit` with its fields. What is missing is said before anything is sent; a refusal is shown in one alert above the fields, the focus goes to the
 * first field that it names, else to the alert. `onSubmit` throws the API's `Refusal`; one that the page handles itself must be caught there.
 */
export function Form(props: {
  submitLabel: string;
  onSubmit(values: FormValues): Promise<unknown>;
  children: ComponentChildren;
  variant?: ButtonProps['variant'];
  /** The accessible name, where there are several forms on a page. */
  label?: string;
  isWide?: boolean;
}) {
  const form = useRef<HTMLFormElement>(null);
  const alertId = useId();
  const [missing, setMissing] = useState<Refusal>();
  const action = useAction(props.onSubmit);
  const refusal = missing ?? action.refusal;
  const fields = refusal?.fields ?? [];

  useEffect(() => {
    if (!refusal) return;
    const first = fields.map((name) => form.current?.elements.namedItem(name)).find((found) => found !== null);
    const target = first instanceof HTMLElement ? first : form.current?.querySelector<HTMLElement>('[role="alert"]');
    target?.focus();
    // A refusal is a new object each time, even when the same thing is refused again.
  }, [refusal]);

  return (
    <form
      ref={form}
      class="form"
      noValidate
      aria-label={props.label}
      onSubmit={async (event) => {
        event.preventDefault();
        if (action.isBusy || !form.current) return;
        const incomplete = missingIn(form.current);
        setMissing(incomplete);
        if (!incomplete) await action.run(valuesOf(form.current));
      }}
    >
      <RefusalAlert refusal={refusal} id={alertId} />
      <FormFaults.Provider value={{ fields, alertId }}>{props.children}</FormFaults.Provider>
      <div class="form-actions">
        <Button
          type="submit"
          variant={props.variant ?? 'primary'}
          isBusy={action.isBusy}
          {...(props.isWide !== false && { size: 'wide' as const })}
        >
          {props.submitLabel}
        </Button>
      </div>
    </form>
  );
}

function valuesOf(form: HTMLFormElement): FormValues {
  return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
}

function missingIn(form: HTMLFormElement): Refusal | undefined {
  const empty = [...form.elements].filter(
    (element): element is HTMLInputElement =>
      element instanceof HTMLInputElement && element.required && element.value === '',
  );
  if (empty.length === 0) return undefined;
  return new Refusal('incomplete', {
    errors: empty.map((input) => ({
      path: `body.${input.name}`,
      message: `Please enter: ${input.labels?.[0]?.textContent?.toLowerCase() ?? input.name}.`,
    })),
  });
}
