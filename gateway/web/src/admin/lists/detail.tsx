import type { ComponentChildren } from 'preact';
import type { Resource } from '../../api/use-resource.js';
import { Loading } from '../../components/loading.js';
import { Page } from '../../components/page.js';
import { RefusalAlert } from '../../components/refusal-alert.js';

/** The page of one thing of a list. What is not there (any more) leads back to the list. */
export function Detail<T>(props: {
  kind: string;
  list: { title: string; href: string };
  resource: Resource<T>;
  titleOf(value: T): string;
  children(value: T): ComponentChildren;
}) {
  const { value, refusal, isLoading, reload } = props.resource;
  return (
    <Page
      title={value === undefined ? props.kind : props.titleOf(value)}
      width="wide"
      lead={<a href={props.list.href}>All {props.list.title}</a>}
    >
      <RefusalAlert refusal={refusal} onRetry={reload} />
      {value === undefined ? isLoading && <Loading /> : props.children(value)}
    </Page>
  );
}
