/** What the gateway tells its pages, in the document's `latchkey` meta element. */
export interface PageSettings {
  readonly brandName: string;
  /** Address of the logo, or null: then the name is shown as text. */
  readonly brandLogo: string | null;
  /** Shortest password, in code points. */
  readonly passwordMinLength: number;
}

export const settings: PageSettings = JSON.parse(
  document.querySelector<HTMLMetaElement>('meta[name="latchkey"]')?.content ?? 'null',
);
