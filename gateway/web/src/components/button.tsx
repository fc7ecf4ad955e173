import type { ComponentChildren } from 'preact';

export interface ButtonProps {
  readonly children: ComponentChildren;
  readonly variant?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'small' | 'wide';
  readonly type?: 'button' | 'submit';
  /** Under way: it stays in place and keeps the focus, and does nothing. */
  readonly isBusy?: boolean;
  readonly label?: string;
  onClick?(): void;
}

/** `label`: the accessible name where the text alone is not enough (`End` in a row of sessions). It must begin with the text. */
export function Button({ variant = 'primary', type = 'button', ...props }: ButtonProps) {
  return (
    <button
      type={type}
      class={buttonClass(variant, props.size)}
      aria-disabled={props.isBusy || undefined}
      aria-label={props.label}
      onClick={(event) => {
        if (props.isBusy) event.preventDefault();
        else props.onClick?.();
      }}
    >
      {props.isBusy && <span class="spinner" aria-hidden="true" />}
      {props.children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink(props: {
  href: string;
  children: ComponentChildren;
  variant?: ButtonProps['variant'];
  size?: ButtonProps['size'];
  onClick?(event: MouseEvent): void;
}) {
  return (
    <a class={buttonClass(props.variant ?? 'primary', props.size)} href={props.href} onClick={props.onClick}>
      {props.children}
    </a>
  );
}

function buttonClass(variant: string, size: string | undefined): string {
  return `button button-${variant}${size === undefined ? '' : ` button-${size}`}`;
}
