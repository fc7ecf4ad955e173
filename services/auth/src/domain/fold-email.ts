/** The form in which emails are compared: case-folded. Emails are ASCII (contracts), so this needs no locale. */
export function foldEmail(email: string): string {
  return email.toLowerCase();
}
