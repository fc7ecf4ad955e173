import type { HealthStatus, ServiceHealth } from '@latchkey/contracts';
import { call } from '../../api/call.js';
import { useResource } from '../../api/use-resource.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page.js';
import { RefusalAlert } from '../../components/refusal-alert.js';
import { Facts } from '../lists/facts.js';

const tones = { ok: 'success', degraded: 'warning', down: 'danger' } as const;
const words: Record<HealthStatus, string> = {
  ok: 'Everything works.',
  degraded: 'It works, but something that it leans on is away.',
  down: 'A part of the system is down.',
};

/** How every service is, as `/health` says it. */
export function ServiceList() {
  const health = useResource(() => call('showHealth', {}));
  return (
    <Page title="Services" width="wide" lead={health.value && words[health.value.status]}>
      <RefusalAlert refusal={health.refusal} onRetry={health.reload} />
      {health.value === undefined && health.isLoading && <Loading />}
      {health.value && (
        <>
          <div class="tiles">
            {Object.entries(health.value.services).map(([name, service]) => (
              <ServiceCard key={name} name={name} service={service} />
            ))}
          </div>
          <div class="row">
            <Button variant="secondary" isBusy={health.isLoading} onClick={health.reload}>
              Check again
            </Button>
          </div>
        </>
      )}
    </Page>
  );
}

function ServiceCard({ name, service }: { name: string; service: ServiceHealth }) {
  const checks = Object.entries(service.checks).map(([check, { status, detail }]) => [
    check,
    <>
      <Badge tone={tones[status]}>{status}</Badge> {detail}
    </>,
  ]);
  return (
    <Card title={name} lead={<Badge tone={tones[service.status]}>{service.status}</Badge>}>
      <Facts facts={Object.fromEntries(checks)} />
    </Card>
  );
}
