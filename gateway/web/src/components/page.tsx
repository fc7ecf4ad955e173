import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { usePlace } from '../routing/navigation.js';
import { settings } from '../settings.js';

/**
 * One page: sets the document's title and, after a navigation within the application, moves the focus to its heading, so that a screen reader says where one is.
 * `width`: `narrow` for a form in a card, `medium` for text and forms side by side, `broad` as wide as the header, `wide` for tables.
 */
export function Page(props: {
  title: string;
  lead?: ComponentChildren;
  /** Buttons beside the heading. */
  actions?: ComponentChildren;
  width?: 'narrow' | 'medium' | 'broad' | 'wide';
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { turn } = usePlace();
  useEffect(() => {
    document.title = `${props.title} · ${settings.brandName}`;
  }, [props.title]);
  useEffect(() => {
    if (turn > 0) heading.current?.focus();
  }, [turn]);
  return (
    <div class={`page page-${props.width ?? 'narrow'}`}>
      <div class="row row-apart">
        <div class="page-heading">
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.lead && <p class="lead">{props.lead}</p>}
        </div>
        {props.actions && <div class="row">{props.actions}</div>}
      </div>
      {props.children}
    </div>
  );
}
