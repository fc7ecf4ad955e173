const sections = {
  services: 'Services',
  users: 'Users',
  mails: 'Mails',
  'webhook-events': 'Webhook events',
  'dead-letters': 'Dead letters',
  requests: 'Follow a request',
};

export function AdminNav({ current }: { current: string }) {
  return (
    <nav class="admin-nav" aria-label="Administration">
      <ul>
        {Object.entries(sections).map(([name, title]) => (
          <li key={name}>
            <a href={`/admin/${name}`} aria-current={name === current ? 'page' : undefined}>
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
