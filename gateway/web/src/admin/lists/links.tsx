/** To everything that one request led to. */
export function RequestLink({ id }: { id: string | null }) {
  if (id === null) return <>unknown</>;
  return (
    <a class="mono" href={`/admin/requests/${encodeURIComponent(id)}`}>
      {id}
    </a>
  );
}

export function UserLink({ id }: { id: number | null }) {
  if (id === null) return <>nobody who was logged in</>;
  return <a href={`/admin/users/${id}`}>User {id}</a>;
}
