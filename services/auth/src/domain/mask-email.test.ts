import { maskEmail } from './mask-email.js';

test.each([
  ['jane@example.com', 'j***@e******.com'],
  ['j@x.org', 'j***@x***.org'],
  ['someone.long@mail.example.co.uk', 's***********@m***.example.co.uk'],
  ['UPPER@Example.COM', 'U****@E******.COM'],
])('%s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked);
});
