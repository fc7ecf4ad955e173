/** Said politely, and shown only when it takes a moment. */
export function Loading({ text = 'Loading …' }: { text?: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {text}
    </p>
  );
}
